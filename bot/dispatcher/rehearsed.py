"""What a rehearsal of one action came to, and the step that is recorded of it."""

from collections.abc import Callable
from dataclasses import replace

from bot.action import storable, with_texts
from bot.dataclass import dataclass
from bot.gate.facts import Facts
from bot.plan import Step
from bot.plan.effect import effect_of
from bot.plan.tried import Tried
from bot.proposal import Proposal, storable_text
from bot.verdict import Outcome, Verdict
from bot.workspace import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """`text` is the tool's answer, `error` why it has none; both None: it was denied."""

    verdict: Verdict
    facts: Facts
    changes: tuple[Change, ...] = ()
    text: str | None = None
    error: str | None = None
    tried: Tried | None = None

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
        action = proposal.action
        step = Step(
            number=number,
            id=action.id,
            tool=action.tool,
            kind=action.kind,
            arguments=dict(action.arguments),
            intent=None if action.intent is None else redact(action.intent),
            description=proposal.description,
            verdict=self.verdict,
            effects=tuple(effect_of(change) for change in self.changes),
            depends_on=self.facts.depends_on,
            conditional_on=conditional_on if self.is_performed else (),
            error=self.error,
            rehearsed=_cleaned(self.tried, redact),
        )
        # What is performed must stay as it is: it adds no secret to a file, or it would have been denied, and
        # where anything in it looks like one the comment doesn't show it, so that it must be named.
        return step if self.is_performed else _redacted(step, redact)


def _cleaned(tried: Tried | None, redact: Callable[[str], str]) -> Tried | None:
    """What a command said is for people to read, and nothing depends on it."""
    if tried is None:
        return None
    output, unconfined = storable_text(redact(tried.output)), tried.unconfined
    return tried.model_copy(
        update={"output": output, "unconfined": None if unconfined is None else redact(unconfined)}
    )


def _redacted(step: Step, redact: Callable[[str], str]) -> Step:
    arguments = with_texts(storable(step.arguments), redact)
    return step.model_copy(
        update={
            "tool": redact(step.tool),
            "arguments": arguments,
            "description": redact(step.description),
            "verdict": replace(step.verdict, reason=redact(step.verdict.reason)),
            "error": None if step.error is None else redact(step.error),
        }
    )
