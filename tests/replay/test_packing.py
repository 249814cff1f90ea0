"""One file holds a transcript and its index: any zstd reads the one, only who made it believes the other."""

import io
import random
import sys
from functools import partial

import pytest
from recorded import record

from bot.errors import BadTranscript
from bot.replay.packing import MOST_UNPACKED, index_in, is_packed, packed, unpacked
from bot.replay.voucher import Voucher

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MINE = Voucher(key=b"m" * 32)
THEIRS = Voucher(key=b"t" * 32)
INDEX = b"the index"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("runs")
    record(folder, 1, actions=8)
    return (folder / "transcript-1.jsonl").read_bytes()


def _read(file: bytes) -> bytes:
    return unpacked(io.BytesIO(file), file="a.zst").read()


def test_any_zstd_unpacks_the_transcript_byte_for_byte(content: bytes) -> None:
    for file in (packed(content), packed(content, index=INDEX, voucher=MINE)):
        assert zstd.decompress(file) == content
        assert _read(file) == content
        assert is_packed(file)
        assert len(file) < len(content) / 2
    assert not is_packed(content)
    assert packed(content, index=INDEX, voucher=MINE) == packed(content, index=INDEX, voucher=MINE)


def test_only_who_made_an_index_believes_it(content: bytes) -> None:
    file = packed(content, index=INDEX, voucher=MINE)
    assert index_in(file, MINE) == INDEX
    assert index_in(file, THEIRS) is None
    assert index_in(packed(content), MINE) is None
    assert index_in(content, MINE) is None


def test_an_index_is_of_the_very_transcript_beside_it(content: bytes) -> None:
    file = packed(content, index=INDEX, voucher=MINE)
    other = packed(content.replace(b"acme", b"evil"), index=INDEX, voucher=MINE)
    start = len(file) - len(packed(content))
    assert index_in(file[:start] + packed(content), MINE) == INDEX
    assert index_in(file[:start] + packed(content.replace(b"acme", b"evil")), MINE) is None
    assert index_in(other[:start] + file[start:], MINE) is None
    lying = packed(content, index=b"the lie", voucher=THEIRS)
    assert index_in(lying, MINE) is None


def test_no_byte_of_a_packed_file_can_be_changed_and_its_index_believed(content: bytes) -> None:
    file = packed(content, index=INDEX, voucher=MINE)
    chosen = random.Random(7)
    for at in [*range(48), *chosen.sample(range(len(file)), 300)]:
        changed = bytearray(file)
        changed[at] ^= 1 << chosen.randrange(8)
        assert index_in(bytes(changed), MINE) is None, at
    for size in (0, 3, 7, 8, 20, 39, 40, 60, len(file) - 1):
        assert index_in(file[:size], MINE) is None, size


def test_what_was_cut_or_changed_is_refused_with_the_line(content: bytes) -> None:
    file = packed(content)
    refused = 0
    for cut in range(20, len(file) - 1, 40):
        with pytest.raises(BadTranscript, match=r"a\.zst line \d+: from here on it can't be unpacked"):
            _read(file[:cut])
        refused += 1
    assert refused > 20
    changed = bytearray(file)
    changed[-2] ^= 1
    with pytest.raises(BadTranscript, match="the file was cut or changed"):
        _read(bytes(changed))


def test_a_bomb_is_not_unpacked(content: bytes) -> None:
    compressor = zstd.ZstdCompressor(level=1)
    bomb = b"".join([*(compressor.compress(b"0" * (1 << 20)) for _ in range(300)), compressor.flush()])
    assert len(bomb) < 100_000
    read: list[int] = []
    with pytest.raises(BadTranscript, match="it unpacks to more than 256 MB"):
        read.extend(map(len, iter(partial(unpacked(io.BytesIO(bomb), file="a.zst").read, 1 << 20), b"")))
    assert MOST_UNPACKED - (2 << 20) < sum(read) <= MOST_UNPACKED


def test_a_frame_that_wants_a_gigabyte_to_itself_is_refused() -> None:
    options = {
        zstd.CompressionParameter.window_log: 30,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    compressor = zstd.ZstdCompressor(options=options)
    frame = compressor.compress(b"line\n" * 1_000) + compressor.flush()
    with pytest.raises(BadTranscript, match="line 1: from here on"):
        _read(frame)


def test_a_stream_begins_again(content: bytes) -> None:
    stream = unpacked(io.BytesIO(packed(content)), file="a.zst")
    first = stream.readline()
    stream.seek(0)
    assert stream.read() == content
    stream.seek(0)
    assert stream.readline() == first
