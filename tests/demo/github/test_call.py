import re
from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.call import Answer, Call, Refused, Route, Urls, grants
from bot.demo.github.state import Token

LIST = "/repos/acme/pocket/issues/1/comments"


def test_pages_are_linked_both_ways_and_hold_what_they_should(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    for number in range(7):
        github.comment(repository, 1, by="tom", body=f"{number}")
    seen, url, turns = [], f"{LIST}?per_page=3", []
    while url:
        reply = ask("GET", url)
        seen += [comment["body"] for comment in reply.body]
        links = re.findall(r'<[^>]*?(/repos[^>]*)>; rel="(\w+)"', reply.headers.get("Link", ""))
        turns.append(sorted(rel for _, rel in links))
        url = next((path for path, rel in links if rel == "next"), None)
    assert seen == [str(number) for number in range(7)]
    assert turns == [["last", "next"], ["first", "last", "next", "prev"], ["first", "prev"]]


PAGES = {"": 30, "?per_page=100": 34, "?per_page=1000": 34, "?per_page=5&page=7": 4, "?page=99": 0}


@pytest.mark.parametrize(("query", "expected"), PAGES.items())
def test_a_page_has_github_s_sizes(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any], query: str, expected: int
) -> None:
    for number in range(34):
        github.comment(repository, 1, by="tom", body=f"{number}")
    assert len(ask("GET", LIST + query).body) == expected


WRONG_BODIES: dict[str, tuple[Any, int, str]] = {
    "no body": (None, 422, "Invalid request"),
    "a list": ([], 422, "Invalid request"),
    "not JSON": (b"{", 400, "Problems parsing JSON"),
    "nothing in it": ({}, 422, '"body" wasn\'t supplied'),
    "a number": ({"body": 3}, 422, "properties/body"),
    "a boolean": ({"body": True}, 422, "properties/body"),
    "null": ({"body": None}, 422, '"body" wasn\'t supplied'),
}


@pytest.mark.parametrize(("body", "status", "words"), WRONG_BODIES.values(), ids=WRONG_BODIES)
def test_a_wrong_body_is_refused_in_github_s_words(
    pull: Issue, ask: Callable[..., Any], body: Any, status: int, words: str
) -> None:
    reply = ask("POST", LIST, body)
    assert (reply.status, reply.body["status"]) == (status, str(status))
    assert words in reply.body["message"]


WHO: dict[str, tuple[dict[str, str] | None, str, int]] = {
    "nobody may read what is public": (None, "GET", 200),
    "nobody may not write": (None, "POST", 401),
    "a token that may read reads": ({"issues": "read"}, "GET", 200),
    "a token that may read does not write": ({"issues": "read"}, "POST", 403),
    "a token for pull requests will do": ({"pull_requests": "write"}, "POST", 201),
    "a token for contents will not": ({"contents": "write"}, "POST", 403),
    "a token for nothing reads nothing": ({}, "GET", 403),
}


@pytest.mark.parametrize(("permissions", "method", "status"), WHO.values(), ids=WHO)
def test_a_workflow_s_token_may_what_its_permissions_say(
    github: GitHub,
    repository: Repository,
    pull: Issue,
    ask: Callable[..., Any],
    permissions: dict[str, str] | None,
    method: str,
    status: int,
) -> None:
    token = None if permissions is None else github.workflow_token(repository, permissions)
    reply = ask(method, LIST, {"body": "hi"} if method == "POST" else None, token=token)
    assert reply.status == status
    if status == 403:
        assert reply.body["message"] == "Resource not accessible by integration"
    assert len(repository.comments) == (status == 201)


def test_a_private_repository_is_not_there_for_whoever_may_not_see_it(
    github: GitHub, ask: Callable[..., Any]
) -> None:
    secret = github.repository("acme/secret", {"a": "1\n"}, private=True)
    github.allow(secret, "maja", "triage")
    statuses = {
        name: ask("GET", "/repos/acme/secret", token=token).status
        for name, token in {
            "nobody": None,
            "tom": github.token("tom"),
            "maja": github.token("maja"),
            "its own workflow": github.workflow_token(secret),
            "another's workflow": github.workflow_token(github.state.repositories["acme/pocket"]),
        }.items()
    }
    expected = {"nobody": 404, "tom": 404, "maja": 200, "its own workflow": 200, "another's workflow": 404}
    assert statuses == expected


def test_the_parts_of_a_path_are_unquoted_after_it_is_taken_apart(github: GitHub) -> None:
    route = Route("GET", "/a/{one}/b/{rest+}", lambda call: Answer(body=[dict(call.parts)]))
    parts = route.matches("GET", "/a/x%2Fy/b/c/d%20e")
    assert parts == {"one": "x/y", "rest": "c/d e"}
    assert route.matches("GET", "/a/x/y/b/c") is None
    assert route.matches("POST", "/a/x/b/c") is None


def test_a_number_in_a_path_is_one_or_there_is_nothing_there(github: GitHub) -> None:
    call = Call(
        state=github.state,
        token=Token(account=github.account("tom")),
        urls=Urls(api=github.url, html=github.url),
        method="GET",
        path="/",
        headers={},
        query={},
        body=None,
        parts={"good": "12", "bad": "\uff11\uff12", "worse": "-1", "long": "1" * 30},
    )
    assert call.number("good") == 12
    for name in ("bad", "worse", "long"):
        with pytest.raises(Refused):
            call.number(name)


@pytest.mark.parametrize(
    ("held", "need", "expected"),
    [("write", "write", True), ("write", "read", True), ("read", "write", False), ("none", "read", False)],
)
def test_write_includes_read(held: str, need: str, *, expected: bool) -> None:
    assert grants({"contents": held}, f"contents:{need}") is expected
    assert grants({}, "metadata:read")
