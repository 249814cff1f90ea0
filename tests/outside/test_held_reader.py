"""The reader is a program of its own: it starts on the standard library alone, and tells odd files apart."""

import os
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path

import pytest
from ordinary_user import being
from real_git import lay

from bot.outside import held_reader
from bot.outside.held_reader import NOT_IT, Files, Gathering

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


def test_a_folder_that_may_not_be_entered_is_not_there(tmp_path: Path) -> None:
    lay(tmp_path, {"closed/x": b"one\n", "open/y": b"one\n"})
    tmp_path.chmod(0o755)
    (tmp_path / "closed").chmod(0o444)
    memory = os.memfd_create("text")
    with chdir(tmp_path), being("an ordinary user"):
        files = Files([b"closed/x", b"open/y"])
        sizes = files.read_at_rest(Gathering(memory, 1 << 10), time.time_ns() + 10**9)
    (tmp_path / "closed").chmod(0o755)
    os.close(memory)
    assert list(sizes) == [NOT_IT, len(b"one\n")]
