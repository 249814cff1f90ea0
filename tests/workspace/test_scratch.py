"""Bytes to be searched lie under names that owe nothing to their paths, and are gone afterwards."""

from pathlib import Path

from bot.workspace.scratch import Scratch


def test_what_was_put_in_is_found_by_its_place() -> None:
    scratch = Scratch()
    paths = ["a", "A", "../a", "-rf", "x" * 3000, "a/b", "\udcff"]
    for path in paths:
        scratch.put(path, "1", path.encode("utf-8", "surrogateescape"))
    place = scratch.place(paths)
    assert sorted(place.names.values()) == sorted(paths)
    for name, path in place.names.items():
        assert "/" not in name
        assert (Path(place.folder) / name).read_bytes() == path.encode("utf-8", "surrogateescape")


def test_it_knows_which_bytes_it_has() -> None:
    scratch = Scratch()
    assert not scratch.has("a", "1")
    scratch.put("a", "1", b"one")
    assert scratch.has("a", "1")
    scratch.put("a", "2", b"two")
    assert not scratch.has("a", "1")
    place = scratch.place(["a"])
    assert [(Path(place.folder) / name).read_bytes() for name in place.names] == [b"two"]


def test_nobody_else_may_look_in_and_nothing_is_left() -> None:
    scratch = Scratch()
    scratch.put("a", "1", b"one")
    folder = Path(scratch.place(["a"]).folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    scratch.close()
    assert not folder.exists()
