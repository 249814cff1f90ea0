"""A rehearsal runs nothing, and a performance only what it was given a shell for."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from bot.errors import ToolFailed
from bot.tools.shell import READ_OUTPUT, RUN_COMMAND, ReadOutput, RunCommand
from bot.tools.tool import Stage
from bot.workspace import Workspace
from bot.world import Ran, Shell


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


def _long(count: int) -> Stage:
    """The stage after a command that said so many lines."""
    output = "\n".join(f"line {number} of a long output" for number in range(1, count + 1))
    shell = cast("Shell", Noted(answer=Ran(exit_code=0, output=output)))
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False, shell=shell)
    told = RUN_COMMAND.execute(RunCommand(command="pytest"), stage)
    assert "read_output with output 1 and start_line" in told
    return stage


def test_every_line_of_a_long_output_can_be_read_page_by_page() -> None:
    stage, seen, start = _long(9_000), 0, 1
    while True:
        page = READ_OUTPUT.execute(ReadOutput(output=1, start_line=start), stage)
        assert len(page) < 41_000
        shown = re.findall(r"^line (\d+) of a long output$", page, re.MULTILINE)
        assert [int(number) for number in shown] == list(range(start, start + len(shown)))
        seen += len(shown)
        on = re.search(r"\[cut here; read_output with start_line (\d+) goes on\]$", page)
        if on is None:
            break
        start = int(on[1])
    assert seen == 9_000


def test_some_lines_of_an_output_can_be_read_and_none_beyond_its_end() -> None:
    stage = _long(9_000)
    assert READ_OUTPUT.execute(ReadOutput(output=1, start_line=7, end_line=8), stage) == (
        "[output 1: lines 7 to 8 of 9000]\nline 7 of a long output\nline 8 of a long output"
    )
    with pytest.raises(ToolFailed, match="output 1 has 9000 lines; start_line 9001 is beyond the last one"):
        READ_OUTPUT.execute(ReadOutput(output=1, start_line=9_001), stage)


def test_the_output_of_a_command_that_failed_can_be_read_on_too() -> None:
    shell = cast("Shell", Noted(answer=Ran(exit_code=1, output="\n".join(["FAILED"] * 9_000))))
    stage = Stage(workspace=NOWHERE, is_hidden=lambda path: False, shell=shell)
    with pytest.raises(ToolFailed, match=r"\[exit code 1\]\nFAILED(\n|.)*read_output with output 1"):
        RUN_COMMAND.execute(RunCommand(command="pytest"), stage)
    assert READ_OUTPUT.execute(ReadOutput(output=1, start_line=5_000, end_line=5_000), stage).endswith(
        "FAILED"
    )
