"""A command that is performed is held to its rehearsal; whole plans with them are in tests/flows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import MemoryTree, call

from bot.authority import on_own_machine
from bot.command import Approval
from bot.dispatcher import Dispatcher
from bot.dispatcher.performance import Commands
from bot.gate.policy import Policy
from bot.noted.trials import RecordedTrials, Trial
from bot.outside.checkout import materialise
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace import Entry, Mode, blob_sha
from bot.workspace.copied import CopiedTree, Made
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay
from bot.world import Ran

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)
TREE = MemoryTree({"a.txt": "a\n", "b.txt": "b\n"})
PLANNED = (Made(path="a.txt", entry=Entry(mode=Mode.FILE, blob=blob_sha(b"x\n")), content=b"x\n"),)


@pytest.fixture
def folder() -> Iterator[Path]:
    with LandlockShell().folder() as made:
        materialise(TREE, made)
        yield made


HELD = {
    "as it was rehearsed": ("echo x > a.txt", None, ""),
    "nothing this time": ("true", "a.txt", "-x\n+a"),
    "other bytes": ("echo y > a.txt", "a.txt", "-x\n+y"),
    "something more": ("echo x > a.txt; echo y > c.txt", "c.txt", "+y"),
    "what may change": ("echo x > a.txt; echo y > b.txt", None, ""),
    "its exit code": ("echo x > a.txt; exit 1", "exit code 1", ""),
}


@pytest.mark.parametrize(("command", "missed", "difference"), HELD.values(), ids=HELD)
def test_a_command_is_held_to_what_was_rehearsed(
    tmp_path: Path, folder: Path, command: str, missed: str | None, difference: str
) -> None:
    then = Trial(ran=Ran(exit_code=0, output=""), made=PLANNED)
    dispatcher = Dispatcher.performing(
        on_own_machine("lee", digest="0" * 64, approval=Approval(everything=True)),
        tools=TOOLS,
        overlay=Overlay(TREE, Ripgrep()),
        disk=Disk(folder, TREE, Ripgrep()),
        commands=Commands(
            shell=LandlockShell(),
            copy=CopiedTree(folder, TREE),
            trials=RecordedTrials({1: (command, then)}),
            may_change=lambda path: path == "b.txt",
        ),
        policies=[Policy()],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    answer = dispatcher.dispatch(call("run_command", command=command))
    assert (answer.missed is None) is (missed is None)
    assert missed is None or missed in (answer.missed or "")
    assert difference in answer.difference
    assert answer.has_strayed is bool(difference)
