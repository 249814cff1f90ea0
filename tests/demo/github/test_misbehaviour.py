"""Faults on demand: whether the effect happened, and what the client saw, are two things."""

import http.client
import time
import urllib.error
from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import (
    Answer,
    Fault,
    GitHub,
    Issue,
    Repository,
    bad_gateway,
    error,
    primary_rate_limit,
    secondary_rate_limit,
)

POST = ("POST", "/repos/acme/pocket/issues/1/comments", {"body": "hi"})
ANSWERS: dict[str, tuple[Answer, int, dict[str, str]]] = {
    "a broken server": (error(500, "Server Error"), 500, {}),
    "a page instead of JSON": (bad_gateway(), 502, {"Content-Type": "text/html"}),
    "too many writes": (secondary_rate_limit(retry_after_s=7), 403, {"Retry-After": "7"}),
    "too many, as 429": (secondary_rate_limit(retry_after_s=None, status=429), 429, {}),
    "no requests left": (primary_rate_limit(reset_at=99), 403, {"x-ratelimit-reset": "99"}),
    "not yet there": (error(404, "Not Found"), 404, {}),
}


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(("answer", "status", "headers"), ANSWERS.values(), ids=ANSWERS)
def test_a_wrong_answer_comes_before_or_after_the_effect(
    github: GitHub,
    repository: Repository,
    pull: Issue,
    ask: Callable[..., Any],
    moment: Any,
    answer: Answer,
    status: int,
    headers: dict[str, str],
) -> None:
    github.misbehave(Fault(method="POST", path="/comments$", moment=moment, answer=answer))
    reply = ask(*POST)
    assert reply.status == status
    assert headers.items() <= reply.headers.items()
    assert len(repository.comments) == (moment == "after")
    assert (github.log[-1].status, github.log[-1].was_done) == (status, moment == "after")
    assert ask(*POST).status == 201, "once only"
    github.log.clear()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_connection_ends_without_an_answer_before_or_after_the_effect(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any], moment: Any
) -> None:
    github.misbehave(Fault(moment=moment, drop=True))
    with pytest.raises((urllib.error.URLError, http.client.RemoteDisconnected, ConnectionError)):
        ask(*POST)
    assert len(repository.comments) == (moment == "after")
    assert (github.log[-1].status, github.log[-1].line) == (None, f"POST {POST[1]} -> None")


def test_the_nth_request_that_matches_is_the_one(
    github: GitHub, pull: Issue, ask: Callable[..., Any]
) -> None:
    fault = github.misbehave(Fault(method="GET", path="/pulls/", nth=2, times=2, answer=error(503, "No")))
    seen = []
    for _ in range(4):
        seen.append(ask("GET", "/repos/acme/pocket/pulls/1").status)
        assert ask("GET", "/repos/acme/pocket/issues/1").status == 200
    assert seen == [200, 503, 503, 200]
    assert fault.has_struck


def test_a_fault_without_an_end_lasts_until_it_behaves_again(
    github: GitHub, pull: Issue, ask: Callable[..., Any]
) -> None:
    github.misbehave(Fault(times=None, answer=secondary_rate_limit(status=429)))
    assert [ask("GET", "/repos/acme/pocket").status for _ in range(3)] == [429, 429, 429]
    github.behave()
    assert ask("GET", "/repos/acme/pocket").status == 200


@pytest.mark.parametrize("moment", ["before", "after"])
def test_the_head_moves_just_before_or_just_after_a_request(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any], moment: Any
) -> None:
    old = repository.branch("feature")

    def somebody_pushes() -> None:
        github.push(repository, "feature", {"late.md": "!\n"}, message="Late", by="acme")

    github.misbehave(Fault(path="/git/ref/", moment=moment, do=somebody_pushes))
    seen = ask("GET", "/repos/acme/pocket/git/ref/heads/feature").body["object"]["sha"]
    assert repository.branch("feature") != old
    assert (seen == old) == (moment == "after")


def test_a_slow_answer_is_slow_and_holds_nobody_else_up(
    github: GitHub, pull: Issue, ask: Callable[..., Any]
) -> None:
    import threading

    github.misbehave(Fault(path="/pulls/1$", delay_s=0.6))
    slow = threading.Thread(target=ask, args=("GET", "/repos/acme/pocket/pulls/1"))
    began = time.monotonic()
    slow.start()
    while not any(fault.seen for fault in github._hub.faults):
        time.sleep(0.005)
    assert ask("GET", "/repos/acme/pocket/issues/1").status == 200
    assert slow.is_alive(), "the other request is answered first"
    slow.join()
    assert time.monotonic() - began >= 0.6
