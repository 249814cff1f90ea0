"""What a pull request would make of the rules: compared, and nothing fetched that it names."""

import pytest
from recorded import POLICY, config_of, situation_of

from bot.config import Config, read_config
from bot.errors import BadConfig
from bot.situation.proposed_rules import proposed_rules
from bot.situation.rules import Rules

EXTENDS = b"extends: acme/.github:dryrun-bot.yml@main\n"


def _rules(config: Config) -> Rules:
    return situation_of(config).rules


CASES: dict[str, tuple[bytes, bytes | None, bool, bool]] = {
    "nothing": (POLICY, POLICY, False, False),
    "a comment": (POLICY, b"# words\n" + POLICY, False, False),
    "the language": (POLICY, POLICY + b"language: es\n", False, False),
    "a path": (POLICY, POLICY.replace(b"docs/policies/**", b"docs/**"), True, False),
    "a prompt": (POLICY, POLICY + b"tasks: {tidy: {prompt: Tidy up.}}\n", False, True),
    "the model": (POLICY, POLICY.replace(b"scripted-model", b"gpt-5.4"), False, True),
    "everything": (POLICY, b"tasks: {tidy: {prompt: Tidy up.}}\n", True, True),
    "the file is taken away": (POLICY, None, True, True),
}


@pytest.mark.parametrize(("now", "then", "policy", "decisions"), CASES.values(), ids=CASES)
def test_what_is_changed_is_told_apart(now: bytes, then: bytes | None, policy: bool, decisions: bool) -> None:  # noqa: FBT001
    rules = _rules(config_of(now))
    proposed = proposed_rules(then, rules)
    assert (proposed.changes_policy(rules), proposed.changes_decisions(rules)) == (policy, decisions)


def test_what_both_extend_judges_as_it_does_now() -> None:
    organisation = read_config(b"policy: {paths: {deny: [secret/**]}}\n", file="org.yml")
    rules = _rules(config_of(POLICY + EXTENDS).extending(organisation))
    proposed = proposed_rules(POLICY.replace(b"docs/policies/**", b"docs/**") + EXTENDS, rules)
    assert (len(proposed.policies), proposed.findings) == (2, ())
    assert proposed.policies[0] == organisation.policy
    assert proposed.changes_policy(rules)


def test_another_file_to_extend_is_said_and_not_fetched() -> None:
    rules = _rules(config_of(POLICY + EXTENDS))
    proposed = proposed_rules(POLICY + EXTENDS.replace(b"acme", b"evil"), rules)
    assert len(proposed.policies) == 1
    assert "evil/.github:dryrun-bot.yml@main, which is not read before this is merged" in proposed.findings[0]


def test_a_file_with_a_mistake_is_refused_with_its_line() -> None:
    with pytest.raises(BadConfig, match="line 2"):
        proposed_rules(b"version: 1\nwords: 1\n", _rules(config_of()))
