"""The names git gives to things, and what is refused whatever the workspace."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_git import Executable, Link, committed, git

from bot.errors import ToolFailed
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.workspace import Entry, Mode, blob_sha, check_file, check_writable, parents, tree_objects, tree_sha
from bot.workspace.overlay import Overlay

FILES = {
    "a": b"",
    "a-b": b"1",
    "a.b": b"2",
    "a0/x": b"3",
    "b/a": b"4",
    "b.c": b"5",
    "b0": b"6",
    "Z/ä/ö": "ü".encode(),
    "link": Link("../outside"),
    "run": Executable(b"#!/bin/sh\n"),
    "docs/index.md": b"# Index\n",
}


@pytest.fixture(scope="module")
def overlay(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("repository")
    with CommitTree(committed(folder, FILES), folder=folder, remote=None) as tree:
        yield Overlay(tree, Ripgrep())


def test_a_blob_has_the_name_that_git_gives_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for content in (b"", b"x", b"\0\xff\r\n", b"y" * 70_000):
        assert blob_sha(content) == git(tmp_path, "hash-object", "--stdin", stdin=content).decode().strip()


def test_a_tree_has_the_name_that_git_gives_it(tmp_path: Path) -> None:
    with CommitTree(committed(tmp_path, FILES), folder=tmp_path, remote=None) as tree:
        assert tree_sha(tree.entries) == git(tmp_path, "rev-parse", "HEAD^{tree}").decode().strip()


def test_the_objects_of_a_tree_are_gits_own_and_its_root_is_the_last(tmp_path: Path) -> None:
    with CommitTree(committed(tmp_path, FILES), folder=tmp_path, remote=None) as tree:
        made = tree_objects(tree.entries)
    listed = git(tmp_path, "ls-tree", "-r", "-d", "--format=%(objectname)", "HEAD").decode().split()
    root = git(tmp_path, "rev-parse", "HEAD^{tree}").decode().strip()
    assert set(made) == {*listed, root}
    assert next(reversed(made)) == root
    assert all(git(tmp_path, "cat-file", "tree", name) == body for name, body in made.items())


def test_a_tree_without_entries_has_the_name_of_gits_empty_tree() -> None:
    assert tree_sha({}) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


MODES = [Mode.FILE, Mode.EXECUTABLE, Mode.LINK]
NAMES = st.text(alphabet="ab.-0~é", min_size=1, max_size=3).filter(lambda name: name not in {".", ".."})


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.tuples(NAMES, NAMES), st.sampled_from([Mode.FILE, Mode.EXECUTABLE, Mode.LINK]), max_size=12
    )
)
def test_any_tree_has_the_name_that_git_gives_it(
    tmp_path_factory: pytest.TempPathFactory, modes: dict[tuple[str, str], Mode]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    git(folder, "init", "-q")
    blob = git(folder, "hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    entries = {"/".join(names): Entry(mode=mode, blob=blob) for names, mode in modes.items()}
    rows = "".join(f"{entry.mode.value} {blob}\t{path}\0" for path, entry in entries.items())
    git(folder, "update-index", "-z", "--index-info", stdin=rows.encode())
    assert tree_sha(entries) == git(folder, "write-tree").decode().strip()


SHAPES = {
    "nothing": "",
    "the root": "/etc/passwd",
    "the folder above": "../x",
    "the folder above, from within": "docs/../../x",
    "a dot": "./x",
    "a slash too many": "docs//x",
    "a slash at the end": "docs/",
    "a zero byte": "a\0b",
    "git's own folder": ".git/hooks/pre-commit",
    "git's own folder below another": "sub/.git/config",
    "git's own folder in capitals": ".GIT/config",
    "git's own folder by its short name": "GIT~1/config",
    "a lone surrogate": "a\ud800",
    "a name that no file system takes": "n" * 256,
    "a path that is too long": "/".join(["folder"] * 200),
}


@pytest.mark.parametrize("path", SHAPES.values(), ids=SHAPES)
def test_a_path_of_bad_shape_is_neither_read_nor_written_nor_deleted(overlay: Overlay, path: str) -> None:
    for work in (
        lambda: check_writable(overlay, path),
        lambda: check_file(overlay, path),
        lambda: overlay.write(path, b"x"),
        lambda: overlay.read(path),
        lambda: overlay.delete(path),
    ):
        with pytest.raises(ToolFailed):
            work()
    assert overlay.changes() == ()


IN_THE_WAY = {
    "a file as a folder": ("docs/index.md/x", "docs/index.md is a file, not a folder"),
    "a link as a folder": ("link/x", "link is a symbolic link, not a folder"),
    "a link": ("link", "link is a symbolic link"),
    "a folder": ("docs", "docs is a folder"),
}


@pytest.mark.parametrize(("path", "reason"), IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_what_is_in_the_way_is_named(overlay: Overlay, path: str, reason: str) -> None:
    for work in (check_file, check_writable):
        with pytest.raises(ToolFailed, match=reason):
            work(overlay, path)


def test_a_missing_file_is_said_to_be_missing(overlay: Overlay) -> None:
    with pytest.raises(ToolFailed, match=r"there is no file docs/other\.md"):
        check_file(overlay, "docs/other.md")


def test_the_folders_of_a_path_are_named_from_the_outside_in() -> None:
    assert list(parents("a/b/c")) == ["a", "a/b"]
    assert list(parents("a")) == []
