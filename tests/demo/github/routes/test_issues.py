from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository

AT = "/repos/acme/pocket/issues"


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("x" * 65_536, 201, ""),
        ("x" * 65_537, 422, "Body is too long (maximum is 65536 characters)"),
        ("🫖" * 65_536, 201, ""),
        (" \n", 422, "Body cannot be blank"),
    ],
    ids=["as long as may be", "a letter longer", "letters, not bytes", "blank"],
)
def test_a_comment_has_github_s_limits(
    pull: Issue, ask: Callable[..., Any], body: str, status: int, words: str
) -> None:
    reply = ask("POST", f"{AT}/1/comments", {"body": body})
    assert reply.status == status
    assert [error["message"] for error in reply.body.get("errors", [])] == ([words] if words else [])


WHO = {
    "its author": ("tom", 200),
    "a maintainer": ("maja", 200),
    "the bot": (None, 200),
    "else": ("eve", 403),
}


@pytest.mark.parametrize(("who", "status"), WHO.values(), ids=WHO)
def test_who_may_edit_and_delete_a_comment(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any], who: str | None, status: int
) -> None:
    comment = github.comment(repository, 1, by="tom", body="mine")
    path = f"{AT}/comments/{comment.id}"
    assert ask("PATCH", path, {"body": "edited"}, by=who).status == status
    assert comment.body == ("edited" if status == 200 else "mine")
    assert (comment.editor is not None) == (status == 200)
    deleted = ask("DELETE", path, by=who).status
    assert deleted == (204 if status == 200 else 403)
    assert ask("GET", path).status == (404 if status == 200 else 200)


def test_a_reaction_is_one_of_eight_and_only_its_owner_takes_it_back(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    comment = github.comment(repository, 1, by="tom", body="hi")
    path = f"{AT}/comments/{comment.id}/reactions"
    assert ask("POST", path, {"content": "shrug"}).status == 422
    made = ask("POST", path, {"content": "eyes"})
    again = ask("POST", path, {"content": "eyes"})
    assert (made.status, again.status, made.body["id"]) == (201, 200, again.body["id"])
    assert ask("POST", path, {"content": "eyes"}, by="maja").status == 201
    assert len(ask("GET", f"{path}?content=eyes").body) == 2
    assert ask("GET", f"{path}?content=heart").body == []
    assert ask("DELETE", f"{path}/{made.body['id']}", by="maja").status == 404
    assert ask("DELETE", f"{path}/{made.body['id']}").status == 204
    assert ask("GET", f"{AT}/comments/{comment.id}").body["reactions"]["eyes"] == 1


def test_a_locked_conversation_is_for_those_who_may_write(pull: Issue, ask: Callable[..., Any]) -> None:
    pull.locked = True
    assert ask("POST", f"{AT}/1/comments", {"body": "hi"}, by="tom").status == 403
    assert ask("POST", f"{AT}/1/comments", {"body": "hi"}, by="maja").status == 201


def test_labels_are_put_on_listed_and_taken_off(pull: Issue, ask: Callable[..., Any]) -> None:
    assert ask("POST", f"{AT}/1/labels", {"labels": ["a", "b c"]}).status == 200
    assert [label["name"] for label in ask("GET", f"{AT}/1/labels").body] == ["a", "b c"]
    assert ask("DELETE", f"{AT}/1/labels/b%20c").status == 200
    assert ask("DELETE", f"{AT}/1/labels/b%20c").status == 404
    assert pull.labels == ["a"]


def test_issues_are_opened_and_listed_by_state(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    assert ask("POST", AT, {"title": "A thing", "body": "x" * 65_537}).status == 422
    assert ask("POST", AT, {"title": "A thing"}).body["number"] == 2
    github.close(repository, pull, by="maja")
    assert [issue["number"] for issue in ask("GET", AT).body] == [2]
    assert [issue["number"] for issue in ask("GET", f"{AT}?state=all&direction=asc").body] == [1, 2]
    assert ask("GET", f"{AT}/3").status == 404


def test_comments_since_a_moment_are_those_changed_since(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    made = [github.comment(repository, 1, by="tom", body=f"{number}") for number in range(3)]
    since = made[2].created_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    github.edit_comment(repository, made[0], by="tom", body="0, edited")
    found = ask("GET", f"{AT}/1/comments?since={since}").body
    assert [comment["body"] for comment in found] == ["0, edited", "2"]
