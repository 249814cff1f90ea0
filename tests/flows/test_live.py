"""Live runs: what is agreed to is carried out on a copy, commands as well, and nothing else is touched."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import NoShell, ScriptedLlm, call, turn
from own_home import FILES, Agreeing, files_in, opened

from bot import authority
from bot.action import Call
from bot.assignment import Assignment
from bot.authority import MayApply
from bot.command import Approval
from bot.errors import ModelFailed, NoSandbox
from bot.flows.live import live
from bot.local_run.run_record import Finished
from bot.own_machine import Opened
from bot.transcript import Transcript
from bot.verdict import Outcome
from bot.world import Ran, Turn

TASK = Assignment(name="ad-hoc", words="Fix it.")
LEAVE: MayApply = authority.on_own_machine("maja", digest="", approval=Approval())


def lived(
    here: Opened, *calls: Call, person: Agreeing | None = None, llm: ScriptedLlm | None = None
) -> tuple[Finished, list[Mapping[str, object]]]:
    """The run, and what the model was told at the end, oldest first."""
    model = llm or ScriptedLlm(*(turn(each) for each in calls), turn(text="Done."))
    finished = live(
        LEAVE,
        TASK,
        home=here.home,
        llm=model,
        person=person or Agreeing(),
        transcript=Transcript.begin(here.repository.root.parent / "transcript.jsonl"),
    )
    told = [message for message in model.asked[-1] if message["role"] == "tool"]
    return finished, told


def test_changes_are_seen_by_reads_and_commands_and_touch_nothing_of_the_persons(tmp_path: Path) -> None:
    here = opened(tmp_path)
    before = files_in(here.repository.root)
    finished, told = lived(
        here,
        call("edit_file", path="README.md", old="teh", new="the"),
        call("write_file", path="new/file.txt", content="new\n"),
        call("delete_file", path="old.txt"),
        call("run_command", command="cat README.md new/file.txt; ls"),
        call("read_file", path="README.md"),
    )
    assert files_in(here.repository.root) == before
    said = str(told[3]["content"])
    assert "the first line" in said
    assert "new\n" in said
    assert "old.txt" not in said
    assert "notes.txt" in said
    assert "the first line" in str(told[4]["content"])
    assert [(one.path, one.after is None) for one in finished.changes] == [
        ("README.md", False),
        ("new/file.txt", False),
        ("old.txt", True),
    ]
    here.journal.commit(finished.changes)
    assert (here.repository.root / "README.md").read_text() == "# Sample\n\nthe first line\n"
    assert not (here.repository.root / "old.txt").exists()


def test_what_a_command_changed_is_in_its_step_and_seen_by_what_follows(tmp_path: Path) -> None:
    here = opened(tmp_path)
    command = (
        "sed -i s/teh/the/ README.md; echo x > made.txt; rm old.txt; chmod +x docs/guide.md; "
        "mkdir ignored; echo y > ignored/z; touch a.pyc"
    )
    person = Agreeing()
    finished, told = lived(
        here,
        call("run_command", command=command),
        call("read_file", path="made.txt"),
        call("edit_file", path="README.md", old="the", new="The"),
        call("list_files"),
        person=person,
    )
    (first, second) = finished.record.steps
    assert [effect.path for effect in first.effects] == ["README.md", "docs/guide.md", "made.txt", "old.txt"]
    assert "x" in str(told[1]["content"])
    assert second.is_performed
    assert "old.txt" not in str(told[3]["content"])
    assert {one.path: one.content_after for one in finished.changes} == {
        "README.md": b"# Sample\n\nThe first line\n",
        "docs/guide.md": b"guide\n",
        "made.txt": b"x\n",
        "old.txt": None,
    }
    # Asked before it ran, with nothing known; and once more with all that it did.
    assert [(step.number, len(step.effects)) for step in person.asked] == [(1, 0), (1, 4), (2, 1)]


REFUSED = {
    "a file": (call("delete_file", path="old.txt"), ()),
    "a command": (call("run_command", command="rm old.txt"), ()),
    "what a command did": (call("run_command", command="rm old.txt; echo x > new.txt"), (False,)),
}


def test_what_was_cut_out_of_a_commands_output_can_be_read(tmp_path: Path) -> None:
    finished, told = lived(
        opened(tmp_path),
        call("run_command", command="seq 1 20000; echo the end"),
        call("read_output", output=1, start_line=10_000, end_line=10_001),
    )
    said = str(told[0]["content"])
    assert "\n10000\n" not in said
    assert "are left out here; read_output with output 1" in said
    assert "the end" in said
    assert "[output 1: lines 10000 to 10001 of 20002]\n10000\n10001" in str(told[1]["content"])
    assert [step.tool for step in finished.record.steps] == ["run_command"]


@pytest.mark.parametrize(("asked", "only_second"), REFUSED.values(), ids=REFUSED)
def test_what_the_person_does_not_agree_to_is_undone_and_the_model_is_told(
    tmp_path: Path, asked: Call, only_second: tuple[bool, ...]
) -> None:
    here = opened(tmp_path)
    person = Agreeing(second=False) if only_second else Agreeing(but=(1,))
    finished, told = lived(
        here, asked, call("read_file", path="old.txt"), call("run_command", command="ls"), person=person
    )
    assert '"failed": true' in str(told[0]["content"])
    assert "approved" in str(told[0]["content"])
    assert "old" in str(told[1]["content"])
    assert finished.changes == ()
    step = finished.record.steps[0]
    assert not step.is_performed
    assert step.effects == ()
    assert "old.txt" in str(told[2]["content"])
    assert "new.txt" not in str(told[2]["content"])


DENIED = {
    "a workflow": "d=.github; mkdir -p $d/workflows; echo x > $d/workflows/ci.yml",
    "the policy": "d=.github; mkdir -p $d; echo x > $d/dryrun-bot.yml; rm README.md",
}


@pytest.mark.parametrize("command", DENIED.values(), ids=DENIED)
def test_a_command_can_not_do_what_the_policy_denies_whoever_agrees(tmp_path: Path, command: str) -> None:
    """The words don't tell what it does, so a person is asked; what it did then is judged again."""
    here = opened(tmp_path)
    finished, told = lived(here, call("run_command", command=command), call("list_files"))
    assert "is denied, and was undone" in str(told[0]["content"])
    assert finished.changes == ()
    assert finished.record.steps[0].verdict.outcome is Outcome.DENY
    assert ".github" not in str(told[1]["content"])
    assert "README.md" in str(told[1]["content"])


def test_what_a_command_does_to_gits_own_folder_is_done_to_none(tmp_path: Path) -> None:
    here = opened(tmp_path)
    before = {one: one.read_bytes() for one in (here.repository.root / ".git").rglob("*") if one.is_file()}
    command = "d=gi; mkdir -p .${d}t/hooks; echo x > .${d}t/hooks/pre-commit; echo y > a.txt"
    finished, _ = lived(here, call("run_command", command=command))
    here.journal.commit(finished.changes)
    assert [one.path for one in finished.changes] == ["a.txt"]
    after = {one: one.read_bytes() for one in (here.repository.root / ".git").rglob("*") if one.is_file()}
    assert {one: content for one, content in after.items() if one.name != "lock"} == before


def test_a_denied_call_is_asked_of_nobody(tmp_path: Path) -> None:
    person = Agreeing()
    _, told = lived(opened(tmp_path), call("write_file", path=".env", content="A=1"), person=person)
    assert '"denied": true' in str(told[0]["content"])
    assert person.asked == []


def test_a_secret_is_not_where_commands_run_and_stays_where_it_is(tmp_path: Path) -> None:
    here = opened(tmp_path, files={**FILES, ".env": b"TOKEN=abc\n", "deep/key.pem": b"KEY\n"})
    finished, told = lived(
        here, call("run_command", command="ls -aR; cat .env deep/key.pem; true; echo > .env")
    )
    assert "TOKEN" not in str(told[0]["content"])
    assert "key.pem\n" not in str(told[0]["content"]).replace("cat: deep/key.pem", "")
    assert finished.changes == ()


def test_a_command_that_fails_leaves_nothing_and_its_words_are_told(tmp_path: Path) -> None:
    here = opened(tmp_path)
    finished, told = lived(
        here,
        call("run_command", command="echo x > new.txt; rm README.md; echo broken; exit 3"),
        call("run_command", command="ls"),
    )
    assert "exit code 3" in str(told[0]["content"])
    assert "broken" in str(told[0]["content"])
    assert "README.md" in str(told[1]["content"])
    assert "new.txt" not in str(told[1]["content"])
    assert finished.changes == ()


ODD = {
    "a link": "ln -s /etc/passwd new-link",
    "a link for a file": "rm README.md; ln -s /etc/passwd README.md",
    "a link for a folder": "rm -r docs; ln -s /etc docs",
    "a pipe": "mkfifo pipe",
    "a folder for a file": "rm README.md; mkdir README.md; touch README.md/x.pyc",
    "a repository": "mkdir inner; cd inner; mkdir -p .git; echo 'ref: refs/heads/x' > .git/HEAD; echo y > f",
    "another link": "rm link; ln -s /etc/shadow link",
    "no link": "rm link",
}


@pytest.mark.parametrize("command", ODD.values(), ids=ODD)
def test_what_no_plan_can_hold_is_undone_and_nothing_outside_is_read_or_written(
    tmp_path: Path, command: str
) -> None:
    here = opened(tmp_path)
    finished, told = lived(
        here,
        call("run_command", command=command),
        call("read_file", path="docs/guide.md"),
        call("run_command", command="cat README.md docs/guide.md; readlink link; ls"),
    )
    told_last = str(told[2]["content"])
    assert "root:" not in told_last
    assert all(one.after is None or one.after.mode in {"100644", "100755"} for one in finished.changes)
    assert not any(one.path.startswith(("inner", "pipe", "new-link")) for one in finished.changes)
    here.journal.commit(finished.changes)
    assert (here.repository.root / "link").readlink() == Path("README.md")


def test_where_commands_can_not_be_confined_none_is_run_and_the_run_goes_on(tmp_path: Path) -> None:
    class NowhereShell(NoShell):
        def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
            raise NoSandbox("Commands can't be confined on this machine", next_step="use another")

    here = opened(tmp_path)
    here = replace(here, home=replace(here.home, shell=NowhereShell()))
    finished, told = lived(here, call("run_command", command="ls"), call("delete_file", path="old.txt"))
    assert "can't be confined" in str(told[0]["content"])
    assert [one.path for one in finished.changes] == ["old.txt"]


def test_a_model_that_fails_in_the_middle_leaves_the_files_as_they_were(tmp_path: Path) -> None:
    class Failing(ScriptedLlm):
        def ask(self, messages: object, *, tools: object, **room: object) -> Turn:
            if self.asked:
                raise ModelFailed("gone", next_step="wait")
            return super().ask(messages, tools=tools, **room)  # type: ignore[arg-type]

    here = opened(tmp_path)
    before = files_in(here.repository.root)
    with pytest.raises(ModelFailed):
        lived(here, llm=Failing(turn(call("delete_file", path="old.txt"))))
    assert files_in(here.repository.root) == before


def test_the_model_is_told_that_it_counts(tmp_path: Path) -> None:
    model = ScriptedLlm(turn(text="Nothing to do."))
    lived(opened(tmp_path), llm=model)
    system = str(model.asked[0][0]["content"])
    assert "What you do here counts" in system
    assert "Nothing you do here is real" not in system


def test_the_private_copy_is_gone_afterwards(tmp_path: Path) -> None:
    folders: list[Path] = []

    class Noting(NoShell):
        def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
            folders.append(folder)
            assert (folder / "README.md").exists()
            return Ran(exit_code=0, output="")

    here = opened(tmp_path)
    lived(replace(here, home=replace(here.home, shell=Noting())), call("run_command", command="ls"))
    assert folders
    assert not folders[0].exists()
