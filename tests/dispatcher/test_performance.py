"""Who has agreed to a step: whoever gave leave for it beforehand, or the person who is asked now."""

from pathlib import Path
from typing import cast

import pytest
from fakes import MemoryTree, NoShell
from own_home import Agreeing
from render.samples import command, create

from bot.authority import on_own_machine
from bot.command import Approval
from bot.dispatcher.bench import Bench
from bot.dispatcher.performance import Live, Performance
from bot.outside.checkout import materialise
from bot.outside.search import Ripgrep
from bot.plan import Step
from bot.workspace.disk import Disk

AGREED = {
    "what is allowed": (create(1), Approval(), True),
    "what asks and was not named": (command(2), Approval(steps=frozenset({1})), False),
    "what asks and was named": (command(2), Approval(steps=frozenset({2})), True),
    "what asks, with leave for all": (command(2), Approval(everything=True), True),
}


@pytest.mark.parametrize(("step", "approval", "is_agreed"), AGREED.values(), ids=AGREED)
def test_leave_was_given_beforehand(step: Step, approval: Approval, *, is_agreed: bool) -> None:
    leave = on_own_machine("maja", digest="", approval=approval)
    disk = Disk(Path(), MemoryTree({}), Ripgrep())
    assert Performance(leave=leave, disk=disk).is_agreed(step) is is_agreed


@pytest.mark.parametrize("step", [create(1), command(2)])
@pytest.mark.parametrize("is_agreed", [True, False])
def test_a_person_who_is_there_is_asked_whatever_leave_they_gave(step: Step, *, is_agreed: bool) -> None:
    leave = on_own_machine("maja", digest="", approval=Approval(everything=True))
    disk = Disk(Path(), MemoryTree({}), Ripgrep())
    person = Agreeing(but=() if is_agreed else (1, 2))
    bench = Bench(
        disk=disk,
        tree=MemoryTree({}),
        is_hidden=lambda _: False,
        shell=NoShell(),
        materialise=materialise,
    )
    live = Live(person=person, bench=bench, advise=lambda one: cast(Step, one))
    assert Performance(leave=leave, disk=disk, live=live).is_agreed(step) is is_agreed
    assert person.asked == [step]
