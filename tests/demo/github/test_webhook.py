"""Payloads agree with GitHub's published schemas, in the variants its own examples lack."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from github_description.description import webhook_problems

from bot.demo.github import Event, GitHub, Issue, Repository

Make = Callable[[GitHub, Repository, Issue], Event]


def from_a_fork(github: GitHub, repository: Repository, pull: Issue) -> Event:
    fork = github.fork(repository, "tom")
    github.push(fork, "idea", {"i": "1\n"}, message="i", by="tom")
    return github.pull_request_event(
        repository, github.open_pull(repository, "tom:idea", by="tom", title="i"), "opened"
    )


def synchronize(github: GitHub, repository: Repository, pull: Issue) -> Event:
    before = repository.branch("feature")
    github.push(repository, "feature", {"i": "1\n"}, message="i", by="acme")
    return github.pull_request_event(repository, pull, "synchronize", by="acme", before=before)


def comment(action: str, by: str) -> Make:
    def make(github: GitHub, repository: Repository, pull: Issue) -> Event:
        said = github.comment(repository, pull.number, by=by, body="/apply 0123456789ab")
        return github.comment_event(repository, said, action)

    return make


def comment_on_an_issue(github: GitHub, repository: Repository, pull: Issue) -> Event:
    issue = github.open_issue(repository, by="tom", title="Why?")
    return github.comment_event(repository, github.comment(repository, issue.number, by="tom", body="/plan"))


def closed(github: GitHub, repository: Repository, pull: Issue) -> Event:
    github.close(repository, pull, by="maja")
    return github.pull_request_event(repository, pull, "closed", by="maja")


EVENTS: dict[str, Make] = {
    "opened": lambda github, repository, pull: github.pull_request_event(repository, pull, "opened"),
    "reopened": lambda github, repository, pull: github.pull_request_event(repository, pull, "reopened"),
    "opened from a fork": from_a_fork,
    "a push": synchronize,
    "closed": closed,
    "a comment by a person": comment("created", "maja"),
    "a comment by a stranger": comment("created", "tom"),
    "a comment by a bot": comment("created", "github-actions[bot]"),
    "a comment edited": comment("edited", "maja"),
    "a comment deleted": comment("deleted", "maja"),
    "a comment on an issue": comment_on_an_issue,
    "a dispatch": lambda github, repository, _: github.dispatch_event(
        repository, {"pull-request": "1", "task": "tidy"}, by="maja"
    ),
}


@pytest.mark.parametrize("make", EVENTS.values(), ids=EVENTS)
def test_a_payload_is_as_github_describes_it(
    github: GitHub, repository: Repository, pull: Issue, make: Make
) -> None:
    event = make(github, repository, pull)
    assert webhook_problems(event.name, event.payload) == []


def test_a_comment_says_whether_it_is_on_a_pull_request(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    assert "pull_request" in comment("created", "tom")(github, repository, pull).payload["issue"]
    assert "pull_request" not in comment_on_an_issue(github, repository, pull).payload["issue"]


def test_a_comment_s_run_is_on_the_default_branch_and_a_pull_request_s_on_its_merge(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    said = comment("created", "tom")(github, repository, pull)
    assert (said.ref, said.sha) == ("refs/heads/main", repository.branch("main"))
    opened = github.pull_request_event(repository, pull, "opened")
    assert (opened.ref, opened.sha) == ("refs/pull/1/merge", repository.bare.ref("refs/pull/1/merge"))


def test_a_run_finds_its_event_its_files_and_nothing_of_this_machine(
    github: GitHub, repository: Repository, pull: Issue, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    event = github.pull_request_event(repository, pull, "opened")
    found = github.environment(event, run, attempt=2, triggering="maja")
    assert json.loads(Path(found["GITHUB_EVENT_PATH"]).read_text()) == event.payload
    assert (found["GITHUB_ACTOR"], found["GITHUB_TRIGGERING_ACTOR"]) == ("acme", "maja")
    assert (found["GITHUB_RUN_ATTEMPT"], found["GITHUB_REF_NAME"]) == ("2", "1/merge")
    assert (found["GITHUB_HEAD_REF"], found["GITHUB_BASE_REF"]) == ("feature", "main")
    assert found["GITHUB_API_URL"] == found["GITHUB_SERVER_URL"] == github.url
    assert {name for name in found if not name.startswith(("GITHUB_", "RUNNER_"))} == {"CI"}
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP", "GITHUB_WORKSPACE"):
        assert Path(found[name]).exists()
        assert Path(found[name]).is_relative_to(run)


def test_an_issue_is_no_pull_request(github: GitHub, repository: Repository) -> None:
    issue = github.open_issue(repository, by="tom", title="Why?")
    with pytest.raises(ValueError, match="is an issue"):
        github.pull_request_event(repository, issue, "opened")
