"""The tools that run a command, in the sandbox or not at all, and that read on in what it said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import Field

from bot.action import Kind
from bot.errors import ToolFailed
from bot.tools.outputs import fitting
from bot.tools.tool import Arguments, Stage, Tool

if TYPE_CHECKING:
    from bot.world import Ran

_MOST_BYTES: Final = 100_000
_MOST_READ: Final = 40_000


class RunCommand(Arguments):
    command: str = Field(min_length=1, description="A command line for bash, run in the repository's root.")
    timeout_s: int = Field(default=120, ge=1, le=600, description="Seconds after which it is stopped.")


def _run(arguments: RunCommand, stage: Stage) -> str:
    """Raises ToolFailed with the output of a command that failed: nothing that builds on it may go on."""
    _check(arguments)
    if stage.shell is None:
        raise ToolFailed("commands can't be run here")
    ran = stage.shell.run(arguments.command, folder=stage.folder or Path(), timeout_s=arguments.timeout_s)
    output = stage.outputs.told(ran.output)
    said = output if ran.unconfined is None else f"[not confined: {ran.unconfined}]\n{output}"
    if ran.exit_code is None:
        raise ToolFailed(f"[stopped {_why(ran, arguments)}]\n{said}")
    if ran.exit_code != 0:
        raise ToolFailed(f"[exit code {ran.exit_code}]\n{said}")
    return f"[exit code 0]\n{said}"


def _why(ran: Ran, arguments: RunCommand) -> str:
    match ran.stopped_by:
        case "time" | None:
            return f"after {arguments.timeout_s} seconds"
        case "memory":
            return "since it used too much memory"
        case "written":
            return "since it wrote too much"
        case "processes":
            return "since it started too many processes"
        case "output":
            return "since it said too much"


def _simulate(arguments: RunCommand, stage: Stage) -> str:  # noqa: ARG001 - it touches nothing
    _check(arguments)
    return (
        "The command was not run: this is a dry run. Its output and exit code are not known, and it changed "
        "no file. If the plan is approved, it runs then, confined: no network, and it may write only in the "
        "repository's folder."
    )


def _check(arguments: RunCommand) -> None:
    if "\0" in arguments.command:
        raise ToolFailed("the command has a zero byte, which no command line can hold")
    size = len(arguments.command.encode())
    if size > _MOST_BYTES:
        raise ToolFailed(f"the command has {size} bytes; the most is {_MOST_BYTES}: put it into a file")


class ReadOutput(Arguments):
    output: int = Field(ge=1, description="Which output, by the number that the cut result names.")
    start_line: int = Field(default=1, ge=1, description="First line to show, counted from 1.")
    end_line: int | None = Field(default=None, ge=1, description="Last line to show; the end if left out.")


def _read(arguments: ReadOutput, stage: Stage) -> str:
    lines = stage.outputs.lines(arguments.output)
    first, last = arguments.start_line, min(arguments.end_line or len(lines), len(lines))
    if first > last:
        raise ToolFailed(
            f"output {arguments.output} has {len(lines)} lines; start_line {first} is beyond the last one"
        )
    wanted = lines[first - 1 : last]
    shown = wanted[: fitting(wanted, _MOST_READ)]
    ends = first - 1 + len(shown)
    rest = "" if ends == last else f"\n[cut here; read_output with start_line {ends + 1} goes on]"
    head = f"[output {arguments.output}: lines {first} to {ends} of {len(lines)}]"
    return "\n".join([head, *shown]) + rest


RUN_COMMAND: Final = Tool(
    name="run_command",
    kind=Kind.EXTERNAL,
    description="Run a command line with bash in the repository's root, without network.",
    arguments=RunCommand,
    execute=_run,
    simulate=_simulate,
    rehearse=_run,
    command=lambda arguments: arguments.command,
)

READ_OUTPUT: Final = Tool(
    name="read_output",
    kind=Kind.READ,
    description="Read on in the output of a command, where its result says that lines were left out.",
    arguments=ReadOutput,
    execute=_read,
)
