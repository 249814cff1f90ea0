"""The person's repository, found from any folder in it; nothing in it makes git do anything."""

from pathlib import Path

import pytest
from real_git import Link, commit_all, committed, git, lay

from bot.errors import CheckoutFailed
from bot.outside.own_repository import NO_COMMIT, OwnRepository

FILES = {"a.txt": b"one\n", ".gitignore": b"*.log\nbuild/\n", "sub/b.txt": b"two\n", "link": Link("a.txt")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "pocket"
    committed(root, FILES)
    return root


def opened(folder: Path) -> OwnRepository:
    return OwnRepository.opened(folder, home={"HOME": str(folder)})


def test_it_is_found_from_a_folder_inside(root: Path) -> None:
    assert opened(root / "sub").root == root.resolve()


@pytest.mark.parametrize("name", ["not/there", "a.txt"])
def test_what_is_no_folder_is_said(root: Path, name: str) -> None:
    with pytest.raises(CheckoutFailed, match="is not a folder"):
        opened(root / name)


def test_a_folder_that_git_knows_nothing_of_is_said(tmp_path: Path) -> None:
    with pytest.raises(CheckoutFailed, match="not in a git work tree"):
        opened(tmp_path)


COMPLAINTS = {
    "a broken configuration": ("config", "[core\n", "bad config"),
    "an extension that this git doesn't know": (
        "config",
        "[core]\nrepositoryformatversion = 1\n[extensions]\nrefutable = 1\n",
        "unknown repository extension",
    ),
    "another format of objects": (
        "config",
        "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n",
        "names its objects by SHA-256",
    ),
}


@pytest.mark.parametrize(("file", "content", "said"), COMPLAINTS.values(), ids=COMPLAINTS)
def test_a_repository_that_can_not_be_worked_in_is_not_called_none(
    root: Path, file: str, content: str, said: str
) -> None:
    (root / ".git" / file).write_text(content)
    with pytest.raises(CheckoutFailed, match=said) as failed:
        opened(root)
    assert str(root) in failed.value.what


NAMES = {
    "git@github.com:acme/widgets.git": "acme/widgets",
    "https://github.com/acme/widgets": "acme/widgets",
    "https://user:secret@example.com/deep/acme/widgets.git/": "acme/widgets",
    "ssh://git@host:22/acme/widgets.git": "acme/widgets",
    "C:\\somewhere": "pocket",
    "": "pocket",
}


@pytest.mark.parametrize(("address", "name"), NAMES.items())
def test_it_has_the_name_that_its_remote_has(root: Path, address: str, name: str) -> None:
    git(root, "config", "remote.origin.url", address)
    assert opened(root).name == name


def test_the_newest_commit_is_named_even_if_there_is_none(root: Path, tmp_path: Path) -> None:
    assert opened(root).head_sha == git(root, "rev-parse", "HEAD").decode().strip()
    git(tmp_path, "init", "-q", "new")
    assert opened(tmp_path / "new").head_sha == NO_COMMIT


def test_a_file_is_read_as_committed_whatever_lies_in_the_work_tree(root: Path) -> None:
    (root / "a.txt").write_text("changed")
    assert opened(root).committed("a.txt") == b"one\n"
    assert opened(root).committed("nothing") is None


def test_its_private_folder_is_in_no_work_tree(root: Path, tmp_path: Path) -> None:
    assert opened(root).private_folder == root.resolve() / ".git" / "dryrun-bot"
    git(root, "worktree", "add", "-q", str(tmp_path / "other"))
    other = opened(tmp_path / "other").private_folder
    assert other.is_relative_to(root.resolve() / ".git" / "worktrees")


def test_a_copy_counts_what_git_would_track_there(root: Path, tmp_path: Path) -> None:
    """By its own ignore rules; a tracked file counts although it is ignored."""
    (root / "kept.log").write_text("tracked")
    commit_all(root)
    copy = tmp_path / "copy"
    lay(
        copy,
        {
            ".gitignore": b"*.log\nbuild/\n*.tmp\n",
            "a.txt": b"1",
            "kept.log": b"2",
            "new.log": b"3",
            "new.tmp": b"4",
            "build/out": b"5",
            'odd "name"\n.txt': b"6",
            "inner/.git/config": b"7",
            "link": Link("/etc/passwd"),
        },
    )
    assert opened(root).counted_in(copy) == [".gitignore", "a.txt", "kept.log", "link", 'odd "name"\n.txt']


def test_nothing_is_run_that_the_repository_configures(root: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.x.clean", "alias.ls-files"):
        git(root, "config", key, f"touch {marker}")
    hook = root / ".git/hooks/post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    (root / ".gitattributes").write_text("* filter=x\n")
    repository = opened(root)
    assert list(repository.tree().entries)
    assert repository.committed("a.txt")
    assert repository.counted_in(root)
    assert repository.name
    assert not marker.exists()
