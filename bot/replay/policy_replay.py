"""(Past run, two judges) -> the first action that gets another verdict, and how many do. Pure, free, exact.

As exact as a record can be: what was denied on that day was never rehearsed, so under a policy that allows it
only what the call itself says is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from bot.impact import Change
from bot.replay.result import Result

if TYPE_CHECKING:
    from bot.replay.judge import Judge
    from bot.replay.sight import Sight
    from bot.verdict import Verdict


class Past(Protocol):
    """`sights` are in call order.

    `described` is (tool, one line for people) of the action with this number, counted from 1; `link` is where
    a person finds the run. Both are asked only where something changed.
    """

    @property
    def run_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def sights(self) -> Sequence[Sight]: ...
    def described(self, number: int) -> tuple[str, str]: ...
    def link(self) -> str | None: ...


class PolicyReplay:
    """`before` judges as things were; None: the verdicts that were recorded."""

    def __init__(self, *, before: Judge | None, after: Judge, fallback: Judge) -> None:
        self._before: Final = before
        self._after: Final = after
        self._fallback: Final = fallback

    def result(self, past: Past) -> Result:
        """Runs without recorded verdicts are judged by `fallback` for what they were."""
        before = self._before
        if before is None and any(sight.look.verdict is None for sight in past.sights):
            before = self._fallback
        first: tuple[int, Verdict, Verdict] | None = None
        changed = unjudged = 0
        self._after.begin()
        if before is not None:
            before.begin()
        for number, sight in enumerate(past.sights, 1):
            was = sight.look.verdict if before is None else before.verdict(sight)
            now = self._after.verdict(sight)
            if sight.is_redacted:
                # Stars stand in it for a secret, and may be judged otherwise.
                unjudged += 1
                continue
            assert was is not None  # noqa: S101 - the fallback judges where there is none
            if was.outcome is not now.outcome:
                changed += 1
                first = first or (number, was, now)
        change = None if first is None else _change(past, *first, more=changed - 1)
        return Result(run=past.run_id, change=change, unjudged=unjudged)


def _change(past: Past, number: int, was: Verdict, now: Verdict, *, more: int) -> Change:
    sight = past.sights[number - 1]
    tool, about = past.described(number)
    unknown = "" if sight.look.is_rehearsed else " It was never rehearsed, so what it would do is not known."
    return Change(
        run=past.run_id,
        name=past.name,
        link=past.link(),
        action=number,
        tool=tool,
        about=about,
        what=f"{was.outcome.value}→{now.outcome.value}",
        before=f"{was.reason} ({was.rule})",
        after=f"{now.reason} ({now.rule}, {now.source}){unknown}",
        more=more,
    )
