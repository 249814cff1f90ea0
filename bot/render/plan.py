"""Plan -> the comment that people read and approve.

What it shows of the steps depends on the record alone, so that apply can work out again what was not shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot import marker
from bot.gate import Outcome
from bot.plan import Plan, Step
from bot.render.address import safe_address
from bot.render.budget import Choice, choose
from bot.render.layout import MOST_UNITS, Rendered, lay_out
from bot.render.size import units
from bot.render.steps import StepView, view


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComment(Rendered):
    """`not_shown` are the numbers of the steps that an approver must name, because the comment cut them."""

    not_shown: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What applying would come to, all steps together."""

    created: int
    edited: int
    deleted: int
    commands: int
    added: int
    removed: int

    @property
    def files(self) -> int:
        return self.created + self.edited + self.deleted


def plan_comment(
    plan: Plan,
    *,
    language: str = "en",
    embed: bool = True,
    run_url: str | None = None,
    prefix: str | None = None,
    answers: int | None = None,
    state: str = "open",
) -> PlanComment:
    """`answers` is the comment that asked for it, `run_url` the workflow run, `prefix` as in the config."""
    views = [view(step) for step in plan.steps]
    choice = choose(views)
    address = safe_address(run_url)
    rendered = lay_out(
        "plan.md.j2",
        language=language,
        marker=_marker(plan, answers=answers, state=state),
        bare="plan_bare.md.j2",
        links=(address,) if address else (),
        plan=plan,
        run_url=address,
        slash=f"/{prefix} " if prefix else "/",
        choice=choice,
        counts={outcome: _count(views, outcome) for outcome in ("allow", "ask", "deny", "failed")},
        totals=totals(plan.steps),
        must_name=_must_name(views, choice),
        dependent=tuple(step for step in views if step.depends_on and step.is_performed),
        can_apply=any(step.is_performed for step in views) and plan.chaos is None,
    )
    not_shown = choice.not_shown
    if rendered.fault is not None:
        not_shown = tuple(step.number for step in views if step.is_performed)
    body = rendered.body
    if embed:
        record = "\n" + marker.embed(plan.to_bytes()) + "\n"
        body = body + record if units(body) + len(record) <= MOST_UNITS else body
    return PlanComment(body=body, fault=rendered.fault, not_shown=not_shown)


def steps_not_shown(plan: Plan) -> tuple[int, ...]:
    """The steps whose effect its comment does not wholly show: to apply them, they must be named."""
    return choose([view(step) for step in plan.steps]).not_shown


def totals(steps: Sequence[Step]) -> Totals:
    """Counted by what becomes of each path in the end: a file made and taken away again is no change."""
    first: dict[str, str | None] = {}
    last: dict[str, str | None] = {}
    performed = [step for step in steps if step.is_performed]
    for effect in (effect for step in performed for effect in step.effects):
        first.setdefault(effect.path, effect.blob_before)
        last[effect.path] = effect.blob_after
    views = [view(step) for step in performed]
    return Totals(
        created=sum(first[path] is None and blob is not None for path, blob in last.items()),
        edited=sum(first[path] is not None and blob is not None for path, blob in last.items()),
        deleted=sum(first[path] is not None and blob is None for path, blob in last.items()),
        commands=sum(not step.files for step in views),
        added=sum(step.added for step in views),
        removed=sum(step.removed for step in views),
    )


def _marker(plan: Plan, *, answers: int | None, state: str) -> str:
    return marker.write(
        marker.Marker(
            kind="plan",
            task=plan.task.name,
            digest=plan.digest,
            answers=answers,
            state=state,
            version=plan.bot_version,
        )
    )


def _count(views: Sequence[StepView], badge: str) -> int:
    return sum(step.badge == badge for step in views)


def _must_name(views: Sequence[StepView], choice: Choice) -> tuple[int, ...]:
    asks = {step.number for step in views if step.badge == _ASK}
    return tuple(sorted(asks.union(choice.not_shown)))


_ASK: Final = Outcome.ASK.value
