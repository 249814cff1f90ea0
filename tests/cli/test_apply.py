"""`dryrun-bot apply` as somebody types it."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from journey import call
from keyboard import Keyboard
from own_home import files_in

from bot.demo.model import Said, ScriptedModel

PLANS = (
    Said(
        calls=(
            call("edit_file", path="README.md", old="teh", new="the"),
            call("write_file", path="new.txt", content="new\n"),
            call("delete_file", path="old.txt"),
            call("write_file", path=".env", content="A=1\n"),
        )
    ),
    Said(text="Done."),
)


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    with ScriptedModel(PLANS) as model:
        yield Keyboard(folder=tmp_path, model=model)


@pytest.fixture
def plan(keyboard: Keyboard, tmp_path: Path) -> str:
    file = tmp_path / "plan.json"
    assert keyboard.types("run", "fix", "--dry-run", "--plan-out", str(file)).exit_code == 0
    return str(file)


def test_the_plan_becomes_changes_to_the_work_tree_and_to_nothing_else(keyboard: Keyboard, plan: str) -> None:
    asked = len(keyboard.model.asked)
    head = keyboard.repo.joinpath(".git/refs/heads/main").read_bytes()
    seen = keyboard.types("apply", plan, "--approve", "3", OPENAI_BASE_URL="")
    assert (seen.exit_code, seen.stdout) == (
        0,
        "modified  README.md\ncreated  new.txt\ndeleted  old.txt\n",
    )
    assert (keyboard.repo / "README.md").read_text() == "# Sample\n\nthe first line\n"
    assert (keyboard.repo / "new.txt").read_text() == "new\n"
    assert not (keyboard.repo / "old.txt").exists()
    assert not (keyboard.repo / ".env").exists()
    assert keyboard.repo.joinpath(".git/refs/heads/main").read_bytes() == head
    assert len(keyboard.model.asked) == asked


def test_an_apply_from_anywhere_is_told_in_the_language_asked_for(keyboard: Keyboard, plan: str) -> None:
    seen = keyboard.types(
        "apply",
        plan,
        "--approve",
        "all",
        "--repo",
        str(keyboard.repo),
        "--language",
        "es",
        cwd=keyboard.folder,
    )
    assert seen.stdout.splitlines()[0] == "modificado  README.md"


REFUSALS = {
    "a step that asks": (("apply", "PLAN"), 3, "--approve 3"),
    "no plan": (("apply", "nowhere.json"), 2, "nowhere.json can't be read"),
    "no record": (("apply", "README.md"), 1, "not JSON"),
    "a strange approval": (("apply", "PLAN", "--approve", "three"), 2, "neither numbers"),
    "another approval": (("apply", "PLAN", "--approve", "3,--force"), 2, "neither numbers"),
    "no repository": (("apply", "PLAN", "--repo", "/"), 1, "not in a git work tree"),
}


@pytest.mark.parametrize(("words", "code", "said"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_refused_changes_nothing(
    keyboard: Keyboard, plan: str, words: tuple[str, ...], code: int, said: str
) -> None:
    before = files_in(keyboard.repo)
    seen = keyboard.types(*(plan if word == "PLAN" else word for word in words))
    assert (seen.exit_code, seen.stdout) == (code, "")
    assert said in seen.stderr
    assert "Traceback" not in seen.stderr
    assert files_in(keyboard.repo) == before


def test_a_record_that_was_changed_is_no_record(keyboard: Keyboard, plan: str) -> None:
    record = json.loads(Path(plan).read_text())
    record["steps"][0]["arguments"]["new"] = "tha"
    Path(plan).write_text(json.dumps(record))
    seen = keyboard.types("apply", plan, "--approve", "all")
    assert seen.exit_code == 1
    assert "digest" in seen.stderr


def test_what_changed_since_is_refused_with_the_next_step(keyboard: Keyboard, plan: str) -> None:
    (keyboard.repo / "README.md").write_text("other\n")
    seen = keyboard.types("apply", plan, "--approve", "all")
    assert seen.exit_code == 3
    assert "The file README.md has changed since the plan was made" in seen.stderr
    assert "--dry-run" in seen.stderr


def test_what_a_killed_run_had_half_written_is_taken_back_first(keyboard: Keyboard, plan: str) -> None:
    """As the kill leaves it: the note, one file written, one not yet."""
    from bot.outside.journal import Journal, _Note
    from bot.workspace import Change, Entry, Mode, blob_sha

    private = keyboard.repo / ".git/dryrun-bot"
    private.mkdir()
    before = (keyboard.repo / "README.md").read_bytes()
    half = Change(
        path="README.md",
        before=Entry(mode=Mode.FILE, blob=blob_sha(before)),
        after=Entry(mode=Mode.FILE, blob=blob_sha(b"half")),
        content_before=before,
        content_after=b"half",
    )
    row = Journal(private, keyboard.repo)._row(half)
    (private / "journal.json").write_text(_Note(rows=(row,)).model_dump_json(by_alias=True))
    (keyboard.repo / "README.md").write_text("half")
    told = keyboard.types("run", "x", "--dry-run")
    assert "was killed here while it wrote" in told.stderr
    assert (keyboard.repo / "README.md").read_text() == "half"
    seen = keyboard.types("apply", plan, "--approve", "all")
    assert "These are as before it: README.md" in seen.stderr
    assert seen.exit_code == 0
    assert (keyboard.repo / "README.md").read_text() == "# Sample\n\nthe first line\n"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_at_whatever_moment_an_apply_is_interrupted_the_files_are_as_they_were_or_finished(
    keyboard: Keyboard, plan: str
) -> None:
    before = files_in(keyboard.repo)
    began = time.monotonic()
    assert keyboard.types("apply", plan, "--approve", "all").exit_code == 0
    took = time.monotonic() - began
    finished = files_in(keyboard.repo)
    ends = set()
    for attempt in range(10):
        for command in (["git", "clean", "-fdq"], ["git", "checkout", "-q", "."]):
            subprocess.run(command, cwd=keyboard.repo, check=True)
        with keyboard.begins("apply", plan, "--approve", "all") as run:
            time.sleep(took * (0.3 + attempt * 0.07))
            run.send_signal((signal.SIGINT, signal.SIGTERM)[attempt % 2])
            run.wait(timeout=60)
            now = files_in(keyboard.repo)
            assert now in (before, finished)
            ends.add(now == finished)
    assert False in ends
