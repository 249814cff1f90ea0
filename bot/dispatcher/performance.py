"""What performing needs beyond rehearsing: a leave, real files, a shell; in a terminal, a person to ask."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.authority import MayApply
from bot.dispatcher.bench import Bench
from bot.gate import Outcome
from bot.plan import Step
from bot.workspace.disk import Disk
from bot.world import Beyond, Person, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """`person` agrees to each step as it comes; what is carried out on `bench` is then seen by the reads.

    `advise` is the second model's word on it, before the person is asked; it can only make them be asked.
    """

    person: Person
    bench: Bench
    advise: Callable[[Step], Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """`leave` is a person's, given beforehand; `live` is None where there is nobody to ask.

    `disk` is None after the commit, when no file is changed any more; only then is there anything `beyond`.
    """

    leave: MayApply
    disk: Disk | None
    shell: Shell | None = None
    beyond: Beyond | None = None
    live: Live | None = None

    def is_agreed(self, step: Step) -> bool:
        if self.live is not None:
            return self.live.person.agrees(step)
        return step.verdict.outcome is not Outcome.ASK or self.leave.approves(step.number)
