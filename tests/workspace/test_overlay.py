"""Plans are seen by every reader, undone to the byte, and cost what they hold; nothing is real."""

import contextlib
import random
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_git import Executable, Files, Link, committed, git

from bot.errors import ToolFailed
from bot.outside.checkout import CommitTree, materialise
from bot.outside.search import Ripgrep
from bot.outside.work_tree import WorkTree
from bot.tools import READ_TOOLS, TOOLS
from bot.tools.tool import Stage
from bot.workspace import Entry, Mode, Place, blob_sha
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay

FILES: Files = {
    "a.txt": b"alpha\nbeta\ngamma\n",
    "b.txt": b"alpha\r\nbeta\r\n",
    "bare.txt": b"beta",
    "dir/c.py": b"def alpha():\n    return 1\n",
    "dir/sub/d.py": b"beta = 2\n",
    "run.sh": Executable(b"#!/bin/sh\necho alpha\n"),
    "link": Link("dir/c.py"),
    "link-dir": Link("dir"),
    "binary": b"alpha\0beta",
    "latin": b"caf\xe9 alpha\n",
    ".env": b"alpha=secret\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("repository")
    committed(made, FILES)
    return made


@pytest.fixture(scope="module")
def tree(folder: Path) -> Iterator[CommitTree]:
    commit = git(folder, "rev-parse", "HEAD").decode().strip()
    with CommitTree(commit, folder=folder, remote=None) as made:
        yield made


def test_what_was_written_is_read_listed_and_has_its_name(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    overlay.write("new/n.txt", b"x")
    assert overlay.read("new/n.txt") == b"x"
    assert overlay.entry("new/n.txt") == Entry(mode=Mode.FILE, blob=blob_sha(b"x"))
    assert "new/n.txt" in overlay.paths()
    assert overlay.is_folder("new")


def test_what_was_deleted_is_gone_for_everybody(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    overlay.delete("dir/c.py")
    overlay.delete("dir/sub/d.py")
    assert overlay.entry("dir/c.py") is None
    assert not overlay.is_folder("dir")
    assert "dir/c.py" not in overlay.paths()
    with pytest.raises(ToolFailed, match=r"there is no file dir/c\.py"):
        overlay.read("dir/c.py")
    with pytest.raises(ToolFailed, match=r"there is no file dir/c\.py"):
        overlay.delete("dir/c.py")
    overlay.write("dir", b"now a file")
    assert overlay.read("dir") == b"now a file"


def test_the_executable_bit_stays_until_it_is_told_otherwise(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    overlay.write("run.sh", b"1")
    overlay.write("a.txt", b"1")
    overlay.write("new", b"1", executable=True)
    assert [overlay.entry(path).mode for path in ("run.sh", "a.txt", "new")] == [
        Mode.EXECUTABLE,
        Mode.FILE,
        Mode.EXECUTABLE,
    ]
    overlay.write("run.sh", b"1", executable=False)
    assert overlay.entry("run.sh").mode is Mode.FILE


def test_the_list_of_paths_is_the_same_one_until_a_path_comes_or_goes(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    path, *others = tree.entries
    overlay.write(path, b"changed\n")
    before = overlay.paths()
    assert list(before) == [path, *others]
    overlay.write(path, b"changed again\n")
    savepoint = overlay.savepoint()
    assert overlay.paths() is before
    overlay.write("zz/new", b"1")
    assert list(overlay.paths()) == [path, *others, "zz/new"]
    overlay.delete(path)
    assert list(overlay.paths()) == [*others, "zz/new"]
    overlay.rollback(savepoint)
    assert overlay.paths() is before


def test_changes_say_both_sides_and_leave_out_what_was_changed_back(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    overlay.write("a.txt", b"1")
    overlay.write("b.txt", b"1")
    overlay.write("b.txt", FILES["b.txt"])
    overlay.write("new", b"1")
    overlay.write("gone", b"1")
    overlay.delete("gone")
    overlay.delete("run.sh")
    assert [(change.path, change.content_before, change.content_after) for change in overlay.changes()] == [
        ("a.txt", FILES["a.txt"], b"1"),
        ("new", None, b"1"),
        ("run.sh", b"#!/bin/sh\necho alpha\n", None),
    ]
    assert [
        (change.before and change.before.mode, change.after and change.after.mode)
        for change in overlay.changes()
    ] == [
        (Mode.FILE, Mode.FILE),
        (None, Mode.FILE),
        (Mode.EXECUTABLE, None),
    ]


def test_a_savepoint_brings_back_what_was_planned_then(tree: CommitTree) -> None:
    overlay = Overlay(tree, Ripgrep())
    overlay.write("a.txt", b"1")
    before = overlay.savepoint()
    overlay.write("a.txt", b"2")
    overlay.write("n", b"2")
    overlay.delete("b.txt")
    assert [(change.path, change.content_before) for change in overlay.changes_since(before)] == [
        ("a.txt", b"1"),
        ("b.txt", FILES["b.txt"]),
        ("n", None),
    ]
    overlay.rollback(before)
    assert overlay.changes_since(before) == ()
    assert overlay.read("a.txt") == b"1"
    assert overlay.read("b.txt") == FILES["b.txt"]
    overlay.write("n", b"3")
    overlay.rollback(before)
    assert overlay.entry("n") is None


class Endless:
    """A tree of as many files as it is told, which holds none of them."""

    def __init__(self, count: int) -> None:
        self.entries: Mapping[str, Entry] = dict.fromkeys(
            (f"folder/file{number:06}" for number in range(count)), Entry(mode=Mode.FILE, blob=blob_sha(b"x"))
        )

    def read(self, path: str) -> bytes:
        return b"x"

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place]:
        return ()

    def obstacle(self, path: str) -> str | None:
        return None


def test_memory_grows_with_what_changed_and_not_with_the_tree() -> None:
    """But for the listing, which is asked for again and again: that takes a pointer for each path."""
    held = {}
    for count in (100, 100_000):
        overlay = Overlay(Endless(count), Ripgrep())
        tracemalloc.start()
        overlay.paths()
        listed = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert listed < 20 * count + 20_000
        tracemalloc.start()
        for number in range(50):
            overlay.write(f"folder/file{number:06}", b"y" * 1000 + str(number).encode())
            overlay.savepoint()
            overlay.changes()
            overlay.paths()
        held[count] = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    assert held[100_000] < held[100] + 20_000
    assert held[100_000] < 50 * 3000


PATHS = st.sampled_from(
    [
        *FILES,
        "new.txt",
        "new/n.txt",
        "dir",
        "dir/new.py",
        "a.txt/x",
        "link/x",
        "link-dir/c.py",
        "dir/sub/d.py/x",
        "./b.txt",
        "x/../a.txt",
        ".git/x",
    ]
)
WORDS = st.sampled_from(
    [
        "",
        "alpha",
        "beta\n",
        "alpha\nbeta\n",
        "alpha\r\nbeta\r\n",
        "gamma",
        "é\n",
        "\ufeffalpha\n",
        "    return 1",
    ]
)
DIFF = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-{1}\n+{2}\n"
MOVE = "diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n"
MODE = "diff --git a/{0} b/{0}\nold mode 100644\nnew mode 100755\n"
TWO = "*** Begin Patch\n*** Delete File: {0}\n*** Add File: {1}\n+{2}\n*** End Patch"
WRITES = st.one_of(
    st.builds(lambda path, content: ("write_file", {"path": path, "content": content}), PATHS, WORDS),
    st.builds(
        lambda path, old, new: ("edit_file", {"path": path, "old": old, "new": new}), PATHS, WORDS, WORDS
    ),
    st.builds(lambda path: ("delete_file", {"path": path}), PATHS),
    st.builds(
        lambda path, old, new: ("apply_patch", {"patch": DIFF.format(path, old.strip(), new.strip())}),
        PATHS,
        WORDS,
        WORDS,
    ),
    st.builds(lambda old, new: ("apply_patch", {"patch": MOVE.format(old, new)}), PATHS, PATHS),
    st.builds(lambda path: ("apply_patch", {"patch": MODE.format(path)}), PATHS),
    st.builds(
        lambda old, new, word: ("apply_patch", {"patch": TWO.format(old, new, word.strip())}),
        PATHS,
        PATHS,
        WORDS,
    ),
)
READS = [
    ("list_files", {}),
    ("list_files", {"folder": "dir"}),
    ("list_files", {"depth": 1}),
    ("find_files", {"pattern": "*.txt"}),
    ("find_files", {"pattern": "dir/**"}),
    ("search_code", {"pattern": "^(al|be).*[a-z]$"}),
    ("search_code", {"pattern": "ALPHA", "ignore_case": True, "paths": ["dir/", "*.txt"]}),
    ("grep", {"text": "beta"}),
    ("grep", {"text": "secret"}),
    *(("read_file", {"path": path}) for path in [*FILES, "new.txt", "new/n.txt", "dir/new.py"]),
]


def called(stage: Stage, name: str, arguments: Mapping[str, object]) -> tuple[bool, str]:
    """Whether it worked, and what it said."""
    tool = TOOLS[name]
    parsed = tool.arguments.model_validate(arguments)
    work = tool.execute if isinstance(stage.workspace, Disk) or name in READ_TOOLS else tool.simulate
    try:
        return True, work(parsed, stage)
    except ToolFailed as failed:
        return False, str(failed)


@settings(max_examples=60, deadline=None)
@given(st.lists(WRITES, max_size=8))
def test_an_overlay_and_a_real_copy_cannot_be_told_apart(
    tree: CommitTree, tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[str, dict[str, str]]]
) -> None:
    copy = tmp_path_factory.mktemp("copy") / "files"
    materialise(tree, copy)
    disk = Disk(copy, tree, Ripgrep())
    overlay = Overlay(tree, Ripgrep())
    rehearsed = Stage(workspace=overlay, is_hidden=lambda path: path == ".env")
    performed = Stage(workspace=disk, is_hidden=lambda path: path == ".env")
    for name, arguments in writes:
        assert called(rehearsed, name, arguments) == called(performed, name, arguments)
        assert overlay.paths() == disk.paths()
    for name, arguments in READS:
        assert called(rehearsed, name, arguments) == called(performed, name, arguments)
    state = disk.state()
    assert state.odd == ()
    assert state.entries == {path: overlay.entry(path) for path in overlay.paths()}


def test_what_was_planned_stays_told_when_it_is_made_real_in_the_tree_itself(tmp_path: Path) -> None:
    committed(tmp_path, {"a": b"one\n", "b": b"two\n"})
    overlay = Overlay(WorkTree(tmp_path), Ripgrep())
    start = overlay.savepoint()
    overlay.write("a", b"1\n")
    overlay.delete("b")
    overlay.write("c", b"3\n")
    told = overlay.changes()
    (tmp_path / "a").write_bytes(b"1\n")
    (tmp_path / "b").unlink()
    (tmp_path / "c").write_bytes(b"3\n")
    assert overlay.changes() == overlay.changes_since(start) == told
    assert [change.content_before for change in told] == [b"one\n", b"two\n", None]


def test_rehearsing_everything_leaves_the_repository_as_it_was(tree: CommitTree, folder: Path) -> None:
    before = {path: path.lstat() for path in sorted(folder.rglob("*"))}
    overlay = Overlay(tree, Ripgrep())
    stage = Stage(workspace=overlay, is_hidden=lambda path: False)
    for path in FILES:
        called(stage, "write_file", {"path": path, "content": "beta\n"})
        called(stage, "grep", {"text": "beta"})
        called(stage, "delete_file", {"path": path})
    after = {path: path.lstat() for path in sorted(folder.rglob("*"))}
    assert {path: (stat.st_mode, stat.st_size, stat.st_mtime_ns) for path, stat in before.items()} == {
        path: (stat.st_mode, stat.st_size, stat.st_mtime_ns) for path, stat in after.items()
    }


def test_what_changed_since_any_moment_is_what_differs_from_it(tree: CommitTree) -> None:
    chance = random.Random(11)
    overlay = Overlay(tree, Ripgrep())
    paths = [*sorted(tree.entries)[:3], "new/a.txt", "new/b.txt", "c.txt"]
    moments = []
    for _ in range(300):
        path, what = chance.choice(paths), chance.randrange(5)
        if what < 2:
            with contextlib.suppress(ToolFailed):
                overlay.write(path, chance.choice((b"one", b"two")))
        elif what == 2:
            with contextlib.suppress(ToolFailed):
                overlay.delete(path)
        elif what == 3 or not moments:
            moments.append((overlay.savepoint(), _states(overlay, paths)))
        else:
            savepoint, then = chance.choice(moments)
            overlay.rollback(savepoint)
            assert _states(overlay, paths) == then
        assert list(overlay.paths()) == sorted({*_there(overlay, [*tree.entries, *paths])})
        for savepoint, then in moments[-5:]:
            now = _states(overlay, paths)
            differ = {path for path in paths if now[path] != then[path]}
            assert {change.path for change in overlay.changes_since(savepoint)} == differ


def _states(overlay: Overlay, paths: Sequence[str]) -> dict[str, Entry | None]:
    return {path: overlay.entry(path) for path in paths}


def _there(overlay: Overlay, paths: Sequence[str]) -> Iterator[str]:
    return (path for path in paths if overlay.entry(path) is not None)
