from bot.config import DEFAULT
from bot.config.example import verdict_on, wrong_examples
from bot.gate.policy import CommandRule, CommandRules, Policy
from bot.verdict import Outcome


def test_examples_are_judged_by_the_whole_policy() -> None:
    policy = Policy(
        commands=CommandRules(
            allow=(
                CommandRule(argv=("ls", "**"), match=("ls -a", "ls .env"), not_match=("ls $x", "ls b")),
                CommandRule(argv=("sed", "**"), match=("sed -n p a",)),
            ),
            deny=(CommandRule(argv=("git", "push"), match=("env git push",), not_match=("git push",)),),
        )
    )
    wrong = [(one.place, one.command, one.expected, one.verdict.outcome) for one in wrong_examples(policy)]
    assert wrong == [
        (("commands", "allow", 0, "match", 1), "ls .env", "allow", Outcome.DENY),
        (("commands", "allow", 0, "not_match", 1), "ls b", "not allow", Outcome.ALLOW),
        (("commands", "allow", 1, "match", 0), "sed -n p a", "allow", Outcome.ASK),
        (("commands", "deny", 0, "not_match", 0), "git push", "not deny", Outcome.DENY),
    ]


def test_a_policy_without_examples_has_no_wrong_ones() -> None:
    assert list(wrong_examples(DEFAULT.policy)) == []
    assert verdict_on("ls", DEFAULT.policy).rule == "default-command"
