"""The file that one job leaves for the next: found where it is a plain file, and nothing else is followed."""

import os
from pathlib import Path

import pytest

from bot.errors import BadHandover
from bot.handover import MOST_BYTES
from bot.outside.relay import FolderRelay
from bot.phase import Phase


def _relays(folder: Path) -> tuple[FolderRelay, FolderRelay]:
    return FolderRelay(folder=folder, phase=Phase.PLAN), FolderRelay(folder=folder, phase=Phase.REPORT)


def test_what_one_phase_leaves_the_next_finds_and_no_other(tmp_path: Path) -> None:
    before, after = _relays(tmp_path / "not" / "there")
    assert after.find() is None
    before.leave(b"one")
    before.leave(b"two")
    assert after.find() == b"two"
    assert FolderRelay(folder=tmp_path / "not" / "there", phase=Phase.COMMIT).find() is None


def _link(folder: Path) -> None:
    (folder.parent / "secret").write_bytes(b"secret")
    (folder / "plan.json").symlink_to(folder.parent / "secret")


def _linked_folder(folder: Path) -> None:
    folder.rmdir()
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "plan.json").write_bytes(b"x")
    folder.symlink_to(folder.parent / "other")


def _too_long(folder: Path) -> None:
    with (folder / "plan.json").open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)


ODD = {
    "a link": _link,
    "a folder that is a link": _linked_folder,
    "a pipe": lambda folder: os.mkfifo(folder / "plan.json"),
    "a folder": lambda folder: (folder / "plan.json").mkdir(),
    "more than there can be": _too_long,
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_nothing_but_a_plain_file_is_taken(tmp_path: Path, make: object) -> None:
    folder = tmp_path / "handover"
    folder.mkdir()
    make(folder)  # type: ignore[operator]
    with pytest.raises(BadHandover):
        _relays(folder)[1].find()
