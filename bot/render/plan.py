"""Plan -> the comment that people read and approve.

What it shows of the steps depends on the record alone, so that apply can work out again what was not shown.
"""

from dataclasses import replace
from typing import Final

from bot import marker
from bot.dataclass import dataclass
from bot.plan import Plan
from bot.render.address import safe_address
from bot.render.budget import Choice, choose
from bot.render.environment import Clean
from bot.render.layout import MOST_UNITS, Rendered, lay_out, slash
from bot.render.own_layout import OwnLayout, own_layout
from bot.render.plan_view import plan_view
from bot.render.size import units


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComment(Rendered):
    """`not_shown` are the numbers of the steps that an approver must name, because the comment cut them."""

    not_shown: tuple[int, ...]


def plan_comment(  # noqa: PLR0913 - all that a plan's comment depends on
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
    redact: Clean | None = None,
) -> PlanComment:
    """`answers` is the comment that asked for it, `run_url` the workflow run, `prefix` as in the config.

    `template` is the text of the repository's own layout; where that can't be used, ours is, and `fault`
    says why. `redact` takes secrets out, and a step that it takes something out of was not wholly shown.
    """
    address = safe_address(run_url)
    lay = _Layout(
        plan=plan,
        marker=_marker(plan, answers=answers, state=state, signature=signature),
        language=language,
        prefix=prefix,
        run_url=address,
        template=template,
        redact=redact,
    )
    choice = choose(plan.outline)
    rendered = lay.out(choice)
    if redact is not None and rendered.is_redacted:
        rendered = lay.out(choice.redacted(redact))
    if embed:
        # With a line end before it and one behind.
        record = marker.embed(plan.to_bytes(), most=MOST_UNITS - units(rendered.body) - 2)
        if record:
            return replace(rendered, body=f"{rendered.body}\n{record}\n")
    return rendered


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """All that a plan's comment is made with, whatever is chosen to be shown."""

    plan: Plan
    marker: str
    language: str
    prefix: str | None
    run_url: str | None
    template: str | None
    redact: Clean | None

    def out(self, choice: Choice) -> PlanComment:
        facts = _facts(self.plan, choice, prefix=self.prefix, run_url=self.run_url)
        links = () if self.run_url is None else (str(self.run_url),)
        why = None
        if self.template is not None:
            own = own_layout(
                self.template,
                choice,
                facts,
                marker=self.marker,
                language=self.language,
                links=links,
                redact=self.redact,
            )
            if isinstance(own, OwnLayout):
                return PlanComment(body=own.body, is_redacted=own.is_redacted, not_shown=own.not_shown)
            why = f"the repository's template can't be used: {own.why}"
        ours = lay_out(
            "plan.md.j2",
            facts,
            language=self.language,
            marker=self.marker,
            bare="plan_bare.md.j2",
            links=links,
            redact=self.redact,
        )
        if ours.fault is None:
            return PlanComment(
                body=ours.body, fault=why, is_redacted=ours.is_redacted, not_shown=choice.not_shown
            )
        return PlanComment(body=ours.body, fault=ours.fault, not_shown=self.plan.outline.performed)


def plan_summary(
    plan: Plan,
    *,
    language: str = "en",
    run_url: str | None = None,
    prefix: str | None = None,
    redact: Clean | None = None,
) -> Rendered:
    """The same for the job's summary, which holds 1 MiB, and for a terminal: no marker, no record."""
    choice = choose(
        plan.outline, folds_budget=_MOST_SUMMARY_UNITS * 3 // 4, rows_budget=_MOST_SUMMARY_UNITS // 8
    )
    address = safe_address(run_url)

    def out(choice: Choice) -> Rendered:
        return lay_out(
            "plan.md.j2",
            _facts(plan, choice, prefix=prefix, run_url=address),
            language=language,
            bare="plan_bare.md.j2",
            links=(address,) if address else (),
            most=_MOST_SUMMARY_UNITS,
            redact=redact,
        )

    rendered = out(choice)
    return out(choice.redacted(redact)) if redact is not None and rendered.is_redacted else rendered


def _facts(plan: Plan, choice: Choice, *, prefix: str | None, run_url: str | None) -> dict[str, object]:
    outline = plan.outline
    asks = [step.number for step in outline.wearing["ask"]]
    return {
        "plan": plan_view(plan),
        "choice": choice,
        "counts": {badge: len(worn) for badge, worn in outline.wearing.items()},
        "totals": outline.totals,
        "asks": asks,
        "not_shown": choice.not_shown,
        "must_name": sorted({*asks, *choice.not_shown}),
        "dependent": outline.dependent,
        "simulated": outline.simulated,
        "rehearsed": outline.rehearsed,
        "conditional": outline.conditional,
        "unaware": outline.unaware,
        "can_apply": bool(outline.performed) and plan.chaos is None,
        "run_url": run_url,
        "slash": slash(prefix),
    }


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


# GitHub takes a summary of 1 MiB; a character takes four bytes at most, and two units then.
_MOST_SUMMARY_UNITS: Final = 250_000
