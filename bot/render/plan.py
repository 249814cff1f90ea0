"""Plan -> the comment that people read and approve.

What it shows of the steps depends on the record alone, so that apply can work out again what was not shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import marker
from bot.action import Kind
from bot.plan import Plan, Step
from bot.render.address import safe_address
from bot.render.budget import Choice, choose
from bot.render.layout import MOST_UNITS, Rendered, lay_out, slash
from bot.render.own_layout import OwnLayout, own_layout
from bot.render.plan_view import plan_view
from bot.render.size import units
from bot.render.steps import StepView, Verb, view


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
    template: str | None = None,
    signature: str | None = None,
) -> PlanComment:
    """`answers` is the comment that asked for it, `run_url` the workflow run, `prefix` as in the config.

    `template` is the text of the repository's own layout; where that can't be used, ours is, and `fault`
    says why.
    """
    views = [view(step) for step in plan.steps]
    choice = choose(views)
    facts = _facts(plan, views, choice, prefix=prefix, run_url=safe_address(run_url))
    first = _marker(plan, answers=answers, state=state, signature=signature)
    rendered = _rendered(views, choice, facts, marker=first, language=language, template=template)
    if embed:
        record = "\n" + marker.embed(plan.to_bytes()) + "\n"
        if units(rendered.body) + len(record) <= MOST_UNITS:
            return replace(rendered, body=rendered.body + record)
    return rendered


def _rendered(
    views: Sequence[StepView],
    choice: Choice,
    facts: Mapping[str, object],
    *,
    marker: str,
    language: str,
    template: str | None,
) -> PlanComment:
    links = (str(facts["run_url"]),) if facts["run_url"] else ()
    why = None
    if template is not None:
        own = own_layout(template, choice, facts, marker=marker, language=language, links=links)
        if isinstance(own, OwnLayout):
            return PlanComment(body=own.body, not_shown=own.not_shown)
        why = f"the repository's template can't be used: {own.why}"
    ours = lay_out("plan.md.j2", facts, language=language, marker=marker, bare="plan_bare.md.j2", links=links)
    if ours.fault is None:
        return PlanComment(body=ours.body, fault=why, not_shown=choice.not_shown)
    performed = tuple(step.number for step in views if step.is_performed)
    return PlanComment(body=ours.body, fault=ours.fault, not_shown=performed)


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
    performed = [step for step in plan.steps if step.is_performed]
    # They reach beyond the files, so the agent was never told what came of them.
    outside = [step for step in performed if step.kind is Kind.EXTERNAL]
    simulated = [step.number for step in outside if step.rehearsed is None]
    return {
        "plan": plan_view(plan),
        "choice": choice,
        "counts": {badge: sum(step.badge == badge for step in views) for badge in _BADGES},
        "totals": totals(plan.steps, views),
        "asks": asks,
        "not_shown": choice.not_shown,
        "must_name": sorted({*asks, *choice.not_shown}),
        "dependent": [step.number for step in views if step.depends_on and step.is_performed],
        "simulated": simulated,
        "rehearsed": [step.number for step in plan.steps if step.rehearsed is not None],
        "conditional": [step.number for step in views if step.conditional_on],
        "unaware": [step.number for step in performed if simulated and step.number > simulated[0]],
        "can_apply": any(step.is_performed for step in views) and plan.chaos is None,
        "run_url": run_url,
        "slash": slash(prefix),
    }


def totals(steps: Sequence[Step], views: Sequence[StepView]) -> Totals:
    """Counted by what becomes of each path in the end: a file made and taken away again is no change.

    `views` are those of the steps.
    """
    first: dict[str, str | None] = {}
    last: dict[str, str | None] = {}
    performed = [step for step in steps if step.is_performed]
    for effect in (effect for step in performed for effect in step.effects):
        first.setdefault(effect.path, effect.blob_before)
        last[effect.path] = effect.blob_after
    performed_views = [step for step in views if step.is_performed]
    return Totals(
        created=sum(first[path] is None and blob is not None for path, blob in last.items()),
        edited=sum(first[path] is not None and blob is not None for path, blob in last.items()),
        deleted=sum(first[path] is not None and blob is None for path, blob in last.items()),
        commands=sum(not step.files or step.verb is Verb.RUN for step in performed_views),
        added=sum(step.added for step in performed_views),
        removed=sum(step.removed for step in performed_views),
    )


def _marker(plan: Plan, *, answers: int | None, state: str, signature: str | None) -> str:
    return marker.write(
        marker.Marker(
            kind="plan",
            task=plan.task.name,
            digest=plan.digest,
            answers=answers,
            state=state,
            version=plan.bot_version,
            signature=signature,
        )
    )


_BADGES: Final = ("allow", "ask", "deny", "failed")
# GitHub takes a summary of 1 MiB; a character takes four bytes at most, and two units then.
_MOST_SUMMARY_UNITS: Final = 250_000
