from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository

AT = "/repos/acme/pocket/pulls"
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a head that is not there": ({"head": "none"}, "invalid"),
    "a base that is not there": ({"base": "none"}, "invalid"),
    "a fork that is not there": ({"head": "eve:idea"}, "invalid"),
    "the same again": ({}, "A pull request already exists for acme:feature."),
}


@pytest.mark.parametrize(("given", "words"), WRONG.values(), ids=WRONG)
def test_a_pull_request_is_not_opened(
    repository: Repository, pull: Issue, ask: Callable[..., Any], given: dict[str, Any], words: str
) -> None:
    sent = {"title": "t", "head": "feature", "base": "main"} | given
    reply = ask("POST", AT, sent)
    assert reply.status == 422
    assert words in str(reply.body["errors"])
    assert len(repository.issues) == 1


def test_it_is_listed_by_state_head_and_base(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    def numbers(query: str) -> list[int]:
        return [one["number"] for one in ask("GET", AT + query).body]

    github.push(repository, "other", {"o": "1\n"}, message="o", by="maja")
    github.open_pull(repository, "other", by="maja", title="Other", base="feature", draft=True)
    assert numbers("") == [2, 1]
    assert numbers("?head=acme:other") == [2]
    assert numbers("?base=main") == [1]
    github.close(repository, pull, by="maja")
    assert (numbers(""), numbers("?state=closed"), numbers("?state=all")) == ([2], [1], [2, 1])
    assert ask("GET", f"{AT}/2").body["draft"] is True


def test_it_is_closed_reopened_and_renamed(
    repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    assert ask("PATCH", f"{AT}/1", {"title": "Mine"}, by="tom").status == 403
    assert ask("PATCH", f"{AT}/1", {"title": "A cat", "state": "closed"}, by="acme").body["state"] == "closed"
    reopened = ask("PATCH", f"{AT}/1", {"state": "open"}).body
    assert (reopened["state"], reopened["closed_at"], reopened["title"]) == ("open", None, "A cat")


def test_one_whose_branch_is_gone_stays_closed(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    github.move(repository, "feature", None)
    assert ask("PATCH", f"{AT}/1", {"state": "open"}).status == 422
    assert ask("GET", f"{AT}/1").body["state"] == "closed"


def test_one_that_conflicts_says_so(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    assert ask("GET", f"{AT}/1").body["mergeable_state"] == "clean"
    github.push(repository, "main", {"docs/a.md": "no cat\n"}, message="no", by="maja")
    told = ask("GET", f"{AT}/1").body
    assert (told["mergeable"], told["mergeable_state"], told["merge_commit_sha"]) == (False, "dirty", None)
    with pytest.raises(ValueError, match="conflicts"):
        github.merge(repository, pull, by="maja")


def test_a_merged_one_says_by_whom(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    sha = github.merge(repository, pull, by="maja")
    told = ask("GET", f"{AT}/1").body
    assert (told["merged"], told["state"], told["merged_by"]["login"]) == (True, "closed", "maja")
    assert told["merge_commit_sha"] == sha
    with pytest.raises(ValueError, match="cannot be merged"):
        github.merge(repository, pull, by="maja")


def test_its_files_and_commits_are_its_own_only(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    github.push(repository, "main", {"elsewhere.md": "e\n"}, message="e", by="maja")
    github.push(repository, "feature", {"more.md": "m\n"}, message="More", by="acme")
    assert [file["filename"] for file in ask("GET", f"{AT}/1/files").body] == ["docs/a.md", "more.md"]
    messages = [one["commit"]["message"] for one in ask("GET", f"{AT}/1/commits").body]
    assert messages == ["Add a dog", "More"]
    diff = ask("GET", f"{AT}/1", accept="application/vnd.github.diff").body
    assert diff.startswith(b"diff --git a/docs/a.md b/docs/a.md")


def test_a_review_is_asked_of_accounts_only(pull: Issue, ask: Callable[..., Any]) -> None:
    path = f"{AT}/1/requested_reviewers"
    assert ask("POST", path, {"reviewers": ["maja", "maja"]}).status == 201
    assert ask("POST", path, {"reviewers": ["nobody-here"]}).status == 422
    assert pull.pull is not None
    assert [one.login for one in pull.pull.reviewers] == ["maja"]


def test_an_issue_is_not_found_among_them(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    number = github.open_issue(repository, by="tom", title="Why?").number
    assert ask("GET", f"{AT}/{number}").status == 404
    assert ask("GET", f"/repos/acme/pocket/issues/{number}").status == 200


@pytest.mark.parametrize("number", ["0", "99", "-1", "1e1", "9" * 30, "1%00"])
def test_a_number_that_is_none_is_not_found(pull: Issue, ask: Callable[..., Any], number: str) -> None:
    assert ask("GET", f"{AT}/{number}").status == 404
