"""git's three-way merge, by the real git."""

import pytest

from bot.outside.merge import merge

CASES = {
    "both sides in different lines": (b"1\n2\n3\n", b"one\n2\n3\n", b"1\n2\nthree\n", b"one\n2\nthree\n"),
    "only one side": (b"1\n2\n", b"1\n2\n", b"1\ntwo\n", b"1\ntwo\n"),
    "both sides the same": (b"1\n2\n", b"one\n2\n", b"one\n2\n", b"one\n2\n"),
    "line ends and a missing one at the end stay": (
        b"1\r\n2\r\n3",
        b"one\r\n2\r\n3",
        b"1\r\n2\r\nthree",
        b"one\r\n2\r\nthree",
    ),
    "the same line on both sides": (b"1\n2\n3\n", b"1\ntwo\n3\n", b"1\nzwei\n3\n", None),
    "something that is no text": (b"\0\1", b"\0\2", b"\0\3", None),
    "words that look like an option": (b"--help\n\n1\n", b"--help\n\none\n", b"-p\n\n1\n", b"-p\n\none\n"),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "merged"), CASES.values(), ids=CASES)
def test_lines_of_three_versions_become_one_or_none(
    base: bytes, ours: bytes, theirs: bytes, merged: bytes | None
) -> None:
    assert merge(base, ours, theirs) == merged
