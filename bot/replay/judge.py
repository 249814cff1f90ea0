"""A set of policies on the actions of one run after the other: the gate's verdicts, as a dry run got them."""

from collections.abc import Sequence
from itertools import count
from typing import Final

from bot.action import Kind
from bot.gate import Outcome, Verdict, is_over_a_limit, judge, strictest
from bot.gate.facts import Earlier, Facts, Seen, facts_after
from bot.gate.policy import Policy
from bot.noted.look import Look
from bot.replay.sight import Sight

_NUMBERS: Final = count()


class Judge:
    """`begin` before each run. What the gate finds of equal actions is found once."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies: Final = tuple(policies)
        self._number: Final = next(_NUMBERS)
        self._earlier = Earlier()
        self._steps = 0

    def begin(self) -> None:
        self._earlier = Earlier()
        self._steps = 0

    def verdict(self, sight: Sight) -> Verdict:
        look = sight.look
        known = sight.known.get(self._number)
        if known is None:
            verdict, seen, facts = self._judged(look)
            if not self._depends_on_the_plan(look, facts):
                sight.known[self._number] = (verdict, seen)
        else:
            verdict, seen = known
            facts = facts_after(self._earlier, seen)
            if self._depends_on_the_plan(look, facts):
                verdict, _, facts = self._judged(look)
        if look.kind is not Kind.READ:
            self._steps += 1
            is_denied = verdict.outcome is Outcome.DENY
            changed = () if is_denied else [effect.path for effect in look.effects]
            self._earlier = self._earlier.with_step(self._steps, facts.size, changed)
        return verdict

    def _depends_on_the_plan(self, look: Look, facts: Facts) -> bool:
        """Whether the steps before this one have a say in its verdict."""
        return bool(facts.runs) or any(
            is_over_a_limit(look.action, facts, policy) for policy in self._policies
        )

    def _judged(self, look: Look) -> tuple[Verdict, Seen, Facts]:
        """The verdict, and what it was given on."""
        after = facts_after(self._earlier, look.after)
        verdict = self._strictest(look, after)
        if verdict.outcome is Outcome.DENY and look.after is not look.before:
            # What is denied at first sight isn't rehearsed, and what it would have done is no reason then.
            before = facts_after(self._earlier, look.before)
            at_first = self._strictest(look, before)
            if at_first.outcome is Outcome.DENY:
                return at_first, look.before, before
        return verdict, look.after, after

    def _strictest(self, look: Look, facts: Facts) -> Verdict:
        return strictest(judge(look.action, facts, policy) for policy in self._policies)
