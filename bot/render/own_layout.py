"""A plan in the repository's own layout, checked like ours, and which steps it left unshown.

A layout that leaves out a diff is a maintainer's choice; then the step must be named to be applied.
"""

from collections.abc import Mapping

from bot.dataclass import dataclass
from bot.render.budget import Choice, Fold
from bot.render.environment import Clean
from bot.render.inert import fenced
from bot.render.layout import MOST_UNITS
from bot.render.live import faults
from bot.render.own_template import Unusable, fill_own
from bot.render.size import units


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLayout:
    """`not_shown` are the steps that an approver must name; `is_redacted` as in `Rendered`."""

    body: str
    not_shown: tuple[int, ...]
    is_redacted: bool


def own_layout(
    template: str,
    choice: Choice,
    facts: Mapping[str, object],
    *,
    marker: str,
    language: str,
    links: tuple[str, ...],
    redact: Clean | None,
) -> OwnLayout | Unusable:
    """Filled again where a filling shows that more steps must be named: the line to reply names them."""
    not_shown, clean = choice.not_shown, None
    while True:
        told = {**facts, "must_name": sorted({*_asks(facts), *not_shown}), "not_shown": not_shown}
        text = fill_own(template, told, language=language, most=MOST_UNITS, clean=clean)
        if isinstance(text, Unusable):
            return text
        body = f"{marker}\n\n{text}"
        if redact is not None and redact(body) != body:
            if clean is not None:
                return Unusable(why="it makes what looks like a secret of words that are none")
            clean = redact
            continue
        found = faults(body, links=links)
        if found or units(body) > MOST_UNITS:
            return Unusable(why="; ".join(found) or f"it makes more than {MOST_UNITS:,} characters")
        missing = tuple(fold.step.number for fold in choice.folds if not _is_shown(fold, body))
        now = tuple(sorted({*not_shown, *missing}))
        if now == not_shown:
            return OwnLayout(body=body, not_shown=not_shown, is_redacted=clean is not None)
        not_shown = now


def _is_shown(fold: Fold, body: str) -> bool:
    if not fold.step.is_performed:
        return True
    blocks = (fenced(block.text, "diff" if block.file else "text") for block in fold.blocks if block.text)
    return all(f"\n{block}\n" in body for block in blocks)


def _asks(facts: Mapping[str, object]) -> tuple[int, ...]:
    asks = facts["asks"]
    return tuple(asks) if isinstance(asks, list | tuple) else ()
