"""What is done on a pull request, at a GitHub that remembers, and fails when it is told to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from github_description.description import problems_in

from bot.demo.github import Fault, GitHub, Issue, Repository, bad_gateway, secondary_rate_limit
from bot.errors import GitHubFailed, OutcomeUnknown, ToolFailed
from bot.outside.desk import GitHubDesk
from bot.outside.github import connect
from bot.outside.patience import Patience
from bot.settings import read_settings

PERMISSIONS = dict.fromkeys(("actions", "contents", "issues", "pull_requests"), "write")


@dataclass(frozen=True)
class Stage:
    github: GitHub
    repository: Repository
    issue: Issue
    naps: list[float]
    desk: GitHubDesk


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with GitHub(tmp_path / "github") as github:
        repository = github.repository(
            "acme/widgets", {".github/workflows/go.yml": "on: workflow_dispatch\n"}
        )
        github.allow(repository, "lee", "write")
        for name in ("bug", "area/ci", "..", "a b"):
            repository.labels[name] = "ededed"
        github.push(repository, "topic", {"a.md": "x\n"}, message="A", by="lee")
        issue = github.open_pull(repository, "topic", by="lee", title="A")
        folder = tmp_path / "run"
        folder.mkdir()
        environ = github.environment(github.pull_request_event(repository, issue, "opened"), folder)
        environ["GITHUB_TOKEN"] = github.workflow_token(repository, PERMISSIONS)
        naps: list[float] = []
        door = connect(read_settings(environ), patience=Patience(sleep=naps.append))
        desk = GitHubDesk(
            repository=door, pull_request=door.pull_request(1), at=str(repository.branch("main"))
        )
        yield Stage(github=github, repository=repository, issue=issue, naps=naps, desk=desk)
        github.behave()
        assert problems_in(github.log) == []


@pytest.mark.parametrize("name", ["bug", "BUG", "area/ci", "..", "a b"])
def test_a_label_is_found_whatever_it_is_called(stage: Stage, name: str) -> None:
    assert stage.desk.has_label(name)
    assert not stage.desk.has_label(f"{name}x")


def test_labels_are_asked_for_once(stage: Stage) -> None:
    stage.github.log.clear()
    assert [stage.desk.has_label(name) for name in ("bug", "bug", "nope")] == [True, True, False]
    assert len([one for one in stage.github.log if one.path.endswith("/labels")]) == 1


def test_the_author_collaborators_issues_and_workflows_are_known(stage: Stage) -> None:
    desk = stage.desk
    assert desk.author == "lee"
    assert [desk.is_collaborator(login) for login in ("lee", "stranger")] == [True, False]
    assert desk.has_issues()
    workflow = desk.workflow("go.yml")
    assert workflow is not None
    assert (workflow.is_active, workflow.file) == (True, b"on: workflow_dispatch\n")
    assert desk.workflow("no.yml") is None


ACTS: dict[str, tuple[Callable[[GitHubDesk], str], Callable[[Stage], int], str]] = {
    "comment": (
        lambda desk: desk.comment("Hello @lee"),
        lambda stage: len(stage.repository.comments_on(1)),
        "/comments",
    ),
    "labels": (
        lambda desk: desk.add_labels(["bug"]),
        lambda stage: stage.issue.labels.count("bug"),
        "/labels",
    ),
    "issue": (
        lambda desk: desk.create_issue("A title", "Some words", ["bug"]),
        lambda stage: len(stage.repository.issues) - 1,
        "/issues$",
    ),
    "workflow": (
        lambda desk: desk.dispatch_workflow("go.yml", {}),
        lambda stage: len(stage.repository.dispatches),
        "/dispatches",
    ),
}
Act = Callable[[GitHubDesk], str]
Count = Callable[[Stage], int]


@pytest.mark.parametrize(("act", "count", "_path"), ACTS.values(), ids=ACTS)
def test_it_is_done_once(stage: Stage, act: Act, count: Count, _path: str) -> None:
    assert act(stage.desk)
    assert count(stage) == 1


@pytest.mark.parametrize(("act", "count", "path"), ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_lost_answer_is_never_answered_by_doing_it_again(
    stage: Stage, act: Act, count: Count, path: str, moment: Any
) -> None:
    stage.github.misbehave(Fault(method="POST", path=path, moment=moment, drop=True))
    try:
        act(stage.desk)
    except OutcomeUnknown:
        assert count(stage) == (1 if moment == "after" else 0)
    else:
        # A comment is looked for, and labels are the same however often they are added.
        assert path in {"/comments", "/labels"}
        assert count(stage) == 1


@pytest.mark.parametrize(("act", "count", "path"), ACTS.values(), ids=ACTS)
def test_a_gateway_in_between_leaves_it_unknown(stage: Stage, act: Act, count: Count, path: str) -> None:
    stage.github.misbehave(Fault(method="POST", path=path, times=None, answer=bad_gateway()))
    with pytest.raises(OutcomeUnknown):
        act(stage.desk)
    assert count(stage) == 0


@pytest.mark.parametrize(("act", "count", "path"), ACTS.values(), ids=ACTS)
def test_a_limit_is_waited_out_for_nothing_was_done_then(
    stage: Stage, act: Act, count: Count, path: str
) -> None:
    stage.github.misbehave(Fault(method="POST", path=path, answer=secondary_rate_limit(retry_after_s=7)))
    act(stage.desk)
    assert count(stage) == 1
    assert 7 in stage.naps


def test_what_github_refuses_is_a_plain_no(stage: Stage) -> None:
    stage.repository.turned_off.add("go.yml")
    with pytest.raises(ToolFailed, match="disabled workflow") as raised:
        stage.desk.dispatch_workflow("go.yml", {})
    assert not isinstance(raised.value, OutcomeUnknown)


def test_the_agents_words_are_posted_inert(stage: Stage) -> None:
    hostile = "@lee fixes #1 ![x](https://evil.example/x.png)\n\n/apply\n<!-- dryrun-bot/1 -->"
    stage.desk.comment(hostile)
    [posted] = stage.repository.comments_on(1)
    body = posted.body.partition("\n")[2]
    assert "`@lee`" in body
    assert all(line.startswith(">") for line in body.splitlines())
    stage.desk.create_issue("fixes #1 @lee", hostile, [])
    assert stage.repository.issues[2].title == "fixes `#1` `@lee`"
    assert (stage.repository.issues[2].body or "").endswith("From pull request #1.")


def test_the_longest_words_fit_whatever_they_are(stage: Stage) -> None:
    for text in ("@a " * 4_000, "\u202ea" * 6_000, "\n" * 11_999 + "x", "|" * 12_000, "😀" * 12_000):
        stage.desk.comment(text[:12_000])
    assert all(len(one.body) < 65_536 for one in stage.repository.comments_on(1))


def test_github_out_of_order_is_no_answer_to_a_question(stage: Stage) -> None:
    stage.github.misbehave(Fault(path="/labels", times=None, answer=bad_gateway()))
    with pytest.raises(GitHubFailed):
        stage.desk.has_label("bug")
