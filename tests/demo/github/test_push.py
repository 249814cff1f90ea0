"""What GitHub does by itself when a branch has moved."""

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.bare import NO_SHA, RefUpdate
from bot.demo.github.push import push, touches_workflows


def told(issue: Issue) -> list[str]:
    return [one.what for one in issue.timeline]


def test_a_push_moves_the_pull_requests_head_and_its_refs(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    sha = github.push(repository, "feature", {"new.md": "n\n"}, message="New", by="acme")
    assert pull.pull is not None
    assert pull.pull.head_sha == sha == repository.bare.ref("refs/pull/1/head")
    merged = repository.bare.git("log", "-1", "--format=%P", "refs/pull/1/merge").decode().split()
    assert merged == [repository.branch("main"), sha]
    assert told(pull) == ["commit", "commit"]


def test_a_force_push_is_told_and_its_commits_are_not_told_twice(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    assert pull.pull is not None
    first, start = pull.pull.head_sha, repository.branch("main")
    github.push(repository, "feature", {"b": "b\n"}, message="Other", by="acme", onto=start)
    assert told(pull) == ["commit", "forced", "commit"]
    assert pull.timeline[1].name == first
    github.move(repository, "feature", first)
    assert pull.pull.head_sha == first


def test_the_base_moving_shows_in_the_merge_and_lags_in_the_fields(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    assert pull.pull is not None
    before = pull.pull.base_sha
    tip = github.push(repository, "main", {"other.md": "o\n"}, message="Other", by="maja")
    assert pull.pull.base_sha == before != tip
    assert pull.pull.mergeable is True
    assert repository.bare.git("show", "refs/pull/1/merge:other.md") == b"o\n"
    github.push(repository, "main", {"docs/a.md": "another cat\n"}, message="Clash", by="maja")
    assert (pull.pull.mergeable, repository.bare.ref("refs/pull/1/merge")) == (False, None)


def test_deleting_the_branch_closes_the_pull_request(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    github.move(repository, "feature", None)
    assert pull.state == "closed"
    assert repository.bare.ref("refs/pull/1/head"), "its commits stay"


def test_a_push_that_comes_too_late_changes_nothing(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    refs = repository.bare.refs("refs/")
    late = RefUpdate(ref="refs/heads/feature", before=NO_SHA, after=str(repository.branch("main")))
    assert not push(github.state, repository, [late])
    assert repository.bare.refs("refs/") == refs
    with pytest.raises(ValueError, match="git refused"):
        github.move(repository, "a..b", repository.branch("main"))


def test_a_workflow_is_told_from_other_files(github: GitHub, repository: Repository) -> None:
    main = repository.branch("main")
    path = ".github/workflows/a.yml"
    workflow = github.push(repository, "w", {path: "on: push\n"}, message="w", by="maja", onto=main)
    other = github.push(repository, "o", {".github/a.yml": "x: 1\n"}, message="o", by="maja", onto=main)
    assert touches_workflows(repository, before=main, after=workflow)
    assert not touches_workflows(repository, before=main, after=other)
    assert touches_workflows(repository, before=None, after=workflow), "a new branch: against the default one"
