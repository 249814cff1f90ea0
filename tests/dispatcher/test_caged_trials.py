"""A command is tried on a copy; one that changes files twice, and one that fails leaves nothing."""

from collections.abc import Iterator

import pytest
from fakes import MemoryTree

from bot.dispatcher.caged_trials import CagedTrials, OneTrial
from bot.errors import ToolFailed
from bot.outside.checkout import materialise
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.workspace.copied import CopiedTree
from bot.workspace.overlay import Overlay

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)
TREE = MemoryTree({"a.txt": "a\n", "b.txt": "b\n"})


@pytest.fixture
def trials() -> Iterator[CagedTrials]:
    shell = LandlockShell()
    with shell.folder() as folder:
        yield CagedTrials(copy=CopiedTree(folder, TREE, materialise=materialise), shell=shell)


@pytest.fixture
def overlay() -> Overlay:
    return Overlay(TREE, Ripgrep())


TRIALS = {
    "nothing": ("cat a.txt", 0, [], ()),
    "a change": ("echo x >> a.txt", 0, ["a.txt"], ()),
    "a deletion": ("rm a.txt", 0, ["a.txt"], ()),
    "a failure": ("echo x > a.txt; exit 3", 3, [], ()),
    "something of the moment": ("date +%N > t; echo same > s", 0, ["s", "t"], ("t",)),
}


@pytest.mark.parametrize(("command", "code", "made", "unsteady"), TRIALS.values(), ids=TRIALS)
def test_a_trial_tells_what_came_of_it(
    trials: CagedTrials,
    overlay: Overlay,
    command: str,
    code: int,
    made: list[str],
    unsteady: tuple[str, ...],
) -> None:
    trial = trials.of(1, command, overlay=overlay, timeout_s=20)
    assert trial.ran.exit_code == code
    assert [one.path for one in trial.made] == made
    assert trial.unsteady == unsteady
    # Nothing was taken over, so the next one starts where this one did.
    again = trials.of(2, "cat a.txt b.txt; ls", overlay=overlay, timeout_s=20)
    assert again.ran.output == "a\nb\na.txt\nb.txt\n"


def test_one_call_makes_the_overlay_what_its_command_made(trials: CagedTrials, overlay: Overlay) -> None:
    one = OneTrial(trials=trials, step=1, overlay=overlay)
    with pytest.raises(ToolFailed):
        one.folder()
    assert one.run("echo x > n", folder=trials.copy.folder, timeout_s=20).exit_code == 0
    assert overlay.read("n") == b"x\n"
    assert one.lenient() is one
