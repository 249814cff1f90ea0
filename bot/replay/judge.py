"""A set of policies on the actions of one run after the other: the gate's verdicts, as a dry run got them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

from bot.action import Kind
from bot.gate import Standing, in_plan, standing, strictest
from bot.gate.facts import How, Seen, Size, runs_in
from bot.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from bot.gate.policy import Policy
    from bot.noted.look import Look
    from bot.replay.sight import Sight

_NUMBERS: Final = count()
_CHANGES: Final = frozenset({How.WRITE, How.DELETE})


class View:
    """What is found once of equal actions, from what was seen of them at one time."""

    __slots__ = (
        "added_lines",
        "alone",
        "changed",
        "is_command",
        "is_step",
        "largest_bytes",
        "seen",
        "verdict",
    )

    def __init__(self, look: Look, seen: Seen, policies: Sequence[Policy]) -> None:
        self.seen: Final = seen
        self.alone: Final[Sequence[Standing]] = [standing(look.action, seen, policy) for policy in policies]
        self.verdict: Final = strictest(one.verdict for one in self.alone)
        self.is_step: Final = seen.kind is not Kind.READ
        self.is_command: Final = seen.command is not None
        self.changed: Final = frozenset(one.path.normal for one in seen.touched if one.how in _CHANGES)
        self.added_lines: Final = seen.content.added_lines
        self.largest_bytes: Final = seen.content.largest_bytes


class Known:
    """Of one action, as the policies of one judge see it."""

    __slots__ = ("_before", "_look", "_policies", "after", "effects")

    def __init__(self, look: Look, policies: Sequence[Policy]) -> None:
        self._look: Final = look
        self._policies: Final = policies
        self._before: View | None = None
        self.after: Final = View(look, look.after, policies)
        self.effects: Final = tuple(effect.path for effect in look.effects)

    @property
    def before(self) -> View | None:
        """Before the rehearsal; None where that showed nothing new. Seldom asked for."""
        if self._before is None and self._look.after is not self._look.before:
            self._before = View(self._look, self._look.before, self._policies)
        return self._before


class Judge:
    """`begin` before each run. What the gate finds of equal actions is found once."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies: Final = tuple(policies)
        self._number: Final = next(_NUMBERS)
        limits = [policy.limits for policy in self._policies]
        self._most: Final = Size(
            actions=min(one.actions for one in limits),
            files=min(one.files for one in limits),
            added_lines=min(one.added_lines for one in limits),
            commands=min(one.commands for one in limits),
        )
        self._most_bytes: Final = min(one.file_bytes for one in limits)
        self.begin()

    def begin(self) -> None:
        self._actions = self._added_lines = self._commands = 0
        self._wrote: dict[str, tuple[int, ...]] = {}

    def verdict(self, sight: Sight) -> Verdict:
        known = sight.known.get(self._number)
        if known is None:
            known = sight.known[self._number] = Known(sight.look, self._policies)
        view = known.after
        verdict = self._in_plan(view)
        if verdict.outcome is Outcome.DENY and (before := known.before) is not None:
            # What is denied at first sight isn't rehearsed, and what it would have done is no reason then.
            at_first = self._in_plan(before)
            if at_first.outcome is Outcome.DENY:
                view, verdict = before, at_first
        if view.is_step:
            self._add(view, () if verdict.outcome is Outcome.DENY else known.effects)
        return verdict

    def _in_plan(self, view: View) -> Verdict:
        """With what the plan holds, if that has a say; it seldom has."""
        command = view.seen.command
        runs = runs_in(command, self._wrote) if command is not None and self._wrote else ()
        if not runs and not self._is_over_a_limit(view):
            return view.verdict
        size = self._size(view)
        return strictest(
            in_plan(alone, view.seen, policy, size=size, runs=runs)
            for alone, policy in zip(view.alone, self._policies, strict=True)
        )

    def _is_over_a_limit(self, view: View) -> bool:
        """Of the strictest policy: so most actions need no look at any."""
        most = self._most
        return view.is_step and (
            self._actions >= most.actions
            or self._commands + view.is_command > most.commands
            or self._added_lines + view.added_lines > most.added_lines
            or view.largest_bytes > self._most_bytes
            or len(self._wrote) + len(view.changed.difference(self._wrote)) > most.files
        )

    def _size(self, view: View) -> Size:
        """As `facts` works it out."""
        return Size(
            actions=self._actions + 1,
            files=len(self._wrote) + len(view.changed.difference(self._wrote)),
            added_lines=self._added_lines + view.added_lines,
            commands=self._commands + view.is_command,
        )

    def _add(self, view: View, effects: Sequence[str]) -> None:
        self._actions += 1
        self._added_lines += view.added_lines
        self._commands += view.is_command
        for path in effects:
            self._wrote[path] = (*self._wrote.get(path, ()), self._actions)
