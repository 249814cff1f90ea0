"""What performing needs beyond rehearsing: a leave, real files, a shell; in a terminal, a person to ask."""

from collections.abc import Callable

from bot.authority import MayApply
from bot.dataclass import dataclass
from bot.dispatcher.bench import Bench
from bot.noted.trials import Trials
from bot.plan import Step
from bot.verdict import Outcome
from bot.workspace.copied import CopiedTree
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
class Commands:
    """How commands are run on the files of a disk. `trials` are what came of them when the plan was made.

    `copy` watches what they do to the files, and `may_change` says of a path that they may change it,
    whatever the plan says.
    """

    shell: Shell
    copy: CopiedTree
    trials: Trials
    may_change: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """`leave` is a person's, given beforehand; `live` is None where there is nobody to ask.

    `disk` is None after the commit, when no file is changed any more; only then is there anything `beyond`.
    """

    leave: MayApply
    disk: Disk | None
    commands: Commands | None = None
    beyond: Beyond | None = None
    live: Live | None = None

    @property
    def shell(self) -> Shell | None:
        if self.live is not None:
            return self.live.bench
        return None if self.commands is None else self.commands.shell

    def is_agreed(self, step: Step) -> bool:
        if self.live is not None:
            return self.live.person.agrees(step)
        return step.verdict.outcome is not Outcome.ASK or self.leave.approves(step.number)

    def is_named(self, step: Step | None) -> bool:
        """Whether the approver has named this very step."""
        return step is not None and self.leave.approves(step.number)
