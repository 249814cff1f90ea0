"""What is said about comments over the other API, several changes in one request."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import Comment, GitHub, Issue, Repository

MINIMIZE = (
    "mutation M($input: MinimizeCommentInput!)"
    " { minimizeComment(input: $input) { minimizedComment { isMinimized minimizedReason } } }"
)
REWORD = (
    "mutation M($input: UpdateIssueCommentInput!)"
    " { updateIssueComment(input: $input) { issueComment { body editor { login } } } }"
)
REACT = "mutation M($input: AddReactionInput!) { addReaction(input: $input) { subject { id } } }"
ALL = """mutation M($a: UpdateIssueCommentInput!, $b: MinimizeCommentInput!, $c: AddReactionInput!) {
  a: updateIssueComment(input: $a) { clientMutationId }
  b: minimizeComment(input: $b) { clientMutationId }
  c: addReaction(input: $c) { clientMutationId }
}"""


@pytest.fixture
def send(ask: Callable[..., Any]) -> Callable[..., Any]:
    def sent(query: str, *, by: str | None = None, **variables: Any) -> Any:
        return ask("POST", "/graphql", {"query": query, "variables": variables}, by=by).body

    return sent


@pytest.fixture
def comment(github: GitHub, repository: Repository, pull: Issue) -> Comment:
    github.account("eve")
    return github.comment(repository, pull.number, by="tom", body="old")


def test_a_comment_is_folded_away(comment: Comment, send: Callable[..., Any]) -> None:
    sent = {"subjectId": comment.node_id, "classifier": "OUTDATED"}
    assert send(MINIMIZE, by="tom", input=sent)["data"]["minimizeComment"]["minimizedComment"] == {
        "isMinimized": True,
        "minimizedReason": "outdated",
    }
    comment.minimized = None
    assert send(MINIMIZE, by="eve", input=sent)["errors"][0]["type"] == "FORBIDDEN"
    assert "errors" in send(MINIMIZE, input=sent | {"subjectId": "IC_nothing"})
    assert comment.minimized is None


def test_a_comment_is_reworded_and_says_by_whom(comment: Comment, send: Callable[..., Any]) -> None:
    sent = {"id": comment.node_id, "body": "new"}
    assert send(REWORD, by="eve", input=sent)["errors"][0]["type"] == "FORBIDDEN"
    assert send(REWORD, input=sent | {"body": " "})["errors"][0]["type"] == "UNPROCESSABLE"
    assert comment.body == "old"
    told = send(REWORD, input=sent)["data"]["updateIssueComment"]["issueComment"]
    assert told == {"body": "new", "editor": {"login": "github-actions"}}


def test_a_second_reaction_of_the_same_kind_is_the_first(comment: Comment, send: Callable[..., Any]) -> None:
    for content in ("ROCKET", "ROCKET", "THUMBS_UP"):
        sent = {"subjectId": comment.node_id, "content": content}
        assert send(REACT, input=sent)["data"]["addReaction"]["subject"] == {"id": comment.node_id}
    assert [reaction.content for reaction in comment.reactions] == ["rocket", "+1"]


def test_each_of_several_changes_is_done_whatever_becomes_of_the_one_before(
    comment: Comment, send: Callable[..., Any]
) -> None:
    said = send(
        ALL,
        a={"id": comment.node_id, "body": "new"},
        b={"subjectId": "IC_nothing", "classifier": "OUTDATED"},
        c={"subjectId": comment.node_id, "content": "EYES"},
    )
    assert said["data"] == {"a": {"clientMutationId": None}, "b": None, "c": {"clientMutationId": None}}
    assert [(error["type"], error["path"]) for error in said["errors"]] == [("NOT_FOUND", ["b"])]
    assert (comment.body, comment.minimized) == ("new", None)
    assert [reaction.content for reaction in comment.reactions] == ["eyes"]
