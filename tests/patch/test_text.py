"""What an edit must not lose, and what it can't be made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ToolFailed
from bot.patch.text import LineEnds, Text

CASES = {
    "nothing": (b"", LineEnds.LF, [], ()),
    "one line": (b"a\n", LineEnds.LF, ["a"], ()),
    "no newline at the end": (b"a\nb", LineEnds.LF, ["a", "b"], ("no newline at the end",)),
    "CRLF": (b"a\r\nb\r\n", LineEnds.CRLF, ["a\r", "b\r"], ("CRLF line ends, which edits keep",)),
    "both": (b"a\r\nb\n", LineEnds.MIXED, ["a\r", "b"], ("mixed line ends",)),
    "a carriage return alone is a character": (b"a\rb\n", LineEnds.LF, ["a\rb"], ()),
    "other separators are characters": (
        "a\u2028b\x0cc\x85d\n".encode(),
        LineEnds.LF,
        ["a\u2028b\x0cc\x85d"],
        (),
    ),
    "a mark": (b"\xef\xbb\xbfa\n", LineEnds.LF, ["a"], ("a byte order mark, which edits keep",)),
    "a mark alone": (b"\xef\xbb\xbf", LineEnds.LF, [], ("a byte order mark, which edits keep",)),
}


@pytest.mark.parametrize(("content", "ends", "lines", "said"), CASES.values(), ids=CASES)
def test_a_text_knows_itself(content: bytes, ends: LineEnds, lines: list[str], said: tuple[str, ...]) -> None:
    text = Text.of(content, path="x")
    assert (text.line_ends, text.lines, text.peculiarities) == (ends, lines, said)


@given(st.binary(max_size=40) | st.text(max_size=20).map(lambda text: ("\ufeff" + text).encode()))
def test_bytes_are_kept_or_refused(content: bytes) -> None:
    try:
        content.decode()
    except UnicodeDecodeError:
        with pytest.raises(ToolFailed, match="x is not UTF-8 text"):
            Text.of(content, path="x")
    else:
        assert Text.of(content, path="x").to_bytes() == content


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(ToolFailed, match="lone surrogates"):
        Text(body="a\ud800").to_bytes()


FITTED = {
    "into CRLF": (b"a\r\n", "x\ny", "x\r\ny"),
    "into LF": (b"a\n", "x\ny", "x\ny"),
    "into a mixture": (b"a\n\r\n", "x\ny", "x\ny"),
    "with ends of its own": (b"a\r\n", "x\r\ny\n", "x\r\ny\n"),
}


@pytest.mark.parametrize(("content", "words", "expected"), FITTED.values(), ids=FITTED)
def test_words_are_fitted_to_a_text(content: bytes, words: str, expected: str) -> None:
    assert Text.of(content, path="x").fitted(words) == expected
