"""The judge must bite: each row is one thing that is wrong, and the words that say so."""

import copy
from typing import Any

import pytest
from github_description.description import graphql_problems, problems, webhook_problems

AT = "/repos/o/r"
USER = {
    "login": "maja",
    "id": 1,
    "node_id": "U_1",
    "avatar_url": "http://127.0.0.1/a",
    "gravatar_id": "",
    **dict.fromkeys(
        "url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url"
        " repos_url events_url received_events_url".split(),
        "http://127.0.0.1/",
    ),
    "type": "User",
    "site_admin": False,
}
REACTION = {
    "id": 1,
    "node_id": "R_1",
    "user": USER,
    "content": "eyes",
    "created_at": "2026-05-04T12:00:00Z",
}
POST_REACTION = ("POST", f"{AT}/issues/comments/5/reactions")
WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "an operation that is not there": (("GET", f"{AT}/nothing", None, 200, {}), "no such operation"),
    "a needed field is missing": (
        ("POST", f"{AT}/issues/1/comments", {}, None, None),
        "'body' is a required",
    ),
    "a field nobody described": (
        ("POST", f"{AT}/issues/1/comments", {"body": "hi", "force": True}, None, None),
        "request: /force: not described",
    ),
    "a value that is not one of the choices": ((*POST_REACTION, {"content": "nope"}, None, None), "'nope'"),
    "a body where there is none": (("DELETE", f"{AT}/issues/comments/5", {"a": 1}, 204, None), "a body"),
    "a query nobody described": (("GET", f"{AT}/issues/1/comments?perpage=3", None, None, None), "perpage"),
    "a query of the wrong type": (("GET", f"{AT}/issues/1/comments?page=x", None, None, None), "page"),
    "an answer without a needed field": (
        (*POST_REACTION, {"content": "eyes"}, 201, {k: v for k, v in REACTION.items() if k != "node_id"}),
        "'node_id' is a required",
    ),
    "an answer with a field of its own": (
        (*POST_REACTION, {"content": "eyes"}, 201, REACTION | {"colour": "red"}),
        "/colour: not described",
    ),
    "deep in an answer, too": (
        (*POST_REACTION, {"content": "eyes"}, 201, REACTION | {"user": USER | {"mood": "good"}}),
        "/user/mood: not described",
    ),
    "a moment without its zone": (
        (*POST_REACTION, {"content": "eyes"}, 201, REACTION | {"created_at": "2026-05-04 12:00"}),
        "is not a 'date-time'",
    ),
    "a status nobody described": ((*POST_REACTION, {"content": "eyes"}, 202, REACTION), "status 202"),
}


@pytest.mark.parametrize(("exchange", "expected"), WRONG.values(), ids=WRONG)
def test_what_github_does_not_describe_is_a_problem(exchange: tuple[Any, ...], expected: str) -> None:
    assert expected in "\n".join(problems(*exchange))


def test_what_github_describes_is_none() -> None:
    assert problems(*POST_REACTION, {"content": "eyes"}, 201, REACTION) == []


QUERY = "query($id: ID!) { node(id: $id) { __typename ... on IssueComment { editor { login } } } }"
NODE = {"data": {"node": {"__typename": "IssueComment", "editor": {"login": "maja"}}}}
WRONG_GRAPHQL: dict[str, tuple[str, Any, str]] = {
    "a field that is not there": (QUERY.replace("login", "nickname"), NODE, "nickname"),
    "an argument that is missing": (QUERY.replace("(id: $id)", ""), NODE, "id"),
    "null where there must be something": (
        QUERY,
        {"data": {"node": {"__typename": "IssueComment", "editor": {"login": None}}}},
        "non-nullable",
    ),
    "more than was asked for": (
        QUERY,
        {"data": {"node": {"__typename": "IssueComment", "editor": {"login": "maja"}, "body": "hi"}}},
        "reads back",
    ),
}


@pytest.mark.parametrize(("query", "answer", "expected"), WRONG_GRAPHQL.values(), ids=WRONG_GRAPHQL)
def test_graphql_is_held_against_its_schema(query: str, answer: Any, expected: str) -> None:
    found = graphql_problems({"query": query, "variables": {"id": "IC_1"}}, answer)
    assert expected in "\n".join(found)


def test_a_good_query_with_aliases_and_its_answer_have_no_problem() -> None:
    query = QUERY.replace("editor", "who: editor")
    answer = copy.deepcopy(NODE)
    answer["data"]["node"] = {"__typename": "IssueComment", "who": {"login": "maja"}}
    assert graphql_problems({"query": query, "variables": {"id": "IC_1"}}, answer) == []


def test_a_webhook_that_is_not_one_has_problems() -> None:
    assert "'comment' is a required" in "\n".join(webhook_problems("issue_comment", {"action": "created"}))
    assert webhook_problems("issue_comment", {"action": "read"}) == [
        "issue_comment$read: no such event in GitHub's description"
    ]
