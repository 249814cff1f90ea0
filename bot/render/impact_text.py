"""Impact -> plain lines for a terminal or a log: the most frequent kind of change first, with links."""

from collections.abc import Iterator

from bot.impact import Change, Impact
from bot.words.sanitise import for_log


def impact_text(impact: Impact, *, most: int = 1_000) -> str:
    """`most` changes are shown; the JSON report has all. No word in it is obeyed by a terminal."""
    return "\n".join(_lines(impact, most)) + "\n"


def _lines(impact: Impact, most: int) -> Iterator[str]:
    yield f"{impact.kind} replay: {impact.headline}"
    for name, value in impact.subject.items():
        yield f"  {for_log(name)}: {for_log(value)}"
    if impact.spent.calls:
        usd = impact.spent.usd
        cost = "at an unknown price" if usd is None else f"${usd}"
        yield f"  asked: {impact.spent.calls:,} calls, {impact.spent.tokens:,} tokens, {cost}"
    shown = 0
    for group in impact.groups:
        yield ""
        yield f"{for_log(group.what)}: {group.runs}"
        for change in impact.changes:
            if change.what == group.what and shown < most:
                shown += 1
                yield from _change(change)
    if shown < impact.changed:
        yield ""
        yield f"({impact.changed - shown} more; --report json has them all)"
    if impact.refused or impact.left_out:
        yield ""
    for refused in impact.refused:
        yield f"not read: {for_log(refused.why)}"
    for why, number in impact.left_out.items():
        yield f"left out: {number} {for_log(why)}"


def _change(change: Change) -> Iterator[str]:
    more = f" (and {change.more} more)" if change.more else ""
    yield f"  {for_log(change.name)}, action {change.action}{more}: {for_log(change.about)}"
    yield f"    before: {for_log(change.before)}"
    yield f"    after:  {for_log(change.after)}"
    if change.link:
        yield f"    {for_log(change.link)}"
