"""A person's work tree: what is on disk now, without what git ignores."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from real_git import Executable, Link, committed, git, lay

from bot.action import Call
from bot.dispatcher import Dispatcher
from bot.errors import CheckoutFailed, ToolFailed
from bot.gate.policy import Policy
from bot.outside.held import MANY
from bot.outside.search import Ripgrep
from bot.outside.work_tree import WorkTree
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace import Entry, Mode, Place, blob_sha, mode_at
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Snapshot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    inner = committed(tmp_path / "inner", {"x": b"1"})
    committed(
        made,
        {
            "a.txt": b"one\n",
            "gone.txt": b"x\n",
            "run.sh": Executable(b"#!/bin/sh\n"),
            "link": Link("a.txt"),
            ".gitignore": b"*.log\nbuild/\n.env\n",
        },
    )
    git(made, "update-index", "--add", "--cacheinfo", f"160000,{inner},module")
    (made / "module").mkdir()
    (made / "a.txt").write_bytes(b"changed one\n")
    (made / "gone.txt").unlink()
    lay(made, {"new.txt": b"one\n", "debug.log": b"one\n", "build/out": b"one\n", ".env": b"one\n"})
    (made / "trap.log").symlink_to(tmp_path)
    return made


def test_it_holds_what_is_tracked_or_new_with_the_bytes_on_disk(folder: Path, tmp_path: Path) -> None:
    tree = WorkTree(folder)
    assert list(tree.entries) == [".gitignore", "a.txt", "link", "module", "new.txt", "run.sh"]
    assert tree.entries["a.txt"] == Entry(mode=Mode.FILE, blob=blob_sha(b"changed one\n"))
    assert tree.entries["run.sh"].mode is Mode.EXECUTABLE
    assert tree.entries["link"] == Entry(mode=Mode.LINK, blob=blob_sha(b"a.txt"))
    assert tree.entries["module"].mode is Mode.SUBMODULE
    assert tree.read("a.txt") == b"changed one\n"
    assert tree.read("link") == b"a.txt"
    assert "debug.log" not in tree.entries
    assert len(tree.entries) == 6


ODD = "160000 " + "1" * 40 + " 0\tx"


def _behind_a_link(root: Path) -> None:
    (root / "sub").rename(root / "moved")
    (root / "sub").symlink_to("moved")


def _a_file_for_a_folder(root: Path) -> None:
    shutil.rmtree(root / "sub")
    (root / "sub").write_bytes(b"x")


def _a_folder_for_a_file(root: Path) -> None:
    (root / "a.txt").unlink()
    (root / "a.txt").mkdir()


def _sparse(root: Path) -> None:
    git(root, "update-index", "--skip-worktree", "sub/b.txt", "sub/c.txt")
    (root / "sub/b.txt").unlink()


def _unmerged(root: Path) -> None:
    blob = git(root, "hash-object", "-w", "a.txt").decode().strip()
    stages = "".join(f"100644 {blob} {stage}\tsub/b.txt\n" for stage in (1, 2, 3))
    git(root, "update-index", "--index-info", stdin=f"0 {'0' * 40}\tsub/b.txt\n{stages}".encode())


WAYS: Mapping[str, tuple[Callable[[Path], object], list[str]]] = {
    "nothing": (lambda _: None, [ODD, "a.txt", "sub/b.txt", "sub/c.txt"]),
    "gone": (lambda root: (root / "sub/b.txt").unlink(), [ODD, "a.txt", "sub/c.txt"]),
    "behind a link": (_behind_a_link, [ODD, "a.txt", "moved/b.txt", "moved/c.txt", "sub"]),
    "a file for a folder": (_a_file_for_a_folder, [ODD, "a.txt", "sub"]),
    "a folder for a file": (_a_folder_for_a_file, [ODD, "sub/b.txt", "sub/c.txt"]),
    "sparse": (_sparse, [ODD, "a.txt", "sub/c.txt"]),
    "unmerged": (_unmerged, [ODD, "a.txt", "sub/b.txt", "sub/c.txt"]),
}


@pytest.mark.parametrize(("change", "paths"), WAYS.values(), ids=WAYS)
def test_what_is_tracked_counts_where_it_is(
    tmp_path: Path, change: Callable[[Path], object], paths: list[str]
) -> None:
    committed(tmp_path, {"a.txt": b"a", "sub/b.txt": b"b", "sub/c.txt": b"c", ODD: b"odd"})
    change(tmp_path)
    entries = WorkTree(tmp_path).entries
    assert [path for path in entries if path in entries and entries.get(path)] == paths
    assert entries[ODD].mode is Mode.FILE


@pytest.mark.parametrize("path", ["debug.log", ".env", "build/out", "gone.txt", "module", "nothing"])
def test_what_it_does_not_hold_as_a_file_has_no_bytes(folder: Path, path: str) -> None:
    with pytest.raises(ToolFailed, match="there is no file"):
        WorkTree(folder).read(path)


def test_a_search_sees_what_is_held_only(folder: Path) -> None:
    overlay = Overlay(WorkTree(folder), Ripgrep())
    found = overlay.search("one", fixed=True, ignore_case=False, paths=overlay.paths(), most=9)
    assert [match.path for match in found] == ["a.txt", "new.txt"]


@pytest.mark.parametrize(
    "path", ["debug.log", ".env", "build", "build/out", "trap.log", "trap.log/x", "debug.log/x"]
)
def test_a_rehearsal_knows_that_what_is_ignored_is_in_the_way(folder: Path, path: str) -> None:
    with pytest.raises(ToolFailed, match="doesn't track"):
        Overlay(WorkTree(folder), Ripgrep()).write(path, b"ours\n")


FOREIGN = {
    "not checked out": ("d/left.txt", "d/left.txt is tracked, but not checked out"),
    "in another repository": ("inner/new.txt", "inner is a repository of its own"),
    "deep in another repository": ("inner/a/b/new.txt", "inner is a repository of its own"),
    "in an ignored repository": ("build/new.txt", "build is a repository of its own"),
    "in another's linked work tree": ("linked/new.txt", "linked is a repository of its own"),
}


@pytest.mark.parametrize(("path", "why"), FOREIGN.values(), ids=FOREIGN)
def test_a_rehearsal_makes_nothing_where_something_else_is_kept(folder: Path, path: str, why: str) -> None:
    lay(folder, {"d/left.txt": b"left\n", "d/kept.txt": b"kept\n"})
    git(folder, "add", "d")
    git(folder, "update-index", "--skip-worktree", "d/left.txt")
    (folder / "d/left.txt").unlink()
    committed(folder / "inner", {"x": b"1"})
    git(folder / "build", "init", "-q")
    git(folder, "worktree", "add", "-q", "--detach", "linked")
    with pytest.raises(ToolFailed, match=why):
        Overlay(WorkTree(folder), Ripgrep()).write(path, b"new\n")
    Overlay(WorkTree(folder), Ripgrep()).write("d/new.txt", b"new\n")


def test_a_new_file_beside_ignored_ones_is_in_nobodys_way(folder: Path) -> None:
    overlay = Overlay(WorkTree(folder), Ripgrep())
    overlay.write("build/mine", b"1")
    overlay.write("gone.txt", b"1")
    assert [change.path for change in overlay.changes()] == ["build/mine", "gone.txt"]


def test_a_folder_below_the_top_stands_for_itself(folder: Path) -> None:
    lay(folder, {"sub/b.txt": b"b"})
    assert list(WorkTree(folder / "sub").entries) == ["b.txt"]


HUGE = 1 << 33


def test_a_huge_file_is_listed_without_reading_it_and_its_bytes_are_refused(
    folder: Path, tmp_path: Path
) -> None:
    os.truncate(folder / "a.txt", HUGE)
    (folder / "new.bin").touch()
    os.truncate(folder / "new.bin", HUGE)
    before = _bytes_read()
    overlay = Overlay(Snapshot(WorkTree(folder)), Ripgrep())
    transcript = Transcript(file=tmp_path / "transcript.jsonl")
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS, overlay=overlay, policies=[Policy()], transcript=transcript
    )

    def told(tool: str, **arguments: str) -> str:
        call = Call(id="c", tool=tool, arguments=json.dumps(arguments))
        return dispatcher.dispatch(call).text

    assert "a.txt" in told("list_files").splitlines()
    assert told("find_files", pattern="*.bin") == "[1 files]\nnew.bin"
    for tool, further in (
        ("read_file", {}),
        ("write_file", {"content": "x"}),
        ("edit_file", {"old": "a", "new": "b"}),
        ("delete_file", {}),
    ):
        assert f"a.txt has {HUGE} bytes; a file of more than" in told(tool, path="a.txt", **further)
    assert overlay.changes() == ()
    assert mode_at(Disk(folder, WorkTree(folder), Ripgrep()), "new.bin") is Mode.FILE
    assert _bytes_read() - before < 1 << 20


def _bytes_read() -> int:
    """By this process, of whatever."""
    return int(Path("/proc/self/io").read_text().split()[1])


@pytest.fixture
def large(tmp_path: Path) -> WorkTree:
    """So large that its text is held."""
    committed(tmp_path, {f"part{number % 7}/{number:05}": b"a needle\n" for number in range(MANY + 200)})
    return WorkTree(tmp_path, settles_in_s=0)


def test_a_later_search_reads_what_has_changed_since_and_nothing_else(
    large: WorkTree, tmp_path: Path
) -> None:
    overlay, paths = Overlay(large, Ripgrep()), list(large.entries)

    def search() -> list[str]:
        asked = overlay.paths()
        found = overlay.search("needle", fixed=True, ignore_case=False, paths=asked, most=9999)
        return [f"{match.path}: {match.text}" for match in found]

    assert search() == [f"{path}: a needle" for path in paths]
    assert not any(isinstance(place, Place) for place in large.lay_out(paths))
    lay(tmp_path, {paths[0]: b"another needle\n", paths[4]: b"nothing\n"})
    (tmp_path / paths[1]).unlink()
    (tmp_path / paths[2]).unlink()
    (tmp_path / paths[2]).symlink_to(paths[3].rpartition("/")[2])
    (tmp_path / "same length").write_bytes(b"3 needle\n")
    (tmp_path / "same length").replace(tmp_path / paths[5])
    files = [list(place.names) for place in large.lay_out(paths) if isinstance(place, Place)]
    assert files == [[paths[0], paths[4], paths[5]]]
    assert search() == [
        f"{paths[0]}: another needle",
        f"{paths[3]}: a needle",
        f"{paths[5]}: 3 needle",
        *(f"{path}: a needle" for path in paths[6:]),
    ]


def test_what_has_changed_a_moment_ago_is_not_held(large: WorkTree, tmp_path: Path) -> None:
    assert all(isinstance(place, Place) for place in WorkTree(tmp_path).lay_out(list(large.entries)))


def test_a_tree_that_has_mostly_changed_is_read_again(large: WorkTree, tmp_path: Path) -> None:
    paths = list(large.entries)
    large.lay_out(paths)
    lay(tmp_path, dict.fromkeys(paths, b"other words\n"))
    assert not any(isinstance(place, Place) for place in large.lay_out(paths))
    overlay = Overlay(large, Ripgrep())
    assert overlay.search("needle", fixed=True, ignore_case=False, paths=paths, most=9) == []


def test_where_git_has_nothing_the_next_step_is_said(tmp_path: Path) -> None:
    with pytest.raises(CheckoutFailed, match="not a git repository"):
        _ = WorkTree(tmp_path).entries


def test_where_git_can_not_list_its_own_words_are_told(folder: Path) -> None:
    (folder / ".git/index").write_bytes(b"torn")
    with pytest.raises(CheckoutFailed, match="index file"):
        _ = WorkTree(folder).entries
