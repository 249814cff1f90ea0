"""The real git client, as actions/checkout and people use it."""

import os
import subprocess
from pathlib import Path

import pytest

from bot.demo.github import GitHub, Issue, Repository


def git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    who = ("-c", "user.name=Tom", "-c", "user.email=tom@example.org")
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def clone(github: GitHub, repository: Repository, tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    done = git(folder, "clone", "--quiet", f"{github.url}/acme/pocket.git", ".")
    assert done.returncode == 0, done.stderr
    (folder / "new.md").write_text("new\n")
    git(folder, "add", "new.md")
    git(folder, "commit", "--quiet", "--message", "New")
    return folder


def test_a_clone_has_the_bytes_and_modes(clone: Path) -> None:
    assert (clone / "docs/dos.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert (clone / "run.sh").stat().st_mode & 0o100
    assert (clone / "link").is_symlink()


def test_any_commit_of_a_pull_request_is_fetched_by_its_name(
    github: GitHub, repository: Repository, pull: Issue, clone: Path
) -> None:
    assert pull.pull is not None
    for name in (pull.pull.head_sha, "refs/pull/1/head", "refs/pull/1/merge"):
        done = git(clone, "fetch", "--quiet", "--depth=1", "origin", name)
        assert done.returncode == 0, done.stderr


WHO = {
    "a writer pushes": ("maja", True),
    "a reader does not": ("tom", False),
    "nobody does not": (None, False),
    "a workflow with contents: write does": ({"contents": "write"}, True),
    "a workflow with contents: read does not": ({"contents": "read"}, False),
}


@pytest.mark.parametrize(("who", "expected"), WHO.values(), ids=WHO)
def test_only_who_may_write_pushes(
    github: GitHub,
    repository: Repository,
    pull: Issue,
    clone: Path,
    who: str | dict[str, str] | None,
    *,
    expected: bool,
) -> None:
    before = repository.branch("feature")
    url = f"{github.url}/acme/pocket"
    if who is not None:
        token = github.token(who) if isinstance(who, str) else github.workflow_token(repository, who)
        url = url.replace("http://", f"http://x-access-token:{token}@")
    done = git(clone, "push", "--quiet", "--force", url, "HEAD:refs/heads/feature")
    assert (done.returncode == 0) is expected, done.stderr
    assert (repository.branch("feature") != before) is expected
    assert pull.pull is not None
    assert pull.pull.head_sha == repository.branch("feature"), "open pull requests follow a push"


def test_a_private_repository_is_cloned_with_a_token_only(github: GitHub, tmp_path: Path) -> None:
    github.repository("acme/secret", {"a": "1\n"}, private=True)
    assert git(tmp_path, "clone", "--quiet", f"{github.url}/acme/secret", "one").returncode == 128
    url = github.url.replace("http://", f"http://x:{github.token('acme')}@")
    assert git(tmp_path, "clone", "--quiet", f"{url}/acme/secret", "two").returncode == 0
    assert git(tmp_path, "clone", "--quiet", f"{url}/acme/none", "three").returncode == 128
