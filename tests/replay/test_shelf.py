"""What is whole is packed with an index; what is not stays as it came, for whoever reads it to refuse."""

import json
from pathlib import Path

import pytest
from recorded import record

from bot.errors import BadTranscript
from bot.replay.packing import index_in, packed, unpacked
from bot.replay.shelf import kept, pack, unpack
from bot.replay.voucher import Voucher

MINE = Voucher(key=b"m" * 32)
THEIRS = Voucher(key=b"t" * 32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    record(tmp_path, 1)
    return tmp_path / "transcript-1.jsonl"


def _names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.startswith("plan-")}


def test_a_transcript_is_packed_and_unpacked_again_byte_for_byte(file: Path) -> None:
    content = file.read_bytes()
    assert pack(file, name=file.name, voucher=MINE)
    assert _names(file.parent) == {"transcript-1.jsonl.zst"}
    small = file.with_name("transcript-1.jsonl.zst")
    assert index_in(small.read_bytes(), MINE) is not None
    assert not pack(small, name="a", voucher=MINE)
    assert unpack(small, name="a")
    assert (_names(file.parent), file.read_bytes()) == ({"transcript-1.jsonl"}, content)
    assert not unpack(file, name="a")


def test_another_machine_s_index_is_made_anew_from_the_transcript(file: Path) -> None:
    small = file.with_name("transcript-1.jsonl.zst")
    small.write_bytes(packed(file.read_bytes(), index=b"a lie", voucher=THEIRS))
    assert index_in(small.read_bytes(), MINE) is None
    assert pack(small, name="a", voucher=MINE)
    index = index_in(small.read_bytes(), MINE)
    assert index is not None
    assert b"dryrun-bot/index/1" in index


def test_what_is_broken_is_not_packed_and_stays(file: Path) -> None:
    content = file.read_bytes()
    for broken in (
        content[:-20],
        content.replace(b"acme", b"evil", 1),
        b"".join(content.splitlines(keepends=True)[:-1]),
    ):
        file.write_bytes(broken)
        with pytest.raises(BadTranscript, match="a line"):
            pack(file, name="a", voucher=MINE)
        assert file.read_bytes() == broken
        small = file.with_name("cut.jsonl.zst")
        small.write_bytes(packed(broken))
        with pytest.raises(BadTranscript, match="a line"):
            pack(small, name="a", voucher=MINE)
    file.write_text(json.dumps({"messages": []}))
    assert not pack(file, name="a", voucher=MINE)


def test_what_is_fetched_again_is_known_however_it_is_kept(file: Path, tmp_path: Path) -> None:
    content, target = file.read_bytes(), tmp_path / "shelf" / "7-transcript-1.jsonl"
    assert kept(target, content, voucher=MINE)
    assert _names(target.parent) == {"7-transcript-1.jsonl.zst"}
    assert not kept(target, content, voucher=MINE)
    assert unpack(target.with_name(target.name + ".zst"), name="a")
    assert not kept(target, content, voucher=MINE)
    assert _names(target.parent) == {"7-transcript-1.jsonl"}


def test_what_is_fetched_and_not_whole_is_kept_as_it_came(file: Path, tmp_path: Path) -> None:
    killed = b"".join(file.read_bytes().splitlines(keepends=True)[:4])
    target = tmp_path / "shelf" / "7-transcript-1.jsonl"
    assert kept(target, killed, voucher=MINE)
    assert target.read_bytes() == killed
    assert not kept(target, killed, voucher=MINE)


def test_a_packed_file_that_was_damaged_is_replaced(file: Path, tmp_path: Path) -> None:
    content, target = file.read_bytes(), tmp_path / "shelf" / "7-transcript-1.jsonl"
    kept(target, content, voucher=None)
    small = target.with_name(target.name + ".zst")
    small.write_bytes(small.read_bytes()[:-9])
    assert kept(target, content, voucher=None)
    with small.open("rb") as stream:
        assert unpacked(stream, file="a").read() == content
