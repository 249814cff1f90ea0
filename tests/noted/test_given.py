"""What a dry run was given comes back from its record, and anything else is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from recorded import POLICY, config_of, situation_of

from bot.action import canonical
from bot.assignment import Assignment
from bot.config import read_config
from bot.gate.policy import Policy
from bot.noted.given import Given, NotGiven, read_given

MCP = b"""\
version: 1
mcp:
  tickets:
    command: [tickets]
    tools:
      find: {kind: read}
      close: {kind: external, simulate: {from_output_schema: true}}
      open: {kind: external, simulate: {result: null}}
"""


def given_of(policy: bytes = POLICY) -> Given:
    return Given(
        repository="acme/widgets",
        assignment=Assignment(name="tidy", words="Tidy up, with \u202e and ```."),
        situation=situation_of(config_of(policy)),
        version="0.1.0",
    )


def _rows(policies: tuple[Policy, ...]) -> list[object]:
    return [(policy.model_dump(), policy.location) for policy in policies]


@pytest.mark.parametrize("policy", [b"", POLICY, MCP, b"limits: {steps: 3}\nchaos: {rate: 0.5, seed: 3}\n"])
def test_what_was_given_comes_back_from_its_record(policy: bytes) -> None:
    given = given_of(policy)
    again = read_given(json.loads(canonical(given.kept())))
    assert (again.repository, again.assignment, again.version) == (
        given.repository,
        given.assignment,
        given.version,
    )
    assert again.situation.pull_request == given.situation.pull_request
    assert again.situation.changed_paths == given.situation.changed_paths
    rules, before = again.situation.rules, given.situation.rules
    assert (rules.digest, rules.policy_sha, rules.base_sha) == (
        before.digest,
        before.policy_sha,
        before.base_sha,
    )
    assert _rows(rules.policies) == _rows(before.policies)
    for name in ("limits", "apply", "model", "advice", "chaos", "mcp"):
        assert getattr(rules.config, name) == getattr(before.config, name), name


def test_a_rule_still_knows_its_line() -> None:
    again = read_given(json.loads(canonical(given_of().kept())))
    (policy,) = again.situation.rules.policies
    assert policy.source("paths", "ask", 0) == ".github/dryrun-bot.yml:4"


def test_both_policies_of_an_extended_file_come_back() -> None:
    own = read_config(POLICY, file="a.yml")
    config = own.extending(read_config(b"policy: {hosts: [a.example]}\n", file="org.yml"))
    given = Given(
        repository="acme/widgets",
        assignment=Assignment(name="tidy", words="Tidy up."),
        situation=situation_of(config),
        version="0.1.0",
    )
    again = read_given(json.loads(canonical(given.kept())))
    assert _rows(again.situation.rules.policies) == _rows(config.policies)
    assert len(again.situation.rules.policies) == 2


def _without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda kept: {key: value for key, value in kept.items() if key != name}


WRONG: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "nothing": (lambda _: {}, "repository"),
    "no pull request": (_without("pull_request"), "pull_request"),
    "a pull request in words": (lambda kept: kept | {"pull_request": "seven"}, "pull_request"),
    "no rules": (lambda kept: kept | {"rules": {}}, "rules"),
    "a policy with another key": (
        lambda kept: (
            kept | {"rules": kept["rules"] | {"policies": [{"policy": {"x": 1}, "file": "", "places": []}]}}
        ),
        "rules.policies.0.policy.x",
    ),
    "a limit below nothing": (
        lambda kept: kept | {"rules": kept["rules"] | {"config": {"limits": {"steps": -1}}}},
        "rules.config.limits.steps",
    ),
}


@pytest.mark.parametrize(("alter", "where"), WRONG.values(), ids=WRONG)
def test_a_record_that_is_none_is_refused(alter: Callable[[dict[str, Any]], Any], where: str) -> None:
    kept = json.loads(canonical(given_of().kept()))
    with pytest.raises(NotGiven) as refused:
        read_given(alter(kept))
    assert str(refused.value).startswith(where)
