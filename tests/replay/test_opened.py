"""Whoever reads a file reads what is in it, packed or not, whatever it is called."""

from pathlib import Path

import pytest

from bot.replay.opened import opened
from bot.replay.packing import packed


@pytest.mark.parametrize("content", [b"", b"x", b"{}\n", b"*\x2a\xb5", b"P*", b"{\xb5/\xfd words"])
def test_what_is_not_packed_is_read_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl.zst").write_bytes(content)
    with opened(tmp_path / "a.jsonl.zst", name="a") as stream:
        assert stream.read() == content


def test_what_is_packed_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(packed(b"one\ntwo\n"))
    with opened(tmp_path / "a.jsonl", name="a") as stream:
        assert list(stream) == [b"one\n", b"two\n"]
    with pytest.raises(FileNotFoundError), opened(tmp_path / "nowhere", name="nowhere"):
        pass
