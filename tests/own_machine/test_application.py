"""A saved plan from its file to the exit code."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedLlm, call, turn
from own_home import files_in, opened, surroundings

from bot.assignment import Assignment
from bot.command import Approval
from bot.errors import CheckoutFailed
from bot.flows.local_dry_run import rehearse
from bot.outside.clock import SystemClock
from bot.own_machine import open_home
from bot.own_machine.application import apply_here
from bot.transcript import Transcript


def saved(folder: Path) -> Path:
    here = opened(folder)
    made = rehearse(
        Assignment(name="ad-hoc", words="Fix it."),
        home=replace(here.home, clock=SystemClock()),
        llm=ScriptedLlm(
            turn(call("edit_file", path="README.md", old="teh", new="the")),
            turn(call("write_file", path="docs/new.md", content="new\n")),
            turn(text="Done."),
        ),
        transcript=Transcript.begin(folder / "plan.jsonl"),
    )
    file = folder / "plan.json"
    file.write_bytes(made.record.to_bytes())
    return file


def applied(folder: Path, file: Path, **how: Any) -> int:
    wanted: dict[str, Any] = {
        "approval": Approval(),
        "folder": folder / "repo",
        "config_file": None,
        "extended": None,
        "language": None,
        "surroundings": surroundings(folder),
    }
    return apply_here(file, **wanted | how)


def test_it_is_written_noted_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert applied(tmp_path, saved(tmp_path)) == 0
    assert capsys.readouterr().out == "modified  README.md\ncreated  docs/new.md\n"
    assert (tmp_path / "repo/docs/new.md").read_text() == "new\n"
    (transcript,) = (tmp_path / "state/dryrun-bot").iterdir()
    assert b'"event":"applied"' in transcript.read_bytes()


def test_a_refusal_is_an_exit_code_of_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path)
    config = tmp_path / "stricter.yml"
    config.write_text("policy: {paths: {deny: ['docs/**']}}\n")
    before = files_in(tmp_path / "repo")
    assert applied(tmp_path, file, config_file=config) == 3
    assert "policy has changed" in capsys.readouterr().err
    assert files_in(tmp_path / "repo") == before


def test_what_can_not_be_written_changes_nothing_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path)
    home = open_home(tmp_path / "repo", config_file=None, surroundings=surroundings(tmp_path))
    before = files_in(tmp_path / "repo")
    with home.journal._locked(), pytest.raises(CheckoutFailed, match="Another run"):
        applied(tmp_path, file)
    assert "Nothing was changed." in capsys.readouterr().err
    assert files_in(tmp_path / "repo") == before
