from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Repository

AT = "/repos/acme/pocket/actions/workflows"
DISPATCH = f"{AT}/release.yml/dispatches"
RELEASE = "on:\n  workflow_dispatch:\n    inputs:\n      tag: {required: true}\njobs: {}\n"
TAGGED = {"ref": "main", "inputs": {"tag": "v1"}}


@pytest.fixture(autouse=True)
def _release(github: GitHub, repository: Repository) -> None:
    _put(github, repository, "release.yml", RELEASE)


def _put(github: GitHub, repository: Repository, name: str, text: str, *, branch: str = "main") -> None:
    github.push(repository, branch, {f".github/workflows/{name}": text}, message="Configure", by="acme")


def _started(repository: Repository) -> list[tuple[str, str, dict[str, str], str]]:
    return [(one.workflow, one.ref, one.inputs, one.actor.login) for one in repository.dispatches]


def test_a_workflow_is_known_by_its_file(ask: Callable[..., Any]) -> None:
    reply = ask("GET", f"{AT}/release.yml")
    assert reply.status == 200
    assert (reply.body["path"], reply.body["state"]) == (".github/workflows/release.yml", "active")
    assert reply.body["html_url"].endswith("/acme/pocket/blob/main/.github/workflows/release.yml")


def test_one_that_is_turned_off_says_so_and_is_not_started(
    repository: Repository, ask: Callable[..., Any]
) -> None:
    repository.turned_off.add("release.yml")
    assert ask("GET", f"{AT}/release.yml").body["state"] == "disabled_manually"
    reply = ask("POST", DISPATCH, TAGGED, by="maja")
    assert (reply.status, _started(repository)) == (403, [])


def test_one_of_another_branch_alone_is_not_there(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    _put(github, repository, "new.yml", RELEASE, branch="topic")
    assert ask("GET", f"{AT}/new.yml").status == 404


def test_what_was_started_is_kept_with_who_did_it(repository: Repository, ask: Callable[..., Any]) -> None:
    reply = ask("POST", DISPATCH, TAGGED, by="maja")
    assert (reply.status, reply.body) == (204, b"")
    assert _started(repository) == [("release.yml", "main", {"tag": "v1"}, "maja")]


ON: dict[str, tuple[str, int]] = {
    "a word": ("on: workflow_dispatch\n", 204),
    "a list": ("on: [push, workflow_dispatch]\n", 204),
    "a mapping to nothing": ("on:\n  workflow_dispatch:\n", 204),
    "a mapping to empty inputs": ("on:\n  workflow_dispatch:\n    inputs:\n", 204),
    "an input that says nothing": ("on:\n  workflow_dispatch:\n    inputs:\n      tag:\n", 204),
    "inputs that are a list": ("on: {workflow_dispatch: {inputs: [tag]}}\n", 204),
    "a needed input with a default": (
        "on: {workflow_dispatch: {inputs: {tag: {required: true, default: v1}}}}\n",
        204,
    ),
    "lists in a list": ("on: [[push], {a: b}]\n", 422),
    "no events": ("", 422),
    "empty events": ("on:\n", 422),
    "broken YAML": ("on: [\n", 422),
    "a deep nest": ("on: " + "[" * 5000 + "\n", 422),
    "a control character": ("on: \x01\n", 422),
    "another word": ("on: push\n", 422),
    "another list": ("on: [push, pull_request]\n", 422),
    "another mapping": ("on:\n  push:\n    branches: [main]\n", 422),
}


@pytest.mark.parametrize(("on", "status"), ON.values(), ids=ON)
def test_only_one_with_workflow_dispatch_is_started(
    github: GitHub, repository: Repository, ask: Callable[..., Any], on: str, status: int
) -> None:
    _put(github, repository, "release.yml", f"{on}jobs: {{}}\n")
    assert ask("POST", DISPATCH, {"ref": "main"}, by="maja").status == status
    assert len(_started(repository)) == (status == 204)


def test_a_file_that_is_a_list_is_no_workflow(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    _put(github, repository, "release.yml", "- workflow_dispatch\n")
    assert ask("POST", DISPATCH, {"ref": "main"}, by="maja").status == 422


REFUSED: dict[str, tuple[str, dict[str, Any], int, str]] = {
    "an input that it does not know": (
        DISPATCH,
        {"ref": "main", "inputs": {"tag": "v1", "x": "y"}},
        422,
        "Unexpected inputs provided: ['x']",
    ),
    "no inputs where one is needed": (DISPATCH, {"ref": "main"}, 422, "Required input 'tag' not provided"),
    "an empty input that is needed": (
        DISPATCH,
        {"ref": "main", "inputs": {"tag": ""}},
        422,
        "Required input 'tag' not provided",
    ),
    "a branch that is not there": (DISPATCH, TAGGED | {"ref": "nope"}, 422, "No ref found for: nope"),
    "no branch": (DISPATCH, {"inputs": {"tag": "v1"}}, 422, '"ref" wasn\'t supplied'),
    "inputs that are a list": (DISPATCH, {"ref": "main", "inputs": ["tag"]}, 422, "properties/inputs"),
    "a file that is not there": (f"{AT}/nope.yml/dispatches", TAGGED, 404, "Not Found"),
}


@pytest.mark.parametrize(("path", "body", "status", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_starts_nothing(
    repository: Repository,
    ask: Callable[..., Any],
    path: str,
    body: dict[str, Any],
    status: int,
    words: str,
) -> None:
    reply = ask("POST", path, body, by="maja")
    assert reply.status == status
    assert words in reply.body["message"]
    assert _started(repository) == []


MAY = {
    "one who may write": ("maja", None, 204),
    "one who may read": ("tom", None, 403),
    "a workflow that may write actions": (None, {"actions": "write"}, 204),
    "a workflow that may read them": (None, {"actions": "read"}, 403),
    "a workflow that may write all else": (None, {"contents": "write", "issues": "write"}, 403),
}


@pytest.mark.parametrize(("by", "permissions", "status"), MAY.values(), ids=MAY)
def test_only_who_may_write_starts_one(
    github: GitHub,
    repository: Repository,
    ask: Callable[..., Any],
    by: str | None,
    permissions: dict[str, str] | None,
    status: int,
) -> None:
    token = github.workflow_token(repository, permissions or {})
    assert ask("POST", DISPATCH, TAGGED, by=by, token=token).status == status
    assert len(_started(repository)) == (status == 204)
