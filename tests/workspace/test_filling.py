"""Many new files at once come out as one by one: bytes, modes, folders, and no link followed."""

import os
from pathlib import Path

import pytest

from bot.errors import ToolFailed
from bot.workspace.filling import filling

FILES = {
    "a": (b"a", False),
    "b/c/d": (b"", True),
    "b/c/e": (b"\x00" * 100_000, False),
    "b/f": (b"f", False),
    "bb/g": (b"g", True),
}


def test_files_come_out_as_they_were_given(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        with filling(tmp_path) as made:
            for path, (content, executable) in FILES.items():
                made.write(path, content, executable=executable)
    finally:
        os.umask(before)
    for path, (content, executable) in FILES.items():
        assert (tmp_path / path).read_bytes() == content
        assert (tmp_path / path).stat().st_mode & 0o777 == (0o755 if executable else 0o644)
    assert not made._open


def test_a_file_that_is_there_is_replaced_and_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "there").write_text("old")
    with filling(folder) as made:
        made.write("there", b"new", executable=False)
        with pytest.raises(ToolFailed):
            made.write("link/x", b"x", executable=False)
    assert (folder / "there").read_text() == "new"
    assert list(outside.iterdir()) == []
