"""Plan -> the comment that people read and approve.

What it shows of the steps depends on the record alone, so that apply can work out again what was not shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from bot import marker
from bot.plan import Plan, Step
from bot.render.address import safe_address
from bot.render.budget import Choice, choose
from bot.render.layout import MOST_UNITS, Rendered, lay_out, slash
from bot.render.plan_view import plan_view
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
    answers: int | None = None,
    state: str = "open",
    prefix: str | None = None,
) -> PlanComment:
    """`answers` is the comment that asked for it, `run_url` the workflow run, `prefix` as in the config."""
    views = [view(step) for step in plan.steps]
    choice = choose(views)
    address = safe_address(run_url)
    rendered = lay_out(
        "plan.md.j2",
        _facts(plan, views, choice, prefix=prefix, run_url=address),
        language=language,
        marker=_marker(plan, answers=answers, state=state),
        bare="plan_bare.md.j2",
        links=(address,) if address else (),
    )
    body, not_shown = rendered.body, choice.not_shown
    if rendered.fault is not None:
        not_shown = tuple(step.number for step in views if step.is_performed)
    if embed:
        record = "\n" + marker.embed(plan.to_bytes()) + "\n"
        body = body + record if units(body) + len(record) <= MOST_UNITS else body
    return PlanComment(body=body, fault=rendered.fault, not_shown=not_shown)


def plan_summary(
    plan: Plan, *, language: str = "en", run_url: str | None = None, prefix: str | None = None
) -> Rendered:
    """The same for the job's summary, which holds 1 MiB, and for a terminal: no marker, no record."""
    views = [view(step) for step in plan.steps]
    choice = choose(views, folds_budget=_MOST_SUMMARY_UNITS * 3 // 4, rows_budget=_MOST_SUMMARY_UNITS // 8)
    address = safe_address(run_url)
    return lay_out(
        "plan.md.j2",
        _facts(plan, views, choice, prefix=prefix, run_url=address),
        language=language,
        bare="plan_bare.md.j2",
        links=(address,) if address else (),
        most=_MOST_SUMMARY_UNITS,
    )


def steps_not_shown(plan: Plan) -> tuple[int, ...]:
    """The steps whose effect its comment does not wholly show: to apply them, they must be named."""
    return choose([view(step) for step in plan.steps]).not_shown


def _facts(
    plan: Plan, views: Sequence[StepView], choice: Choice, *, prefix: str | None, run_url: str | None
) -> dict[str, object]:
    asks = [step.number for step in views if step.badge == "ask"]
    return {
        "plan": plan_view(plan),
        "choice": choice,
        "counts": {badge: sum(step.badge == badge for step in views) for badge in _BADGES},
        "totals": totals(plan.steps),
        "asks": asks,
        "must_name": sorted({*asks, *choice.not_shown}),
        "dependent": [step.number for step in views if step.depends_on and step.is_performed],
        "can_apply": any(step.is_performed for step in views) and plan.chaos is None,
        "run_url": run_url,
        "digits": Markup(plan.short_digest),  # noqa: S704 - twelve hexadecimal digits
        "slash": slash(prefix),
    }


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


_BADGES: Final = ("allow", "ask", "deny", "failed")
# GitHub takes a summary of 1 MiB; a character takes four bytes at most, and two units then.
_MOST_SUMMARY_UNITS: Final = 250_000
