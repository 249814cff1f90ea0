"""Plan -> one self-contained page: no script, nothing loaded, every word of others escaped by the template.

For reading a plan that is too long for a comment, and for printing one.
"""

from collections.abc import Sequence

from bot.cost import Usage
from bot.dataclass import dataclass
from bot.plan import Plan
from bot.render.environment import pages
from bot.render.plan_view import plan_view
from bot.render.steps import view


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
    return (
        pages(language)
        .get_template("page.html.j2")
        .render(
            plan=plan_view(plan),
            language=language,
            is_live=is_live,
            steps=[view(step) for step in plan.steps],
            counts={badge: len(worn) for badge, worn in plan.outline.wearing.items()},
            totals=plan.outline.totals,
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
