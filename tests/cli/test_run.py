"""`dryrun-bot run` as somebody types it: what is promised of its streams, modes, reports and languages."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from journey import call
from keyboard import ROOT, Keyboard
from own_home import files_in
from real_git import commit_all, lay
from render.samples import mixed

from bot.demo.model import Raw, Said, ScriptedModel
from bot.local_run.report import Report
from bot.local_run.run_record import Finished
from bot.plan import read_plan

PLANS = (
    Said(calls=(call("read_file", path="README.md"),)),
    Said(calls=(call("edit_file", path="README.md", old="teh", new="the", intent="A typo."),)),
    Said(
        calls=(
            call("write_file", path="docs/new.md", content="# New\n\ntext\n"),
            call("delete_file", path="old.txt"),
            call("write_file", path=".env", content="A=1\n"),
            call("run_command", command="touch made.txt"),
        )
    ),
    Said(text="Fixed a typo, and more."),
)
SUMMARY = (
    "Action plan (dry-run): 5 planned actions\n\n"
    "1. edit_file → README.md\n2. write_file → docs/new.md\n3. delete_file → old.txt\n"
    "4. write_file → .env (deny)\n5. run_command → touch made.txt\n"
)
ESCAPE = "\x1b"


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    with ScriptedModel(PLANS) as model:
        yield Keyboard(folder=tmp_path, model=model)


def test_a_dry_run_prints_the_plan_changes_nothing_and_keeps_what_was_asked_for(
    keyboard: Keyboard, tmp_path: Path
) -> None:
    before = files_in(keyboard.repo)
    git_before = sorted(keyboard.repo.joinpath(".git").rglob("*"))
    plan_file, transcript_file = tmp_path / "out/plan.json", tmp_path / "out/run.jsonl"
    seen = keyboard.types(
        "run",
        "fix typos",
        "--dry-run",
        "--plan-out",
        str(plan_file),
        "--transcript-out",
        str(transcript_file),
    )
    assert seen.exit_code == 0
    assert seen.stdout.startswith(SUMMARY)
    assert "+the first line" in seen.stdout
    assert "Fixed a typo, and more." in seen.stdout
    assert f"dryrun-bot apply {plan_file} --approve 3,5" in seen.stderr
    assert ESCAPE not in seen.stdout + seen.stderr
    assert files_in(keyboard.repo) == before
    assert sorted(keyboard.repo.joinpath(".git").rglob("*")) == git_before
    plan = read_plan(plan_file.read_bytes())
    assert [step.tool for step in plan.steps][:3] == ["edit_file", "write_file", "delete_file"]
    assert b'"event":"proposed"' in transcript_file.read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out", "repo"]


@pytest.mark.parametrize(
    "how", [{"LANG": "es_ES.UTF-8"}, {"words": ("--language", "es")}], ids=["locale", "option"]
)
def test_a_plan_is_told_in_spanish_where_that_is_wanted(keyboard: Keyboard, how: dict[str, Any]) -> None:
    seen = keyboard.types("run", "corrige", "--dry-run", *how.pop("words", ()), **how)
    assert seen.stdout.startswith(
        "Plan de acciones (dry-run): 5 acciones planificadas\n\n1. edit_file → README.md\n"
    )
    assert "4. write_file → .env (denegar)" in seen.stdout
    told = [str(message["content"]) for asked in keyboard.model.asked for message in asked.messages]
    assert any("[DRY-RUN] Se ejecutaría: edit_file(" in said for said in told)


def test_an_empty_plan_is_said_in_the_words_of_the_manual(tmp_path: Path) -> None:
    with ScriptedModel((Said(text="Nothing to do."),)) as model:
        keyboard = Keyboard(folder=tmp_path, model=model)
        english = keyboard.types("run", "look", "--dry-run")
        spanish = keyboard.types("run", "mira", "--dry-run", "--language", "es")
    assert english.stdout.startswith("Dry-run complete: no write actions were planned.\n")
    assert spanish.stdout.startswith("Dry-run completado: no se planificaron acciones de escritura.\n")
    assert (english.exit_code, spanish.exit_code) == (0, 0)


def test_the_manuals_own_command_line_works_and_shows_the_costs(keyboard: Keyboard) -> None:
    seen = keyboard.types("run", "migrate tests to pytest", "--dry-run", "--mode", "yolo", "--show-costs")
    assert seen.exit_code == 0
    assert seen.stdout.startswith(SUMMARY)
    assert "Model calls: 4" in seen.stdout
    assert re.search(r"Tokens read: [\d,]+, of which 0 % from the cache", seen.stdout)
    assert "Second opinion" in seen.stdout


def test_the_json_report_is_all_of_stdout_and_its_files_come_from_the_planned_actions(
    keyboard: Keyboard,
) -> None:
    seen = keyboard.types("run", "fix typos", "--dry-run", "--report", "json", "--show-costs")
    report = json.loads(seen.stdout)
    assert report["dry_run"] is True
    assert report["status"] == "success"
    assert report["files_modified"] == [
        {"path": "README.md", "action": "modified", "lines_added": 1, "lines_removed": 1},
        {"path": "docs/new.md", "action": "created", "lines_added": 3, "lines_removed": 0},
        {"path": "old.txt", "action": "deleted", "lines_added": 0, "lines_removed": 1},
    ]
    assert report["actions"][0]["arguments"] == {"path": "README.md", "old": "teh", "new": "the"}
    assert [row["tool"] for row in report["timeline"]][:2] == ["read_file", "edit_file"]
    assert SUMMARY in seen.stderr
    assert "Model calls: 4" in seen.stderr


@pytest.mark.parametrize(
    ("format_", "start"), [("markdown", "### Dry run\n"), ("html", "<!doctype html>"), ("json", "{")]
)
def test_a_report_goes_to_stdout_or_into_a_file_and_is_the_same(
    keyboard: Keyboard, tmp_path: Path, format_: str, start: str
) -> None:
    file = tmp_path / {"markdown": "a/r.md", "html": "a/r.HTML", "json": "a/r.json"}[format_]
    printed = keyboard.types("run", "fix typos", "--dry-run", "--report", format_)
    filed = keyboard.types("run", "fix typos", "--dry-run", "--report-file", str(file))
    assert printed.stdout.startswith(start)
    assert "README.md" in printed.stdout
    assert filed.stdout.startswith(SUMMARY)
    assert file.read_text()[:40] == printed.stdout[:40]


def test_reads_see_what_the_person_has_not_committed_and_nothing_that_git_ignores(tmp_path: Path) -> None:
    script = (
        Said(
            calls=(
                call("read_file", path="notes.txt"),
                call("read_file", path="ignored/x"),
                call("list_files"),
            )
        ),
        Said(text="Read."),
    )
    with ScriptedModel(script) as model:
        keyboard = Keyboard(folder=tmp_path, model=model)
        lay(keyboard.repo, {"notes.txt": b"only here\n", "ignored/x": b"hidden\n"})
        keyboard.types("run", "read", "--dry-run")
        told = [message["content"] for message in model.asked[-1].messages if message["role"] == "tool"]
    assert "only here" in told[0]
    assert "hidden" not in told[1]
    assert "ignored/x" not in told[2]


def test_without_a_terminal_what_asks_is_refused_and_the_rest_is_done(keyboard: Keyboard) -> None:
    seen = keyboard.types("run", "fix typos", stdin="y\ny\ny\n")
    assert seen.exit_code == 0
    assert (keyboard.repo / "README.md").read_text() == "# Sample\n\nthe first line\n"
    assert (keyboard.repo / "docs/new.md").exists()
    assert (keyboard.repo / "old.txt").exists()
    assert not (keyboard.repo / "made.txt").exists()
    assert not (keyboard.repo / ".env").exists()
    assert "there is no terminal to ask in" in seen.stderr
    (transcript,) = (keyboard.folder / "state/dryrun-bot").iterdir()
    assert str(transcript) in seen.stderr
    assert b'"event":"refused"' in transcript.read_bytes()


def test_confirm_all_without_a_terminal_does_nothing(keyboard: Keyboard) -> None:
    before = files_in(keyboard.repo)
    seen = keyboard.types("run", "fix typos", "--mode", "confirm-all", "--report", "json")
    assert json.loads(seen.stdout)["files_modified"] == []
    assert json.loads(seen.stdout)["dry_run"] is False
    assert files_in(keyboard.repo) == before


def test_yolo_asks_nothing_and_what_is_denied_stays_denied(keyboard: Keyboard) -> None:
    seen = keyboard.types("run", "fix typos", "--mode", "yolo", "--report", "json")
    assert [row["path"] for row in json.loads(seen.stdout)["files_modified"]] == [
        "README.md",
        "docs/new.md",
        "made.txt",
        "old.txt",
    ]
    assert (keyboard.repo / "made.txt").exists()
    assert not (keyboard.repo / "old.txt").exists()
    assert not (keyboard.repo / ".env").exists()


def test_at_a_terminal_the_person_is_asked_about_what_asks(keyboard: Keyboard) -> None:
    seen = keyboard.sits_at("run", "fix typos", answers=["y", "", "y"], is_piped=True)
    assert seen.exit_code == 0
    assert seen.screen.count("Is this all right?") == 2
    assert "-old" in seen.screen
    assert "$ touch made.txt" in seen.screen
    assert not (keyboard.repo / "old.txt").exists()
    assert not (keyboard.repo / "made.txt").exists()
    assert "3 actions carried out" in seen.stdout
    assert ESCAPE not in seen.stdout


def test_confirm_all_asks_about_every_change(keyboard: Keyboard) -> None:
    answers = ["n", "perhaps", "s", "n", "n"]
    seen = keyboard.sits_at("run", "fix typos", "--mode", "confirm-all", answers=answers)
    assert seen.exit_code == 0
    assert (keyboard.repo / "README.md").read_text() == "# Sample\n\nteh first line\n"
    assert (keyboard.repo / "docs/new.md").exists()
    assert (keyboard.repo / "old.txt").exists()


@pytest.mark.parametrize("answer", ["q", "^C"])
def test_whoever_ends_it_at_a_question_finds_everything_as_it_was(keyboard: Keyboard, answer: str) -> None:
    before = files_in(keyboard.repo)
    seen = keyboard.sits_at("run", "fix typos", answers=[answer])
    assert seen.exit_code == 130
    assert "Nothing was changed." in seen.screen
    assert files_in(keyboard.repo) == before


SCREENS = {
    "a terminal": ({}, True),
    "no colour wanted": ({"NO_COLOR": "1"}, False),
    "a dumb terminal": ({"TERM": "dumb"}, False),
}


@pytest.mark.parametrize(("environ", "is_moving"), SCREENS.values(), ids=SCREENS)
def test_colour_and_motion_are_for_terminals_that_want_them(
    keyboard: Keyboard, environ: dict[str, str], *, is_moving: bool
) -> None:
    seen = keyboard.sits_at("run", "fix typos", "--dry-run", **environ)
    assert (ESCAPE in seen.screen) is is_moving
    assert "planned actions" in seen.screen


def test_nothing_forces_colour_into_a_pipe(keyboard: Keyboard) -> None:
    seen = keyboard.types("run", "x", "--dry-run", FORCE_COLOR="1", CLICOLOR_FORCE="1", TERM="xterm-256color")
    assert ESCAPE not in seen.stdout + seen.stderr


@pytest.mark.parametrize("columns", [24, 40, 72, 200])
def test_a_narrow_terminal_loses_no_word(keyboard: Keyboard, columns: int) -> None:
    seen = keyboard.sits_at("run", "fix typos", "--dry-run", columns=columns, NO_COLOR="1")
    together = re.sub(r"\s+", "", seen.screen)
    for words in ("Itdeletesafile.", "touchmade.txt", "docs/new.md"):
        assert words in together


def test_hostile_words_reach_neither_terminal_nor_report_alive(tmp_path: Path) -> None:
    evil = "a\x1b[2J\x1b]0;x\x07\u202e[bold red]::error::x"
    script = (
        Said(calls=(call("write_file", path="e.txt", content=evil, intent=evil), call(evil, path=evil))),
        Said(text=evil),
    )
    with ScriptedModel(script) as model:
        keyboard = Keyboard(folder=tmp_path, model=model)
        plain = keyboard.types("run", evil, "--dry-run")
        seen = keyboard.sits_at("run", "x", "--dry-run", NO_COLOR="1")
        markdown = keyboard.types("run", evil, "--dry-run", "--report", "markdown")
    for text in (plain.stdout, plain.stderr, seen.screen, markdown.stdout, markdown.stderr):
        assert not re.search("[\x1b\x07\u202e]", text)
    assert "[bold red]" in plain.stdout


REFUSALS = {
    "no repository": (("run", "x", "--dry-run", "--repo", "/"), 1, "not in a git work tree"),
    "no such folder": (("run", "x", "--dry-run", "--repo", "nowhere"), 1, "not a folder"),
    "no such configuration": (
        ("run", "x", "--dry-run", "--config", "nowhere.yml"),
        2,
        "nowhere.yml can't be read",
    ),
    "a plan of a live run": (("run", "x", "--plan-out", "p.json"), 2, "--plan-out is for a plan"),
    "a report of no known form": (
        ("run", "x", "--report-file", "r.pdf"),
        2,
        "doesn't tell the report's format",
    ),
    "a folder to write to": (("run", "x", "--dry-run", "--plan-out", "docs"), 2, "docs can't be written"),
    "a file for a folder": (("run", "x", "--dry-run", "--plan-out", "old.txt/p"), 2, "can't be written"),
    "a plan through a link": (("run", "x", "--dry-run", "--plan-out", "link"), 2, "link is a link, a device"),
    "a transcript through a link": (("run", "x", "--transcript-out", "link"), 2, "link is a link, a device"),
    "a report through a link": (
        ("run", "x", "--dry-run", "--report", "json", "--report-file", "link"),
        2,
        "link is a link, a device",
    ),
    "two outputs with one file": (
        ("run", "x", "--dry-run", "--plan-out", "docs/x", "--transcript-out", "docs/../docs/x"),
        2,
        "Two outputs have one file",
    ),
    "an unknown mode": (("run", "x", "--mode", "reckless"), 2, "invalid choice"),
    "no task": (("run",), 2, "TASK"),
    "an empty task": (("run", " ", "--dry-run"), 2, "TASK is empty"),
    "an address that is none": (
        ("run", "x", "--dry-run", "--base-url", "localhost:11434"),
        1,
        "OPENAI_BASE_URL is no address",
    ),
}


@pytest.mark.parametrize(("words", "code", "said"), REFUSALS.values(), ids=REFUSALS)
def test_what_can_not_work_is_said_before_a_model_is_asked(
    keyboard: Keyboard, words: tuple[str, ...], code: int, said: str
) -> None:
    seen = keyboard.types(*words)
    assert (seen.exit_code, seen.stdout) == (code, "")
    assert said in seen.stderr
    assert "Traceback" not in seen.stderr
    assert keyboard.model.asked == []


def test_without_key_or_server_the_next_step_is_told(keyboard: Keyboard) -> None:
    seen = keyboard.types("run", "x", "--dry-run", OPENAI_BASE_URL="")
    assert seen.exit_code == 2
    assert "OPENAI_API_KEY" in seen.stderr


def test_a_model_that_does_not_answer_is_a_plain_sentence_and_nothing_on_stdout(keyboard: Keyboard) -> None:
    keyboard.model.faults = [Raw(status=401, body=b'{"error": {"message": "who are you"}}')]
    before = files_in(keyboard.repo)
    seen = keyboard.types("run", "x", "--mode", "yolo", "--report", "json")
    assert (seen.exit_code, seen.stdout) == (1, "")
    assert "who are you" in seen.stderr
    assert "Nothing was changed." in seen.stderr
    assert "Traceback" not in seen.stderr
    assert files_in(keyboard.repo) == before


def test_a_run_that_a_limit_stopped_is_no_success(keyboard: Keyboard, tmp_path: Path) -> None:
    config = tmp_path / "c.yml"
    config.write_text("limits: {steps: 2}\n")
    seen = keyboard.types("run", "x", "--dry-run", "--report", "json", "--config", str(config))
    report = json.loads(seen.stdout)
    assert seen.exit_code == 1
    assert (report["status"], report["steps"]) == ("partial", 2)
    assert "2 steps" in report["stop_reason"]
    assert "Stopped early" in seen.stderr


def test_the_committed_configuration_governs_and_a_changed_one_is_told(keyboard: Keyboard) -> None:
    file = ".github/dryrun-bot.yml"
    lay(keyboard.repo, {file: b"policy: {paths: {deny: ['docs/**']}}\nad_hoc_tasks: true\n"})
    commit_all(keyboard.repo)
    lay(keyboard.repo, {file: b"language: en\n"})
    seen = keyboard.types("run", "x", "--dry-run")
    assert "2. write_file → docs/new.md (deny)" in seen.stdout
    assert "not committed as it stands" in seen.stderr


def test_a_task_is_taken_by_its_name_and_free_words_where_they_are_allowed(
    keyboard: Keyboard, tmp_path: Path
) -> None:
    config = tmp_path / "c.yml"
    config.write_text("tasks: {tidy: {prompt: Tidy the docs.}}\nad_hoc_tasks: false\n")
    named = keyboard.types("run", "tidy", "--dry-run", "--config", str(config), "--report", "json")
    assert json.loads(named.stdout)["task_name"] == "tidy"
    assert "Tidy the docs." in str(keyboard.model.asked[0].messages)
    asked = len(keyboard.model.asked)
    free = keyboard.types("run", "something else", "--dry-run", "--config", str(config))
    assert (free.exit_code, free.stdout) == (3, "")
    assert "tidy" in free.stderr
    assert len(keyboard.model.asked) == asked


def test_another_model_and_server_are_taken_from_the_command_line(keyboard: Keyboard) -> None:
    seen = keyboard.types(
        *("run", "x", "--dry-run", "--report", "json", "--model", "other-model"),
        *("--base-url", keyboard.model.base_url),
        OPENAI_BASE_URL="http://127.0.0.1:1/v1",
    )
    assert json.loads(seen.stdout)["model"] == "other-model"
    assert keyboard.model.asked[0].body["model"] == "other-model"


def test_a_window_bounds_what_a_server_is_asked_for(keyboard: Keyboard) -> None:
    keyboard.types("run", "fix typos", "--dry-run", "--window", "6000")
    assert 256 <= keyboard.model.asked[0].body["max_completion_tokens"] < 4_000
    wrong = keyboard.types("run", "fix typos", "--dry-run", "--window", "64k")
    assert wrong.exit_code == 2
    assert "'64k' is not a number of tokens from 2,048 on" in wrong.stderr


def test_a_reader_that_has_seen_enough_is_no_failure(keyboard: Keyboard) -> None:
    """As with `dryrun-bot run TASK --dry-run | head -1`."""
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "run", "fix typos", "--dry-run"],
        cwd=keyboard.repo,
        env=keyboard.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
    assert (process.returncode, b"fault" in told) == (0, False)


def test_a_servers_tool_is_used_in_a_dry_run_and_its_plan_applied(tmp_path: Path) -> None:
    sample, store, config = ROOT / "tests/mcp_sample.py", tmp_path / "store", tmp_path / "mcp.yml"
    store.write_text("First\n")
    config.write_text(
        f"mcp: {{tickets: {{command: [{sys.executable}, {sample}], env: [STORE], "
        "tools: {search: {kind: read}}}}\n"
    )
    asked = (
        Said(calls=(call("tickets_search", word="Fir"),)),
        Said(calls=(call("write_file", path="found.txt", content="First\n"),)),
        Said(text="Found."),
    )
    with ScriptedModel(asked) as model:
        keyboard = Keyboard(folder=tmp_path, model=model)
        how = ("--config", str(config), "--mcp")
        seen = keyboard.types("run", "look", "--dry-run", "--plan-out", "p.json", *how, STORE=str(store))
    assert seen.exit_code == 0
    assert "First" in str(model.asked[1].messages[-1]["content"])
    without = keyboard.types("apply", "p.json", *how[:2], STORE=str(store))
    assert (without.exit_code, "apply it with --mcp" in without.stderr) == (3, True)
    applied = keyboard.types("apply", "p.json", *how, STORE=str(store))
    assert (applied.exit_code, applied.stdout) == (0, "created  found.txt\n")


def test_an_estimate_asks_no_model(keyboard: Keyboard) -> None:
    told = keyboard.types("run", "fix typos", "--dry-run", "--estimate")
    data = json.loads(keyboard.types("run", "fix typos", "--estimate", "--report", "json").stdout)
    assert told.exit_code == 0
    assert "tokens" in told.stdout
    assert data["most_calls"] == 40
    assert data["first_call_tokens"] > 500
    assert keyboard.model.asked == []


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_at_whatever_moment_a_live_run_is_interrupted_the_files_are_as_they_were_or_finished(
    tmp_path: Path,
) -> None:
    """Real processes, interrupted at moments from before the first change to after the last."""
    edits = tuple(call("write_file", path=f"many/{n}.txt", content=f"new {n}\n") for n in range(15))
    script = (
        Said(calls=edits),
        Said(calls=(call("edit_file", path="README.md", old="teh", new="the"),)),
        Said(text="x"),
    )
    ends = set()
    with ScriptedModel(script) as model:
        keyboard = Keyboard(folder=tmp_path, model=model)
        # The first of all waits until the bot is on standby.
        keyboard.types("--version")
        began = time.monotonic()
        keyboard.types("run", "x", "--mode", "yolo")
        took = time.monotonic() - began
        finished = files_in(keyboard.repo)
        for attempt in range(9):
            subprocess.run(["git", "clean", "-fdq"], cwd=keyboard.repo, check=True)
            subprocess.run(["git", "checkout", "-q", "."], cwd=keyboard.repo, check=True)
            before = files_in(keyboard.repo)
            log = tmp_path / "log"
            with keyboard.begins("run", "x", "--mode", "yolo", log=log) as run:
                time.sleep(took * (0.3 + attempt * 0.09))
                run.send_signal((signal.SIGINT, signal.SIGTERM)[attempt % 2])
                run.wait(timeout=60)
                now, said = files_in(keyboard.repo), log.read_text()
                assert now in (before, finished), said
                assert run.returncode in {0, 130, 143, -signal.SIGINT, -signal.SIGTERM}, said
                assert "Traceback" not in said or now == before
                ends.add(now == finished)
    assert False in ends


def test_the_manual_names_every_option_field_and_exit_code() -> None:
    manual = (ROOT / "docs/terminal.md").read_text("utf-8")
    help_ = subprocess.run(
        [sys.executable, "-m", "bot", "run", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    options = set(re.findall(r"--[a-z-]+", help_)) - {"--help", "--repo", "--model", "--chaos", "--seed"}
    assert {one for one in options if one not in manual} == set()
    made = Report(
        task="x",
        finished=Finished(record=mixed(), changes=()),
        mode=None,
        duration_s=1.0,
        calls=(),
        turns=(),
    )
    fields = json.loads(made.to_json())
    assert {name for name in fields if f"`{name}`" not in manual} == set()
    for code in ("| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 130 |"):
        assert code in manual
