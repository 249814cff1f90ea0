import base64
import zlib
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.marker import Marker, embed, embedded, read, write

PLAN = Marker(kind="plan", task="tidy-docs", digest="a" * 64, answers=12, state="open", version="0.1.0")
LINE = f"<!-- dryrun-bot/1 kind=plan task=tidy-docs digest={'a' * 64} answers=12 state=open version=0.1.0 -->"


def test_a_marker_is_one_comment_line() -> None:
    assert write(PLAN) == LINE


@given(
    st.builds(
        Marker,
        kind=st.sampled_from(["plan", "answer", "progress", "claim"]),
        task=st.text(st.characters(codec="utf-8"), max_size=100),
        digest=st.none() | st.text("0123456789abcdef", min_size=64, max_size=64),
        answers=st.none() | st.integers(0, 10**18 - 1),
        state=st.text(st.characters(codec="utf-8"), max_size=20),
        version=st.text(st.characters(codec="utf-8"), max_size=20),
    )
    | st.builds(
        Marker,
        kind=st.just("claim"),
        task=st.just("tidy"),
        digest=st.just("a" * 64),
        answers=st.just(12),
        state=st.just("applied"),
        version=st.just("1"),
        signature=st.none() | st.just("b" * 64),
        errands=st.text("abc.123", max_size=9),
        run=st.none() | st.integers(0, 10**18 - 1),
    )
)
def test_what_is_written_is_read(marker: Marker) -> None:
    line = write(marker)
    assert read(f"{line}\n\nwords") == marker
    assert read(f"{line}\r\n\r\nwords") == marker
    assert line.count("--") == 2
    assert "\n" not in line


NOT_ONE = {
    "nothing": "",
    "on the second line": f"\n{LINE}",
    "behind words": f"x {LINE}",
    "before words": f"{LINE} x",
    "quoted": f"> {LINE}",
    "indented": f" {LINE}",
    "in code": f"`{LINE}`",
    "another kind": LINE.replace("kind=plan", "kind=permit"),
    "another version of the marker": LINE.replace("bot/1", "bot/2"),
    "a short digest": LINE.replace("a" * 64, "a" * 63),
    "a digest in capitals": LINE.replace("a" * 64, "A" * 64),
    "an answer that is no number": LINE.replace("answers=12", "answers=x"),
    "an answer in other digits": LINE.replace("answers=12", "answers=١٢"),
    "an answer spelled otherwise": LINE.replace("answers=12", "answers=012"),
    "a word spelled otherwise": LINE.replace("tidy-docs", "%74idy-docs"),
    "fields in another order": LINE.replace("state=open version=0.1.0", "version=0.1.0 state=open"),
    "a field twice": LINE.replace("state=open", "state=open state=open"),
    "two blanks": LINE.replace("kind", " kind"),
    "a line feed in a word": LINE.replace("tidy-docs", "tidy\ndocs"),
}


@pytest.mark.parametrize("body", NOT_ONE.values(), ids=NOT_ONE)
def test_anything_else_is_no_marker(body: str) -> None:
    assert read(body) is None


def test_a_long_name_is_cut() -> None:
    assert len(write(replace(PLAN, task="日" * 1000))) < 1200


@given(st.binary(max_size=3000))
def test_a_record_that_was_embedded_comes_back(record: bytes) -> None:
    line = embed(record)
    assert embedded(f"words\n\n{line}\n") == record
    assert embedded(f"words\r\n\r\n{line}\r\n") == record
    assert line.count("--") == 2
    assert "\n" not in line


def _line(data: bytes) -> str:
    return f"<!-- dryrun-bot-record/1 {base64.b64encode(data).decode()} -->"


WHOLE = zlib.compress(b"record")
BROKEN = {
    "no record": "words",
    "not on the last line": embed(b"x") + "\nwords",
    "behind words": "x " + embed(b"x"),
    "not base64": "<!-- dryrun-bot-record/1 *** -->",
    "base64 of the wrong length": "<!-- dryrun-bot-record/1 abcde -->",
    "not compressed": _line(b"record"),
    "cut short": _line(WHOLE[:-3]),
    "with something behind it": _line(WHOLE + b"x"),
    "two in one": _line(WHOLE + WHOLE),
    "a bomb": _line(zlib.compress(bytes(9 * 1024 * 1024), 9)),
    "empty": "<!-- dryrun-bot-record/1  -->",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_broken_record_is_none(body: str) -> None:
    assert embedded(body) is None


def test_a_large_record_that_is_no_bomb_comes_back() -> None:
    record = bytes(8 * 1024 * 1024)
    assert embedded(embed(record)) == record


def test_a_record_larger_than_what_is_read_back_is_not_embedded() -> None:
    assert embed(bytes(8 * 1024 * 1024 + 1)) == ""


def test_a_record_is_embedded_where_its_line_has_no_more_characters_than_there_is_room() -> None:
    record = Random(1).randbytes(1000)
    line = embed(record)
    assert embed(record, most=len(line)) == line
    assert embed(record, most=len(line) - 1) == embed(record, most=0) == embed(record, most=-9) == ""


class Counted(bytes):
    """Knows how much of it was asked for."""

    asked = 0

    def __getitem__(self, place: slice) -> bytes:  # type: ignore[override]
        piece = super().__getitem__(place)
        self.asked += len(piece)
        return piece


def test_a_record_without_room_is_not_compressed_to_its_end() -> None:
    record = Counted(Random(1).randbytes(2_000_000))
    assert embed(record, most=60_000) == ""
    assert record.asked < 300_000
