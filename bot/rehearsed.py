"""What a rehearsal of one action came to, and the step that is recorded of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.action import with_texts
from bot.effect import effect_of
from bot.facts import Facts
from bot.gate import Outcome, Verdict
from bot.plan import Step
from bot.proposal import Proposal
from bot.workspace import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """`text` is the tool's answer, `error` why it has none; both None: it was denied."""

    verdict: Verdict
    facts: Facts
    changes: tuple[Change, ...] = ()
    text: str | None = None
    error: str | None = None

    @property
    def is_performed(self) -> bool:
        """Whether an apply would carry it out."""
        return self.error is None and self.verdict.outcome is not Outcome.DENY

    def step(
        self,
        number: int,
        proposal: Proposal,
        *,
        conditional_on: tuple[int, ...],
        redact: Callable[[str], str],
    ) -> Step:
        """`redact` takes the secrets out of what is not performed."""
        action, error = proposal.action, self.error
        # What is performed holds no secret, or it would have been denied; and it must stay as it is.
        shown = str if self.is_performed else redact
        return Step(
            number=number,
            id=action.id,
            tool=shown(action.tool),
            kind=action.kind,
            arguments={shown(name): with_texts(value, shown) for name, value in action.arguments.items()},
            intent=None if action.intent is None else redact(action.intent),
            description=shown(proposal.description),
            verdict=replace(self.verdict, reason=shown(self.verdict.reason)),
            effects=tuple(effect_of(change) for change in self.changes),
            depends_on=self.facts.depends_on,
            conditional_on=conditional_on if self.is_performed else (),
            error=None if error is None else shown(error),
        )
