"""git reads, and nothing in a repository or around it makes it do anything else."""

import os
from pathlib import Path

import pytest
from real_git import commit_all, committed, git, lay

from bot.outside.git import Git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    committed(folder, {"a": b"one\n", "b": b"\0\xff"})
    return folder


def test_it_says_what_git_says(repository: Path) -> None:
    assert Git(repository).says("rev-parse", "HEAD") == git(repository, "rev-parse", "HEAD")
    assert Git(repository).says("rev-parse", "no-such-thing") is None
    assert Git(repository / "nowhere").says("rev-parse", "HEAD") is None


def test_objects_come_by_name_through_one_process(repository: Path) -> None:
    objects = Git(repository).objects()
    names = {path: git(repository, "rev-parse", f"HEAD:{path}").decode().strip() for path in ("a", "b")}
    for _ in range(3):
        assert objects.blob(names["a"]) == b"one\n"
        assert objects.blob(names["b"]) == b"\0\xff"
        assert objects.blob("0" * 40) is None
        assert objects.blob(git(repository, "rev-parse", "HEAD").decode().strip()) is None
    objects.close()
    assert objects.blob(names["a"]) == b"one\n"
    objects.close()


def test_a_repository_of_another_user_is_read(repository: Path) -> None:
    for path in [repository, *repository.rglob("*")]:
        os.chown(path, 12345, 12345)
    assert Git(repository).says("rev-parse", "HEAD") is not None


def test_hooks_monitors_and_filters_are_not_run(repository: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho ran >> {trace}\ncat\n")
    trap.chmod(0o755)
    hooks = repository / ".git" / "hooks"
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
    for key in (
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.external",
        "core.pager",
        "core.sshCommand",
    ):
        git(repository, "config", key, str(trap))
    lay(repository, {".gitattributes": b"* filter=x\n", "c": b"new\n"})
    (repository / "a").write_bytes(b"dirty\n")
    read = Git(repository)
    assert read.says("ls-tree", "-r", "-z", "HEAD") is not None
    assert read.says("ls-files", "-co", "--exclude-standard", "-z") is not None
    assert read.objects().blob(git(repository, "rev-parse", "HEAD:a").decode().strip()) == b"one\n"
    assert not trace.exists()


def test_replaced_objects_are_not_believed(repository: Path) -> None:
    name = git(repository, "rev-parse", "HEAD:a").decode().strip()
    evil = git(repository, "hash-object", "-w", "--stdin", stdin=b"evil\n").decode().strip()
    git(repository, "replace", name, evil)
    assert Git(repository).objects().blob(name) == b"one\n"


def test_a_partial_clone_does_not_fetch(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repository}", str(clone))
    name = git(repository, "rev-parse", "HEAD:a").decode().strip()
    packs = sorted(path.name for path in clone.rglob("*.pack"))
    objects = Git(clone).objects()
    assert objects.blob(name) is None
    assert objects.blob("0" * 40) is None
    assert sorted(path.name for path in clone.rglob("*.pack")) == packs


def test_a_repository_hidden_in_the_files_is_not_taken_for_one(tmp_path: Path) -> None:
    inner = tmp_path / "checkout"
    git(tmp_path, "init", "-q", "--bare", str(inner))
    assert Git(inner).says("rev-parse", "--git-dir") is None


def test_looking_changes_nothing(repository: Path) -> None:
    (repository / "a").touch()
    before = {path: path.lstat().st_mtime_ns for path in repository.rglob("*")}
    read = Git(repository)
    read.says("ls-files", "-co", "--exclude-standard", "-z")
    read.says("status", "--porcelain")
    assert {path: path.lstat().st_mtime_ns for path in repository.rglob("*")} == before


def test_only_a_person_has_ignore_rules_of_their_own(repository: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    lay(home, {".config/git/ignore": b"*.mine\n"})
    lay(repository, {"x.mine": b"1"})
    listed = ("ls-files", "-o", "--exclude-standard")
    assert Git(repository).says(*listed) == b"x.mine\n"
    assert Git(repository, home={"HOME": str(home)}).says(*listed) == b""
    assert commit_all(repository)
