"""A command rule's own examples -> those that the policy as a whole judges otherwise than they say.

The final verdict counts, not the one rule's: an example that a limit, a denied path or the table of programs
overrides is no example of what is allowed.
"""

from collections.abc import Iterator
from typing import Final

from bot.action import Action, Kind
from bot.dataclass import dataclass
from bot.gate import judge
from bot.gate.facts import Earlier, facts_of
from bot.gate.policy import CommandRule, Policy
from bot.sentence import Sentence
from bot.verdict import Outcome, Verdict
from bot.workspace.empty_tree import EMPTY_TREE


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongExample:
    """`place` is relative to `policy:`; `verdict` is what the command really gets."""

    place: tuple[str | int, ...]
    command: str
    expected: str
    verdict: Verdict


def wrong_examples(policy: Policy) -> Iterator[WrongExample]:
    for name, rules, outcome in (
        ("allow", policy.commands.allow, Outcome.ALLOW),
        ("deny", policy.commands.deny, Outcome.DENY),
    ):
        for number, rule in enumerate(rules):
            yield from _wrong(rule, ("commands", name, number), outcome, policy)


def verdict_on(command: str, policy: Policy) -> Verdict:
    """Of a command as the first step of a plan, in a repository without files."""
    action = Action(tool="run_command", kind=Kind.EXTERNAL, arguments={"command": command})
    facts = facts_of(action, touches=(), command=command, tree=EMPTY_TREE, earlier=_NOTHING_EARLIER)
    return judge(action, facts, policy)


def _wrong(
    rule: CommandRule, place: tuple[str | int, ...], outcome: Outcome, policy: Policy
) -> Iterator[WrongExample]:
    for key, commands, is_wanted in (("match", rule.match, True), ("not_match", rule.not_match, False)):
        for number, command in enumerate(commands):
            verdict = verdict_on(command, policy)
            if (verdict.outcome is outcome) is not is_wanted:
                yield WrongExample(
                    place=(*place, key, number),
                    command=command,
                    expected=outcome.value if is_wanted else Sentence("not %(value)s", value=outcome.value),
                    verdict=verdict,
                )


_NOTHING_EARLIER: Final = Earlier()
