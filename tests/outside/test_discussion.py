import json

import pytest
import requests

from bot.errors import CommentForbidden, GitHubFailed, Reason
from bot.outside.discussion import Discussion
from bot.pull_request import Account, Comment
from bot.world import Folded, Reacted, Reworded

ROOT = "https://api.github.com:443/repos/acme/widgets"
GRAPHQL = "https://api.github.com:443/graphql"
COMMENTS = f"{ROOT}/issues/12/comments"
PAGE = f"{COMMENTS}?page=1&per_page=100"
ME = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}
MAYA = {"login": "maya", "id": 7, "type": "User"}
BODY = "<!-- dryrun-bot: answers=99 -->\nThe plan.\n"
SHA = "a" * 40


@pytest.fixture
def discussion(door) -> Discussion:
    me = Account(login="github-actions[bot]", id=41898282, is_person=False)
    return Discussion(rest=door, root="/repos/acme/widgets", me=lambda: me)


def said(number: int, body: str = BODY, user: object = ME) -> dict[str, object]:
    times = {"created_at": "2026-05-04T12:00:00Z", "updated_at": "2026-05-04T12:00:00Z"}
    return {
        "id": number,
        "node_id": f"IC_{number}",
        "body": body,
        "user": user,
        "html_url": f"u{number}",
    } | times


@pytest.fixture
def comment(discussion, api) -> Comment:
    api.post(COMMENTS, json=said(1), status=201)
    made = discussion.comment(12, BODY)
    api.calls.reset()
    return made


def test_a_comment_is_posted_as_it_is(api, discussion) -> None:
    api.post(COMMENTS, json=said(1), status=201)
    assert discussion.comment(12, BODY).id == 1
    assert json.loads(api.calls[0].request.body) == {"body": BODY}


LOST = {
    "a bad gateway": {"status": 502},
    "a lost connection": {"body": requests.ConnectionError("reset")},
    "half an answer": {"body": '{"id": 1,'},
}
lost = pytest.mark.parametrize("answer", LOST.values(), ids=LOST)


@lost
def test_a_comment_whose_answer_was_lost_is_found_and_not_posted_again(answer, api, discussion) -> None:
    api.post(COMMENTS, **answer)
    api.get(PAGE, json=[said(1, "first", MAYA), said(2)])
    assert discussion.comment(12, BODY).id == 2


@lost
def test_a_comment_that_did_not_arrive_is_posted_again(answer, api, discussion) -> None:
    api.post(COMMENTS, **answer)
    api.get(PAGE, json=[said(1, "first", MAYA)])
    api.post(COMMENTS, json=said(2), status=201)
    assert discussion.comment(12, BODY).id == 2


def test_a_comment_is_found_on_any_page(api, discussion) -> None:
    api.post(COMMENTS, status=500)
    api.get(PAGE, json=[said(number, "words", MAYA) for number in range(1, 101)])
    api.get(f"{COMMENTS}?page=2&per_page=100", json=[said(101)])
    assert discussion.comment(12, BODY).id == 101


NOT_IT = {
    "somebody else's copy of it": said(1, BODY, MAYA),
    "nobody's copy of it": said(1, BODY, None),
    "the answer to another command": said(1, BODY.replace("99", "98")),
    "a longer one": said(1, BODY + "and more"),
}


@pytest.mark.parametrize("other", NOT_IT.values(), ids=NOT_IT)
def test_another_comment_is_not_taken_for_it(other, api, discussion) -> None:
    api.post(COMMENTS, status=502)
    api.get(PAGE, json=[other])
    api.post(COMMENTS, json=said(2), status=201)
    assert discussion.comment(12, BODY).id == 2


def test_a_comment_that_came_back_with_other_line_ends_is_the_same(api, discussion) -> None:
    api.post(COMMENTS, status=502)
    api.get(PAGE, json=[said(1, BODY.strip().replace("\n", "\r\n"))])
    assert discussion.comment(12, BODY).id == 1


@pytest.mark.parametrize(
    "message",
    ["Resource not accessible by integration", "Unable to create comment because issue is locked."],
    ids=["a token that only reads", "a locked conversation"],
)
def test_a_forbidden_comment_is_a_reason_of_its_own(message, api, discussion) -> None:
    api.post(COMMENTS, status=403, json={"message": message})
    with pytest.raises(CommentForbidden) as caught:
        discussion.comment(12, BODY)
    assert caught.value.reason is Reason.COMMENT_FORBIDDEN
    assert message in caught.value.what
    assert "pull-requests: write" in caught.value.next_step


def test_a_comment_on_nothing_is_only_a_failure(api, discussion) -> None:
    api.post(COMMENTS, status=404, json={"message": "Not Found"})
    with pytest.raises(GitHubFailed) as caught:
        discussion.comment(12, BODY)
    assert caught.value.reason is Reason.GITHUB_FAILED


def test_an_edit_is_sent_again_without_a_look(api, discussion) -> None:
    api.patch(f"{ROOT}/issues/comments/5", status=502)
    api.patch(f"{ROOT}/issues/comments/5", json=said(5, "new"))
    assert discussion.edit_comment(5, "new").body == "new"


def test_a_comment_that_was_only_just_made_can_be_edited(api, discussion) -> None:
    api.patch(f"{ROOT}/issues/comments/5", status=404, json={"message": "Not Found"})
    api.patch(f"{ROOT}/issues/comments/5", json=said(5, "new"))
    assert discussion.edit_comment(5, "new").body == "new"


def test_comments_come_oldest_first_with_their_authors(api, discussion) -> None:
    api.get(PAGE, json=[said(1, "a", MAYA), said(2, "b", None)])
    told = [
        (comment.id, comment.author.login, comment.author.is_person) for comment in discussion.comments(12)
    ]
    assert told == [(1, "maya", True), (2, "ghost", False)]


EDITORS = {
    "never edited": ({"node": {"editor": None}}, None),
    "edited by a person": ({"node": {"editor": {"__typename": "User", "login": "maya", "databaseId": 7}}}, 7),
    "edited by a bot": (
        {"node": {"editor": {"__typename": "Bot", "login": "github-actions", "databaseId": 41898282}}},
        41898282,
    ),
    "edited by something without a number": (
        {"node": {"editor": {"__typename": "Mannequin", "login": "x"}}},
        0,
    ),
    "deleted": ({"node": None}, None),
    "no comment at all": ({"node": {}}, None),
}


@pytest.mark.parametrize(("data", "expected"), EDITORS.values(), ids=EDITORS)
def test_the_last_editor_is_told_by_number(data, expected, comment, api, discussion) -> None:
    api.post(GRAPHQL, json={"data": data})
    editor = discussion.editor(comment)
    assert (editor and editor.id) == expected


def test_an_editor_that_can_not_be_told_is_a_failure_and_not_nobody(comment, api, discussion) -> None:
    api.post(GRAPHQL, json={"errors": [{"type": "FORBIDDEN", "message": "no"}]})
    with pytest.raises(GitHubFailed):
        discussion.editor(comment)


COURTESIES = {
    "a fold": (
        Folded(comment="IC_1"),
        "minimizeComment",
        {"subjectId": "IC_1", "classifier": "OUTDATED"},
    ),
    "a reaction": (
        Reacted(comment="IC_2", reaction="+1"),
        "addReaction",
        {"subjectId": "IC_2", "content": "THUMBS_UP"},
    ),
    "other words": (
        Reworded(comment="IC_3", body="new"),
        "updateIssueComment",
        {"id": "IC_3", "body": "new"},
    ),
}


@pytest.mark.parametrize(("courtesy", "field", "sent"), COURTESIES.values(), ids=COURTESIES)
def test_a_courtesy_is_one_of_githubs_mutations(courtesy, field, sent, api, discussion) -> None:
    api.post(GRAPHQL, json={"data": {"m0": {"clientMutationId": None}}})
    assert discussion.be_courteous([courtesy]) == [True]
    asked = json.loads(api.calls[-1].request.body)
    assert asked["variables"] == {"m0": sent}
    assert f"m0: {field}(input: $m0)" in asked["query"]


@pytest.mark.parametrize("status", [403, 404, 422, 500])
def test_courtesies_that_fail_say_so_and_nothing_else_fails(status, api, discussion) -> None:
    for _ in range(4 if status == 500 else 1):
        api.post(GRAPHQL, status=status, json={"message": "no"})
    courtesies = [courtesy for courtesy, _, _ in COURTESIES.values()]
    assert discussion.be_courteous(courtesies) == [False, False, False]


def check(discussion) -> bool:
    return discussion.check(SHA, "action_required", title="t" * 200, summary="s" * 70_000, url="https://x")


def test_a_check_is_named_like_the_bot_and_cut_to_githubs_size(api, discussion) -> None:
    api.post(f"{ROOT}/check-runs", json={"id": 1}, status=201)
    assert check(discussion)
    sent = json.loads(api.calls[0].request.body)
    assert (sent["name"], sent["head_sha"], sent["conclusion"]) == ("dryrun-bot", SHA, "action_required")
    assert len(sent["output"]["summary"]) == 65_535


def test_where_no_check_may_be_made_a_status_stands_for_it(api, discussion) -> None:
    api.post(f"{ROOT}/check-runs", status=403, json={"message": "You must authenticate via a GitHub App."})
    api.post(f"{ROOT}/statuses/{SHA}", json={"id": 1}, status=201)
    assert check(discussion)
    sent = json.loads(api.calls[1].request.body)
    assert (sent["context"], sent["state"], len(sent["description"])) == ("dryrun-bot", "pending", 140)


def test_where_neither_may_be_made_nothing_fails(api, discussion) -> None:
    api.post(f"{ROOT}/check-runs", status=403, json={"message": "no"})
    api.post(f"{ROOT}/statuses/{SHA}", status=403, json={"message": "no"})
    assert not check(discussion)


def test_a_check_that_github_finds_invalid_is_not_tried_as_a_status(api, discussion) -> None:
    api.post(f"{ROOT}/check-runs", status=422, json={"message": "no"})
    assert not check(discussion)
