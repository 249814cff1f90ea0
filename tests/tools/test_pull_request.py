"""Each tool by itself on the embedded GitHub; tests/flows/test_errands.py has the whole of a plan."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fakes import MemoryTree
from journey import Journey
from pydantic import ValidationError
from reaching import EVERYTHING, NOTHING, REACHING, effects, prepared, token

from bot.demo.github import Fault, bad_gateway
from bot.errors import GitHubFailed, ToolFailed
from bot.outside.desk import GitHubDesk
from bot.outside.github import repository
from bot.outside.patience import Patience
from bot.outside.rest import rest
from bot.outside.search import Ripgrep
from bot.settings import Secret
from bot.tools import registry
from bot.tools.pull_request import PULL_REQUEST_TOOLS
from bot.tools.tool import Stage
from bot.workspace.overlay import Overlay

TOOLS = registry(PULL_REQUEST_TOOLS)


def _stage(**changes: Any) -> Stage:
    return Stage(workspace=Overlay(MemoryTree({}), Ripgrep()), is_hidden=lambda _: False, **changes)


def _rehearsed(tool: str, arguments: dict[str, Any], stage: Stage) -> str:
    known = TOOLS[tool]
    assert known.simulate is not None
    return known.simulate(known.arguments.model_validate_json(_json(arguments)), stage)


def _performed(tool: str, arguments: dict[str, Any], stage: Stage) -> str:
    return TOOLS[tool].execute(TOOLS[tool].arguments.model_validate_json(_json(arguments)), stage)


def _json(arguments: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in arguments.items() if name != "intent"})


@pytest.fixture
def desk(journey: Journey) -> Callable[[str], GitHubDesk]:
    """By the token it is to use."""
    prepared(journey)

    def made(secret: str) -> GitHubDesk:
        door = rest(Secret(secret), api_url=journey.github.url, patience=Patience(sleep=lambda _: None))
        found = repository("acme/widgets", door=door, org_door=door)
        return GitHubDesk(repository=found, pull_request=found.pull_request(1), at=found.tip("main"))

    return made


TOLD = {
    "add_labels": "Labels: typo.",
    "comment_on_pr": "A comment of 31 characters.",
    "request_reviewers": "Reviewers: lee.",
    "create_issue": "An issue: Look for more typos",
    "dispatch_workflow": "A run of release.yml on the default branch.",
}


def test_a_rehearsal_says_what_would_be_done_and_only_reads(
    journey: Journey, desk: Callable[[str], GitHubDesk]
) -> None:
    stage = _stage(lookout=desk(token(journey)))
    journey.github.log.clear()
    told = {call.tool: _rehearsed(call.tool, dict(call.arguments), stage) for call in REACHING}
    assert told == TOLD
    assert {exchange.method for exchange in journey.github.log} == {"GET"}
    assert effects(journey.repository) == NOTHING


def test_each_does_its_thing_once(journey: Journey, desk: Callable[[str], GitHubDesk]) -> None:
    stage = _stage(desk=desk(token(journey)))
    for call in REACHING:
        _performed(call.tool, dict(call.arguments), stage)
    assert effects(journey.repository) == EVERYTHING


@pytest.mark.parametrize("call", REACHING, ids=lambda call: call.tool)
def test_nothing_is_rehearsed_or_done_where_there_is_no_pull_request(call: Any) -> None:
    with pytest.raises(ToolFailed, match="there is no pull request here"):
        _rehearsed(call.tool, dict(call.arguments), _stage())
    with pytest.raises(ToolFailed, match="nothing can be done on the pull request here"):
        _performed(call.tool, dict(call.arguments), _stage())


SAME: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "a label in capitals": ("add_labels", {"labels": ["TYPO"]}, None),
    "a label with a slash": ("add_labels", {"labels": ["../typo"]}, "there is no label '../typo'"),
    "one good label of two": ("add_labels", {"labels": ["typo", "x"]}, "there is no label 'x'"),
    "the author in capitals": ("request_reviewers", {"reviewers": ["MONA"]}, "MONA is the author"),
    "a collaborator in capitals": ("request_reviewers", {"reviewers": ["LEE"]}, None),
    "one good reviewer of two": ("request_reviewers", {"reviewers": ["lee", "eve"]}, "eve is no collab"),
    "a workflow in capitals": ("dispatch_workflow", {"workflow": "Release.yml"}, "there is no workflow"),
    "an issue without a word": ("create_issue", {"title": "T"}, None),
}


@pytest.mark.parametrize(("tool", "arguments", "why"), SAME.values(), ids=SAME)
def test_names_are_compared_as_github_compares_them(
    journey: Journey,
    desk: Callable[[str], GitHubDesk],
    tool: str,
    arguments: dict[str, Any],
    why: str | None,
) -> None:
    stage = _stage(lookout=desk(token(journey)))
    if why is None:
        assert _rehearsed(tool, arguments, stage)
    else:
        with pytest.raises(ToolFailed, match=why):
            _rehearsed(tool, arguments, stage)


def test_what_the_token_may_not_ask_is_a_failed_step(
    journey: Journey, desk: Callable[[str], GitHubDesk]
) -> None:
    weak = journey.github.workflow_token(
        journey.repository, {"contents": "read", "pull_requests": "read", "issues": "read"}
    )
    with pytest.raises(ToolFailed, match=r"could not read the workflow 'release\.yml'.*not accessible"):
        _rehearsed("dispatch_workflow", dict(REACHING[4].arguments), _stage(lookout=desk(weak)))


def test_what_github_may_answer_later_is_no_answer_of_a_step(
    journey: Journey, desk: Callable[[str], GitHubDesk]
) -> None:
    stage = _stage(lookout=desk(token(journey)))
    journey.github.misbehave(Fault(path="/labels", times=None, answer=bad_gateway()))
    with pytest.raises(GitHubFailed, match="could not list the labels"):
        _rehearsed("add_labels", {"labels": ["typo"]}, stage)


MOST: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a comment": ("comment_on_pr", {"body": "x" * 12_000}, {"body": "x" * 12_001}),
    "a label": ("add_labels", {"labels": ["x" * 50]}, {"labels": ["x" * 51]}),
    "labels": ("add_labels", {"labels": ["x"] * 100}, {"labels": ["x"] * 101}),
    "reviewers": ("request_reviewers", {"reviewers": ["a"] * 15}, {"reviewers": ["a"] * 16}),
    "a login": ("request_reviewers", {"reviewers": ["a" * 39]}, {"reviewers": ["a" * 40]}),
    "a login with a line's end": ("request_reviewers", {"reviewers": ["lee"]}, {"reviewers": ["lee\n"]}),
    "a title": ("create_issue", {"title": "x" * 256}, {"title": "x" * 257}),
    "an issue": ("create_issue", {"title": "T", "body": "x" * 12_000}, {"title": "T", "body": "x" * 12_001}),
    "a workflow elsewhere": ("dispatch_workflow", {"workflow": "a..yml"}, {"workflow": "../a.yml"}),
    "a workflow by its number": ("dispatch_workflow", {"workflow": "1.yaml"}, {"workflow": "1"}),
    "inputs": (
        "dispatch_workflow",
        {"workflow": "a.yml", "inputs": dict.fromkeys(map(str, range(25)), "")},
        {"workflow": "a.yml", "inputs": dict.fromkeys(map(str, range(26)), "")},
    ),
    "an input that is text": (
        "dispatch_workflow",
        {"workflow": "a.yml", "inputs": {"tag": "1"}},
        {"workflow": "a.yml", "inputs": {"tag": 1}},
    ),
}


@pytest.mark.parametrize(("tool", "taken", "not_taken"), MOST.values(), ids=MOST)
def test_arguments_have_limits(tool: str, taken: dict[str, Any], not_taken: dict[str, Any]) -> None:
    arguments = TOOLS[tool].arguments
    assert arguments.model_validate_json(_json(taken))
    with pytest.raises(ValidationError):
        arguments.model_validate_json(_json(not_taken))
