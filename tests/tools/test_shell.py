"""A rehearsal runs nothing, and a performance only what it was given a shell for."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from bot.errors import ToolFailed
from bot.tools.shell import RUN_COMMAND, RunCommand
from bot.tools.tool import Stage
from bot.workspace import Workspace
from bot.world import Ran


@dataclass
class Noted:
    """A shell that notes what it was asked, and answers as it was told."""

    answer: Ran
    asked: list[tuple[str, Path, float]] = field(default_factory=list)

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        self.asked.append((command, folder, timeout_s))
        return self.answer


NOWHERE = cast("Workspace", None)


def test_a_rehearsal_runs_nothing_and_says_so(tmp_path: Path) -> None:
    shell = Noted(answer=Ran(exit_code=0, output="x"))
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False, shell=shell, folder=tmp_path)
    assert RUN_COMMAND.simulate is not None
    said = RUN_COMMAND.simulate(RunCommand(command="rm -rf /"), stage)
    assert shell.asked == []
    assert said.startswith("The command was not run")


def test_a_performance_runs_the_command_as_it_stands(tmp_path: Path) -> None:
    shell = Noted(answer=Ran(exit_code=0, output="out\n"))
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False, shell=shell, folder=tmp_path)
    assert RUN_COMMAND.execute(RunCommand(command="make 'a b'", timeout_s=7), stage) == "[exit code 0]\nout\n"
    assert shell.asked == [("make 'a b'", tmp_path, 7)]


FAILED = {
    "an exit code": (Ran(exit_code=3, output="out\n"), r"\[exit code 3\]\nout\n"),
    "its time": (Ran(exit_code=None, output="half"), r"\[stopped after 1 seconds\]\nhalf"),
}


@pytest.mark.parametrize(("ran", "said"), FAILED.values(), ids=FAILED)
def test_a_command_that_failed_fails_the_step_with_what_it_said(tmp_path: Path, ran: Ran, said: str) -> None:
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False, shell=Noted(answer=ran), folder=tmp_path)
    with pytest.raises(ToolFailed, match=said):
        RUN_COMMAND.execute(RunCommand(command="make", timeout_s=1), stage)


def test_without_a_shell_nothing_can_be_run() -> None:
    with pytest.raises(ToolFailed, match="can't be run here"):
        RUN_COMMAND.execute(
            RunCommand(command="true"), Stage(workspace=NOWHERE, is_hidden=lambda path: False)
        )


IMPOSSIBLE = {"a zero byte": "a\0b", "too long": "x" * 100_001}


@pytest.mark.parametrize("command", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_command_line_can_hold_fails_in_the_rehearsal_already(command: str) -> None:
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False)
    for work in (RUN_COMMAND.simulate, RUN_COMMAND.execute):
        with pytest.raises(ToolFailed, match="the command has"):
            work(RunCommand(command=command), stage)


def test_the_command_is_known_before_it_is_run() -> None:
    assert RUN_COMMAND.command(RunCommand(command="ls")) == "ls"
