"""A work tree that somebody else goes on editing."""

from pathlib import Path

import pytest
from real_git import Link, committed

from bot.errors import ToolFailed
from bot.outside.search import Ripgrep
from bot.outside.work_tree import WorkTree
from bot.workspace import Entry, Mode, blob_sha, modes_of
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part, Snapshot

FILES = {"a.txt": b"one\n", "b.txt": b"two\n", "link": Link("a.txt"), "sub/c.txt": b"three\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    committed(tmp_path, FILES)
    return tmp_path


@pytest.fixture
def snapshot(root: Path) -> Snapshot:
    return Snapshot(WorkTree(root))


def test_what_was_looked_at_stays_as_it_was_and_is_not_mixed_with_what_it_became(
    root: Path, snapshot: Snapshot
) -> None:
    seen = snapshot.entries["a.txt"]
    (root / "a.txt").write_text("other\n")
    assert snapshot.entries["a.txt"] == seen == Entry(mode=Mode.FILE, blob=blob_sha(b"one\n"))
    with pytest.raises(ToolFailed, match="changed by somebody else"):
        snapshot.read("a.txt")


def test_a_mode_is_that_of_the_first_look_and_is_told_without_one(root: Path, snapshot: Snapshot) -> None:
    seen = snapshot.entries["a.txt"]
    for path in ("a.txt", "b.txt"):
        (root / path).chmod(0o755)
    modes = modes_of(Part(snapshot, ["a.txt", "b.txt", "link", "none"]).entries)
    expected = {"a.txt": seen.mode, "b.txt": Mode.EXECUTABLE, "link": Mode.LINK}
    assert modes(["a.txt", "b.txt", "link", "none", "sub/c.txt"]) == expected
    (root / "b.txt").write_text("edited\n")
    assert snapshot.read("b.txt") == b"edited\n"


def test_what_was_not_looked_at_is_as_it_is_now(root: Path, snapshot: Snapshot) -> None:
    (root / "b.txt").write_text("edited\n")
    assert snapshot.read("b.txt") == b"edited\n"


def test_a_file_that_comes_later_is_not_in_it(root: Path, snapshot: Snapshot) -> None:
    assert list(snapshot.entries) == ["a.txt", "b.txt", "link", "sub/c.txt"]
    (root / "later.txt").write_text("x")
    assert "later.txt" not in snapshot.entries
    assert len(snapshot.entries) == 4
    assert snapshot.entries.get("later.txt") is None
    assert "later.txt" in str(snapshot.obstacle("later.txt"))


def test_an_edit_under_an_agents_hands_fails_instead_of_being_lost(root: Path, snapshot: Snapshot) -> None:
    overlay = Overlay(snapshot, Ripgrep())
    overlay.write("a.txt", overlay.read("a.txt") + b"more\n")
    (root / "a.txt").write_text("mine\n")
    (change,) = [one for one in _changes(overlay) if one.path == "a.txt"]
    assert change.before == Entry(mode=Mode.FILE, blob=blob_sha(b"one\n"))


def _changes(overlay: Overlay) -> tuple[object, ...]:
    return overlay.changes()


def test_a_link_has_its_target_and_a_search_goes_where_the_files_are(snapshot: Snapshot) -> None:
    assert snapshot.read("link") == b"a.txt"
    overlay = Overlay(snapshot, Ripgrep())
    found = overlay.search("t", fixed=True, ignore_case=False, paths=overlay.paths(), most=9)
    assert [match.path for match in found] == ["b.txt", "sub/c.txt"]


def test_a_part_holds_some_paths_and_nothing_else(snapshot: Snapshot) -> None:
    part = Part(snapshot, ["sub/c.txt", "a.txt", "nothing"])
    assert list(part.entries) == ["a.txt", "sub/c.txt"]
    assert part.read("sub/c.txt") == b"three\n"
    assert part.obstacle("new.txt") is None
    assert [place.names for place in part.lay_out(["a.txt"])] == [{"a.txt": "a.txt"}]
