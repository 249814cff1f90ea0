"""A path as a diff header spells it -> the path itself: git's quotes, its octal bytes, a date after a tab."""

import re
from typing import Final

from bot.errors import ToolFailed

_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS: Final = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


def header_path(spelled: str, line: int, *, is_dated: bool = False) -> str:
    """Raises ToolFailed for bad quoting or no path; `is_dated` cuts what follows a tab."""
    path = spelled
    if spelled.startswith('"'):
        quoted = _QUOTED.match(spelled)
        if quoted is None or spelled[quoted.end() :].split("\t", maxsplit=1)[0].strip():
            raise ToolFailed(f"line {line} of the patch has a path in quotes that can't be read")
        path = _unquoted(quoted[1])
    elif is_dated:
        path = spelled.split("\t", 1)[0].rstrip()
    if not path:
        raise ToolFailed(f"line {line} of the patch names no path")
    return path


def same_paths(spelled: str) -> tuple[str, str] | None:
    """Both paths of a `diff --git` line without their a/ and b/; None if it can't be told where one ends.

    Unquoted names may have spaces, so only two equal ones can be told apart, or two without any.
    """
    quoted = _QUOTED.findall(spelled)
    if spelled.startswith('"') and len(quoted) == 2:
        return _without_sides(_unquoted(quoted[0]), _unquoted(quoted[1]))
    if spelled.count(" ") == 1:
        old, new = spelled.split(" ")
        return _without_sides(old, new)
    middle = len(spelled) // 2
    old, new = spelled[:middle], spelled[middle + 1 :]
    if spelled[middle : middle + 1] == " " and old[2:] == new[2:]:
        return _without_sides(old, new)
    return None


def _without_sides(old: str, new: str) -> tuple[str, str] | None:
    return (old[2:], new[2:]) if old.startswith("a/") and new.startswith("b/") else (old, new)


def _unquoted(words: str) -> str:
    def byte(found: re.Match[bytes]) -> bytes:
        name = found[1]
        code = int(name, 8) if len(name) == 3 else _LETTERS.get(name, ord(name[:1]))
        return bytes([code & 0xFF])

    return _ESCAPE.sub(byte, words.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")
