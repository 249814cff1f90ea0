"""The reader is a program of its own: it starts on the standard library alone, and tells odd files apart."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.outside import held_reader

ODD = {
    "plain": (b"one\n", False),
    "empty": (b"", False),
    "no line end": (b"one", False),
    "a zero byte": (b"a\0b", True),
    "half a line end": (b"one\r", True),
    "UTF-8's mark": (b"\xef\xbb\xbfone\n", True),
    "UTF-16's mark": (b"\xff\xfeo\0", True),
    "UTF-16's other mark": (b"\xfe\xff\0o", True),
}


@pytest.mark.parametrize(("content", "is_odd"), ODD.values(), ids=ODD)
def test_odd_files_are_told_apart(content: bytes, *, is_odd: bool) -> None:
    for text in (content, bytearray(content)):
        assert held_reader.is_odd(text, 0, len(text)) is is_odd
        # What is before and behind it has no say.
        assert held_reader.is_odd(b"\0" + text + b"\0", 1, 1 + len(text)) is is_odd


def test_it_needs_nothing_but_the_standard_library() -> None:
    """-S leaves the installed packages out, so importing one would fail."""
    program = [sys.executable, "-I", "-S", held_reader.__file__, "1", "10"]
    given = b"".join(len(part).to_bytes(8, sys.byteorder) + part for part in (b"", b"", b"0"))
    done = subprocess.run(program, input=given, capture_output=True, check=True, cwd=Path(__file__).parent)
    assert done.stdout == b""
