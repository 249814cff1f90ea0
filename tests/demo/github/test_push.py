"""What GitHub does by itself when a branch has moved."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.bare import NO_SHA, RefUpdate
from bot.demo.github.commit_object import read_commit
from bot.demo.github.push import push, touches_workflows
from bot.demo.github.state import node_id


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


@pytest.mark.parametrize("lets", [True, False], ids=["edits by maintainers allowed", "not allowed"])
def test_a_maintainer_moves_a_fork_s_branch_where_its_pull_request_lets_them(
    github: GitHub, repository: Repository, ask: Callable[..., Any], *, lets: bool
) -> None:
    fork = github.fork(repository, "tom")
    tip = github.push(fork, "idea", {"idea.md": "hm\n"}, message="Have an idea", by="tom")
    issue = github.open_pull(repository, "tom:idea", by="tom", title="An idea")
    assert issue.pull is not None
    issue.pull.maintainer_can_modify = lets
    sent = {
        "message": "Help",
        "tree": read_commit(fork.bare.git("cat-file", "commit", tip)).tree,
        "parents": [tip],
    }
    at = "/repos/tom/pocket/git"
    made = ask("POST", f"{at}/commits", sent, by="maja")
    assert made.status == (201 if lets else 403)
    sha = made.body["sha"] if lets else tip
    query = "mutation M($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"
    moves = [{"name": "refs/heads/idea", "beforeOid": tip, "afterOid": sha}]
    sent = {"repositoryId": node_id("R", fork.id), "refUpdates": moves}
    said = ask("POST", "/graphql", {"query": query, "variables": {"input": sent}}, by="maja").body
    assert ("errors" not in said) is lets
    assert fork.branch("idea") == issue.pull.head_sha == sha
    other = ask("PATCH", f"{at}/refs/heads/main", {"sha": sha}, by="maja")
    assert other.status == 403, "that branch and no other"
    assert ask("PATCH", f"{at}/refs/heads/idea", {"sha": sha}, by="eve").status == 403
