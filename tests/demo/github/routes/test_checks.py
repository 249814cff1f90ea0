from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import Issue, Repository

AT = "/repos/acme/pocket"
WRONG: dict[str, dict[str, Any]] = {
    "no such commit": {"head_sha": "1" * 40},
    "no such status": {"status": "thinking"},
    "no such conclusion": {"conclusion": "maybe"},
    "complete without a conclusion": {"status": "completed"},
    "an output without words": {"output": {"title": "t"}},
    "too many words": {"output": {"title": "t", "summary": "x" * 65_536}},
    "no name": {"name": None},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_a_check_run_is_not_made(
    repository: Repository, pull: Issue, ask: Callable[..., Any], given: dict[str, Any]
) -> None:
    sent = {"name": "dryrun-bot", "head_sha": repository.branch("feature")} | given
    assert ask("POST", f"{AT}/check-runs", sent).status == 422
    assert repository.checks == {}


def test_a_person_cannot_make_one_and_makes_a_status_instead(
    repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    sha = repository.branch("feature")
    sent = {"name": "dryrun-bot", "head_sha": sha}
    assert ask("POST", f"{AT}/check-runs", sent, by="maja").status == 403
    status = {
        "state": "success",
        "context": "dryrun-bot",
        "description": "Planned",
        "target_url": "https://x/",
    }
    assert ask("POST", f"{AT}/statuses/{sha}", status, by="maja").status == 201
    assert ask("GET", f"{AT}/commits/feature/status").body["state"] == "success"


def test_a_check_run_goes_from_begun_to_done(
    repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    sent = {"name": "dryrun-bot", "head_sha": repository.branch("feature"), "status": "in_progress"}
    made = ask("POST", f"{AT}/check-runs", sent).body
    assert (made["status"], made["conclusion"], made["completed_at"]) == ("in_progress", None, None)
    done = ask("PATCH", f"{AT}/check-runs/{made['id']}", {"conclusion": "neutral"}).body
    assert (done["status"], done["conclusion"]) == ("completed", "neutral")
    found = ask("GET", f"{AT}/commits/feature/check-runs?check_name=dryrun-bot").body
    assert (found["total_count"], found["check_runs"][0]["id"]) == (1, made["id"])
    assert ask("GET", f"{AT}/commits/main/check-runs").body["total_count"] == 0
    assert ask("PATCH", f"{AT}/check-runs/1", {"conclusion": "neutral"}).status == 404


WRONG_STATUSES: dict[str, dict[str, Any]] = {
    "no such state": {"state": "fine"},
    "too many words": {"state": "success", "description": "x" * 141},
}


@pytest.mark.parametrize("given", WRONG_STATUSES.values(), ids=WRONG_STATUSES)
def test_a_status_is_not_made(
    repository: Repository, pull: Issue, ask: Callable[..., Any], given: dict[str, Any]
) -> None:
    assert ask("POST", f"{AT}/statuses/{repository.branch('feature')}", given).status == 422
    assert ask("POST", f"{AT}/statuses/{'1' * 40}", {"state": "success"}).status == 422
    assert repository.statuses == []


def test_the_worst_of_the_latest_statuses_counts(
    repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    def combined() -> str:
        return str(ask("GET", f"{AT}/commits/feature/status").body["state"])

    path = f"{AT}/statuses/{repository.branch('feature')}"
    assert combined() == "pending"
    for context, state in (("a", "failure"), ("b", "success")):
        ask("POST", path, {"context": context, "state": state})
    assert combined() == "failure"
    ask("POST", path, {"context": "a", "state": "success"})
    assert combined() == "success"
    assert [one["state"] for one in ask("GET", f"{AT}/commits/feature/statuses").body] == [
        "success",
        "success",
        "failure",
    ]
