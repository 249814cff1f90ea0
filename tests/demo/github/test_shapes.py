"""What the description cannot say: which words GitHub chooses, and when."""

from datetime import UTC, datetime

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.shapes import account_shape, association, issue_shape, moment, reactions_shape
from bot.demo.github.state import Reaction


def test_a_moment_is_utc_in_whole_seconds() -> None:
    assert moment(datetime(2026, 5, 4, 1, 2, 3, tzinfo=UTC)) == "2026-05-04T01:02:03Z"
    assert moment(None) is None


def test_a_bot_is_one_by_type_and_its_brackets_are_quoted_in_addresses(github: GitHub) -> None:
    shape = account_shape(github.actions, github.urls)
    assert (shape["type"], shape["login"]) == ("Bot", "github-actions[bot]")
    assert shape["url"] == f"{github.url}/users/github-actions%5Bbot%5D"
    assert shape["html_url"] == f"{github.url}/apps/github-actions"


@pytest.mark.parametrize(("login", "word"), [("acme", "OWNER"), ("maja", "COLLABORATOR"), ("tom", "NONE")])
def test_the_word_beside_a_name_says_what_somebody_is_here(
    github: GitHub, repository: Repository, login: str, word: str
) -> None:
    assert association(repository, github.account(login)) == word


def test_a_pull_request_is_an_issue_with_one_key_more(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    issue = github.open_issue(repository, by="tom", title="A question")
    assert "pull_request" in issue_shape(repository, pull, github.urls)
    shape = issue_shape(repository, issue, github.urls)
    assert "pull_request" not in shape
    assert shape["html_url"] == f"{github.url}/acme/pocket/issues/2"


def test_reactions_are_counted_by_kind(github: GitHub) -> None:
    tom = github.account("tom")
    kinds = ("eyes", "rocket", "eyes")
    given = [Reaction(id=n, content=kind, author=tom, at=github.state.now()) for n, kind in enumerate(kinds)]
    shape = reactions_shape(given, "http://x")
    assert (shape["eyes"], shape["rocket"], shape["heart"], shape["total_count"]) == (2, 1, 0, 3)
