"""Real files: what git ignores is left alone, and what really lies there is told to the byte."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_git import Executable, Link, committed

from bot.errors import ToolFailed
from bot.outside.checkout import CommitTree, materialise
from bot.outside.search import Ripgrep
from bot.outside.work_tree import WorkTree
from bot.workspace import Entry, Mode, Workspace, blob_sha
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay

FILES = {
    "a.txt": b"alpha\n",
    "run.sh": Executable(b"#!/bin/sh\n"),
    "link": Link("a.txt"),
    ".gitignore": b"*.log\nbuild\ntrap\n",
}


@pytest.fixture
def clean(tmp_path: Path) -> Disk:
    """A commit's files in a folder of their own, as an apply has them."""
    with CommitTree(
        committed(tmp_path / "repository", FILES), folder=tmp_path / "repository", remote=None
    ) as tree:
        materialise(tree, tmp_path / "files")
        return Disk(tmp_path / "files", tree, Ripgrep())


@pytest.fixture
def person(tmp_path: Path) -> tuple[Disk, Path]:
    """A person's work tree, with things in it that git ignores."""
    folder = tmp_path / "work"
    committed(folder, FILES)
    (folder / "debug.log").write_bytes(b"mine\n")
    (folder / "build").mkdir()
    (folder / "build" / "out.txt").write_bytes(b"mine\n")
    (folder / "trap").symlink_to(tmp_path)
    (folder / "untracked.txt").write_bytes(b"new\n")
    tree = WorkTree(folder)
    return Disk(folder, tree, Ripgrep(), listing=tree.listing), folder


def test_the_state_is_that_of_the_commit_at_first(clean: Disk) -> None:
    state = clean.state()
    assert state.odd == ()
    assert state.entries["run.sh"] == Entry(mode=Mode.EXECUTABLE, blob=blob_sha(b"#!/bin/sh\n"))
    assert state.entries["link"] == Entry(mode=Mode.LINK, blob=blob_sha(b"a.txt"))
    assert list(state.entries) == [".gitignore", "a.txt", "link", "run.sh"]


def test_what_a_command_left_behind_is_seen(clean: Disk, tmp_path: Path) -> None:
    files = tmp_path / "files"
    (files / "deep" / "er").mkdir(parents=True)
    (files / "deep" / "er" / "new").write_bytes(b"1")
    (files / "a.txt").chmod(0o755)
    (files / "evil").symlink_to("/etc/passwd")
    os.mkfifo(files / "pipe")
    state = clean.state()
    assert state.odd == ("pipe",)
    assert state.entries["deep/er/new"] == Entry(mode=Mode.FILE, blob=blob_sha(b"1"))
    assert state.entries["a.txt"].mode is Mode.EXECUTABLE
    assert state.entries["evil"].mode is Mode.LINK
    assert "deep/er/new" in clean.paths()
    with pytest.raises(ToolFailed, match="evil is a symbolic link"):
        clean.read("evil")
    with pytest.raises(ToolFailed, match="doesn't track"):
        clean.write("pipe", b"x")


@pytest.mark.parametrize("path", ["debug.log", "build/out.txt", "trap", "trap/x"])
def test_what_git_ignores_is_not_there_and_not_written_over(person: tuple[Disk, Path], path: str) -> None:
    disk, folder = person
    assert path not in disk.paths()
    assert disk.entry(path) is None
    with pytest.raises(ToolFailed):
        disk.read(path)
    with pytest.raises(ToolFailed):
        disk.delete(path)
    with pytest.raises(ToolFailed):
        disk.write(path, b"ours\n")
    assert (folder / "debug.log").read_bytes() == b"mine\n"
    assert (folder / "build" / "out.txt").read_bytes() == b"mine\n"
    assert (folder / "trap").is_symlink()
    assert not (folder / "trap" / "x").exists()


def test_new_files_count_and_so_do_those_made_since(person: tuple[Disk, Path]) -> None:
    disk, folder = person
    disk.write("untracked.txt", b"changed\n")
    disk.write("made/here.log", b"1\n")
    disk.write("made/here.log", b"2\n")
    (folder / "by-a-command.txt").write_bytes(b"3\n")
    assert disk.read("made/here.log") == b"2\n"
    assert {"untracked.txt", "made/here.log", "by-a-command.txt"} <= set(disk.paths())
    assert disk.read("by-a-command.txt") == b"3\n"
    disk.write("by-a-command.txt", b"4\n")
    disk.delete("made/here.log")
    assert "made/here.log" not in disk.paths()


def test_a_search_does_not_look_through_a_link(clean: Disk, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"alpha\n")
    (tmp_path / "files" / "evil").symlink_to(tmp_path / "outside")
    found = clean.search("alpha", fixed=True, ignore_case=False, paths=clean.paths(), most=9)
    assert [match.path for match in found] == ["a.txt"]


PLACES = [
    "a.txt",
    "untracked.txt",
    "link",
    "debug.log",
    "new.log",
    "build",
    "build/out.txt",
    "build/new",
    "trap/x",
]
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "delete"]), st.sampled_from([*PLACES, "sub/new"])), max_size=8
)


def worked(workspace: Workspace, what: str, path: str) -> bool:
    try:
        workspace.write(path, b"ours\n") if what == "write" else workspace.delete(path)
    except ToolFailed:
        return False
    return True


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_what_worked_in_a_rehearsal_works_in_a_persons_work_tree(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("work")
    committed(folder, FILES)
    for path in ("debug.log", "build/out.txt", "untracked.txt"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(b"mine\n")
    (folder / "trap").symlink_to(folder.parent)
    tree = WorkTree(folder)
    overlay = Overlay(tree, Ripgrep())
    disk = Disk(folder, tree, Ripgrep(), listing=tree.listing)
    overlay.paths()
    for what, path in steps:
        assert worked(overlay, what, path) == worked(disk, what, path), (what, path)
        assert overlay.paths() == disk.paths()
    assert (folder / "debug.log").read_bytes() == b"mine\n"
    assert (folder / "build" / "out.txt").read_bytes() == b"mine\n"
