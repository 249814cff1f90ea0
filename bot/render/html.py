"""Plan -> one self-contained page: no script, nothing loaded, every word of others escaped by the template.

For reading a plan that is too long for a comment, and for printing one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bot.cost import Usage
from bot.plan import Plan
from bot.render.language import catalogue
from bot.render.plan import totals
from bot.render.plan_view import plan_view
from bot.render.sentence import translated
from bot.render.side_by_side import rows_of
from bot.render.size import listed, usd
from bot.render.steps import view
from bot.words.sanitise import for_people

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One model call in the chart: heights in hundredths of the tallest."""

    number: int
    tokens_in: int
    tokens_out: int
    height_in: int
    height_out: int


def page(plan: Plan, *, turns: Sequence[Usage] = (), language: str = "en", is_live: bool = False) -> str:
    """`turns` are the usage of each model call, from the transcript; without them there is no chart.

    `is_live`: the record is of what was carried out.
    """
    steps = [view(step) for step in plan.steps]
    badges = ("allow", "ask", "deny", "failed")
    return (
        _environment(language)
        .get_template("page.html.j2")
        .render(
            plan=plan_view(plan),
            language=language,
            is_live=is_live,
            steps=steps,
            counts={badge: sum(step.badge == badge for step in steps) for badge in badges},
            totals=totals(plan.steps, steps),
            bars=_bars(turns),
        )
    )


def _bars(turns: Sequence[Usage]) -> tuple[Bar, ...]:
    tallest = max((turn.tokens for turn in turns), default=0) or 1
    return tuple(
        Bar(
            number=number,
            tokens_in=turn.input_tokens,
            tokens_out=turn.output_tokens,
            height_in=turn.input_tokens * 100 // tallest,
            height_out=turn.output_tokens * 100 // tallest,
        )
        for number, turn in enumerate(turns, 1)
    )


@cache
def _environment(language: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bot"),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    words = catalogue(language)
    environment.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.filters |= {"shown": for_people, "rows": rows_of, "usd": usd, "listed": listed}
    environment.filters["spoken"] = lambda text: translated(text, language)
    return environment
