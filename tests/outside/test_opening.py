"""What a run begins with is one request, and says the same as GitHub's other API."""

import json
from dataclasses import replace

import pytest
from journey import Journey

from bot.errors import BadConfig, GitHubFailed
from bot.outside.github import connect
from bot.outside.opening import opening
from bot.settings import read_settings

GRAPHQL = "https://api.github.com:443/graphql"
SHA, OTHER = "a" * 40, "b" * 40
PATH = ".github/dryrun-bot.yml"
PERSON = {"__typename": "User", "login": "mona", "databaseId": 7}


def ref(oid: str = SHA, file: object = None) -> dict[str, object]:
    return {"target": {"oid": oid, "file": file, "tree": {"oid": OTHER}}}


def comment(**changes: object) -> dict[str, object]:
    return {
        "id": "IC_1",
        # More than 32 bits hold
        "fullDatabaseId": "5000000001",
        "body": "words",
        "url": "https://github.com/acme/widgets/pull/1#issuecomment-1",
        "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z",
        "author": PERSON,
        "editor": None,
        **changes,
    }


def answer(comments: list[dict[str, object]], *, more: bool = False, **changes: object) -> dict[str, object]:
    pull = {
        "number": 1,
        "title": "A title",
        "body": "",
        "url": "https://github.com/acme/widgets/pull/1",
        "state": "OPEN",
        "isDraft": False,
        "maintainerCanModify": True,
        "author": PERSON,
        "headRefName": "topic",
        "headRefOid": SHA,
        "headRepository": {"id": "R_2", "nameWithOwner": "mona/widgets"},
        "headRef": ref(),
        "baseRefName": "main",
        "baseRefOid": OTHER,
        "baseRef": ref(),
        "comments": {"nodes": comments, "pageInfo": {"hasNextPage": more}},
        **changes,
    }
    repository = {
        "id": "R_1",
        "nameWithOwner": "acme/widgets",
        "default": {"name": "main", **ref()},
        "pullRequest": pull,
    }
    return {"data": {"viewer": {"login": "bot", "databaseId": 3}, "repository": repository}}


def ask(door, blob=None):
    return opening(door, "acme/widgets", 1, path=PATH, blob=blob)


def test_everything_is_told_at_once(api, door) -> None:
    api.post(GRAPHQL, json=answer([comment(), comment(editor=PERSON)]))
    told = ask(door)
    assert told.viewer.database_id == 3
    assert told.opening.pull_request.is_from_fork
    assert told.opening.tips["main"].sha == SHA
    assert [one.id for one in told.opening.comments] == [5000000001] * 2
    first, second = told.opening.comments
    assert (first.edited_by, first.is_editor_known) == (None, True)
    assert second.edited_by.login == "mona"
    assert told.trees == {SHA: OTHER}
    assert told.node_ids == {"acme/widgets": "R_1", "mona/widgets": "R_2"}
    assert len(api.calls) == 1


def test_names_are_variables_and_never_words_of_the_query(api, door) -> None:
    hostile = 'x"){id} y: ref(qualifiedName: "z'
    api.post(GRAPHQL, json=answer([]))
    opening(door, f"acme/{hostile}", 1, path=hostile, blob=None)
    sent = json.loads(api.calls[0].request.body)
    assert hostile not in sent["query"]
    assert sent["variables"]["name"] == sent["variables"]["path"] == hostile


def test_more_comments_than_fit_are_left_to_be_asked_for(api, door) -> None:
    api.post(GRAPHQL, json=answer([comment()], more=True))
    assert ask(door).opening.comments is None


def test_a_bot_has_the_login_that_it_has_elsewhere_and_who_is_gone_is_a_ghost(api, door) -> None:
    bot = {"__typename": "Bot", "login": "dependabot", "databaseId": 9}
    api.post(GRAPHQL, json=answer([comment(author=bot), comment(author=None)], author=None))
    first, second = (told := ask(door).opening).comments
    assert (first.author.login, first.author.id, first.author.is_person) == ("dependabot[bot]", 9, False)
    assert second.author.login == told.pull_request.author.login == "ghost"


@pytest.mark.parametrize(
    ("state", "is_open", "is_merged"),
    [("OPEN", True, False), ("CLOSED", False, False), ("MERGED", False, True)],
)
def test_open_closed_and_merged_are_told_apart(
    api, door, state: str, *, is_open: bool, is_merged: bool
) -> None:
    api.post(GRAPHQL, json=answer([], state=state, headRepository=None, headRef=None))
    pull_request = ask(door).opening.pull_request
    assert (pull_request.is_open, pull_request.is_merged) == (is_open, is_merged)
    assert pull_request.head.repository is None


def test_a_base_that_is_gone_is_said(api, door) -> None:
    api.post(GRAPHQL, json=answer([], baseRefName="old", baseRef=None))
    with pytest.raises(GitHubFailed, match="acme/widgets has no branch 'old'"):
        ask(door)


def test_a_policy_that_is_a_link_is_none_to_go_by(api, door) -> None:
    link = {"mode": 0o120000, "object": {"oid": OTHER, "text": "x"}}
    api.post(GRAPHQL, json=answer([], baseRef=ref(file=link)))
    with pytest.raises(BadConfig, match="is a link or a folder, not a file"):
        ask(door)


def test_a_pull_request_that_is_not_there_is_said(api, door) -> None:
    missing = {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": "no pull request"}]}
    api.post(GRAPHQL, json=missing)
    with pytest.raises(GitHubFailed, match="GitHub could not read pull request 1"):
        ask(door)


def test_both_of_githubs_ways_say_the_same(journey: Journey) -> None:
    """The embedded GitHub holds each of its answers to GitHub's descriptions."""
    journey.plan_it()
    event = journey.commented("/help")
    repository = connect(read_settings(journey.environment(event)))
    opened = repository.opening(journey.issue.number, path=PATH)
    assert opened.default_branch == repository.default_branch() == "main"
    assert opened.pull_request == repository.pull_request(journey.issue.number)
    assert opened.tips == repository.tips(["main"], path=PATH)
    assert opened.comments is not None
    told = [replace(comment, edited_by=None, is_editor_known=False) for comment in opened.comments]
    assert told == list(repository.comments(journey.issue.number))
    # A run that takes long says so in its comment, and writes the plan over it: an edit like any other.
    edited = {comment.id: comment.editor and comment.editor.login for comment in journey.comments}
    seen = {comment.id: comment.edited_by and comment.edited_by.login for comment in opened.comments}
    assert seen == edited
