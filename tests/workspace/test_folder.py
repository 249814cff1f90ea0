"""No link is followed, whatever lies on disk, and a file is the old one or the new one."""

import os
import socket
from pathlib import Path

import pytest

from bot.errors import ToolFailed
from bot.workspace import Entry, Mode, blob_sha
from bot.workspace.folder import Folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    (place / "secret").write_bytes(b"secret")
    return place


@pytest.fixture
def folder(tmp_path: Path, outside: Path) -> Folder:
    root = tmp_path / "root"
    root.mkdir()
    (root / "to-file").symlink_to(outside / "secret")
    (root / "to-folder").symlink_to(outside)
    (root / "loop").symlink_to("loop")
    (root / "docs").mkdir()
    (root / "docs" / "a.md").write_bytes(b"a")
    os.mkfifo(root / "pipe")
    return Folder(root)


@pytest.mark.parametrize(
    "path",
    ["to-file", "to-folder/secret", "loop", "loop/x", "../outside/secret", "docs/../../outside/secret"],
)
def test_nothing_is_read_through_a_link_or_outside(folder: Folder, path: str) -> None:
    with pytest.raises(ToolFailed):
        folder.read(path)


@pytest.mark.parametrize("path", ["to-folder/new", "to-folder/deep/new", "loop/x", "../outside/new"])
def test_nothing_is_written_through_a_link_or_outside(folder: Folder, outside: Path, path: str) -> None:
    with pytest.raises(ToolFailed):
        folder.write(path, b"x", executable=False)
    assert [item.name for item in outside.iterdir()] == ["secret"]


def test_writing_over_a_link_replaces_the_link_itself(folder: Folder, outside: Path) -> None:
    folder.write("to-file", b"new", executable=False)
    assert (outside / "secret").read_bytes() == b"secret"
    assert folder.read("to-file") == b"new"


def test_nothing_is_deleted_through_a_link(folder: Folder, outside: Path) -> None:
    with pytest.raises(ToolFailed):
        folder.delete("to-folder/secret")
    assert (outside / "secret").exists()


def test_a_pipe_is_neither_waited_for_nor_taken_for_a_file(folder: Folder) -> None:
    assert folder.entry("pipe") is None
    with pytest.raises(ToolFailed, match="not a regular file"):
        folder.read("pipe")


def test_an_entry_has_the_mode_and_the_name_that_git_gives(folder: Folder) -> None:
    folder.write("run", b"#!", executable=True)
    assert folder.entry("run") == Entry(mode=Mode.EXECUTABLE, blob=blob_sha(b"#!"))
    assert folder.entry("docs/a.md") == Entry(mode=Mode.FILE, blob=blob_sha(b"a"))
    target = bytes((folder.root / "to-file").readlink())
    assert folder.entry("to-file") == Entry(mode=Mode.LINK, blob=blob_sha(target))
    for nothing in ("docs", "docs/b.md", "docs/a.md/x", "to-folder/secret"):
        assert folder.entry(nothing) is None


def test_writing_keeps_other_permissions_but_no_special_bits(folder: Folder) -> None:
    place = folder.root / "docs" / "a.md"
    place.chmod(0o4640)
    folder.write("docs/a.md", b"b", executable=True)
    assert place.stat().st_mode & 0o7777 == 0o750
    folder.write("docs/a.md", b"c", executable=False)
    assert place.stat().st_mode & 0o7777 == 0o640


def test_writing_breaks_a_hard_link_instead_of_changing_the_other_name(folder: Folder, outside: Path) -> None:
    os.link(outside / "secret", folder.root / "twin")
    folder.write("twin", b"new", executable=False)
    assert (outside / "secret").read_bytes() == b"secret"


def test_a_write_that_fails_leaves_the_old_file_and_no_other(folder: Folder) -> None:
    with pytest.raises(ToolFailed):
        folder.write("docs", b"x", executable=False)
    assert sorted(path.name for path in folder.root.iterdir() if path.name.startswith(".dryrun")) == []
    assert folder.read("docs/a.md") == b"a"


def test_a_name_may_be_as_long_as_names_can_be(folder: Folder) -> None:
    folder.write("n" * 255, b"x", executable=False)
    assert folder.read("n" * 255) == b"x"


def test_deleting_takes_the_folders_that_are_left_empty(folder: Folder) -> None:
    folder.write("x/y/z", b"1", executable=False)
    folder.write("x/w", b"2", executable=False)
    folder.delete("x/y/z")
    assert sorted(folder.paths()) == ["docs/a.md", "loop", "to-file", "to-folder", "x/w"]
    assert not (folder.root / "x" / "y").exists()
    folder.delete("x/w")
    assert not (folder.root / "x").exists()


def test_a_walk_finds_everything_and_says_what_git_cannot_hold(folder: Folder) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder.root / "socket"))
        found = {item.path: item.entry for item in folder.walk()}
    assert set(found) == {"docs/a.md", "loop", "pipe", "socket", "to-file", "to-folder"}
    assert found["pipe"] is None
    assert found["socket"] is None


def test_a_walk_does_not_end_in_a_bottomless_folder(folder: Folder) -> None:
    here = os.open(folder.root, os.O_RDONLY)
    for _ in range(600):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    odd = [item.path for item in folder.walk() if item.entry is None]
    assert sorted(path[:9] for path in odd) == ["deep/deep", "pipe"]
    assert "docs/a.md" in set(folder.paths())


def test_many_names_are_found_as_one_by_one(folder: Folder) -> None:
    folder.write("docs/b.md", b"b", executable=True)
    asked = ["docs/a.md", "docs/b.md", "docs/c.md", "pipe", "to-file", "to-folder/secret"]
    assert folder.blobs(asked) == {"docs/a.md": blob_sha(b"a"), "docs/b.md": blob_sha(b"b")}
    assert folder.regular(asked) == list(folder.blobs(asked))
    assert list(folder.there(asked)) == ["docs/a.md", "docs/b.md", "pipe", "to-file"]
    assert list(folder.there(["docs/a.md/x", "no/where", "docs"])) == ["docs"]

    modes = {"docs/a.md": Mode.FILE, "docs/b.md": Mode.EXECUTABLE, "to-file": Mode.LINK}
    assert folder.modes(asked) == modes
    assert folder.modes(["docs", "no/where", "to-folder/secret"]) == {}
