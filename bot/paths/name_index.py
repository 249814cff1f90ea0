"""Patterns by the last name that they say, so that a path is compared with those few alone that may match it.

Most say a whole name, its beginning or its end, and no more; of the others a regular expression decides.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias


class Alternatives:
    """Patterns of which the last that matches is asked for. One without a regular expression matches."""

    __slots__ = ("_last", "_numbers", "_regex", "_regexes")

    def __init__(self) -> None:
        self._last = -1
        self._regexes: list[tuple[int, str]] = []
        self._numbers: tuple[int, ...] = ()
        self._regex: re.Pattern[str] | None = None

    def add(self, number: int, regex: str | None) -> None:
        """In the order of the numbers, and before the first question."""
        if regex is None:
            self._last = number
        else:
            self._regexes.append((number, regex))

    def last_match(self, key: str) -> int:
        """Its number, -1 when none matches."""
        if not self._regexes:
            return self._last
        if self._regex is None:
            # Here and not before: most are never asked. The first alternative that matches is taken.
            backwards = self._regexes[::-1]
            self._numbers = tuple(number for number, _ in backwards)
            self._regex = re.compile("|".join(f"({regex})" for _, regex in backwards), re.DOTALL)
        found = self._regex.match(key)
        number = self._numbers[found.lastindex - 1] if found and found.lastindex else -1
        return max(self._last, number)


class NameIndex:
    """A name is looked up whole, by its first letter and by its last; no pattern speaks of most."""

    __slots__ = ("_ends", "_starts", "_whole")

    def __init__(self) -> None:
        self._whole: Final[dict[str, Alternatives]] = {}
        # By the letter at that end, then by length: so a name is cut a few times, not compared with each.
        self._starts: Final[_Parts] = {}
        self._ends: Final[_Parts] = {}

    def add(self, glob: str, number: int, regex: str | None) -> Alternatives | None:
        """Under a name that the pattern says; None if that says neither how it begins nor how it ends."""
        first, *others = _WILD.split(glob)
        last = others[-1] if others else ""
        if _HARD.search(glob) or not (first or last):
            return None
        if not others:
            kept = self._whole.setdefault(glob, Alternatives())
        else:
            parts, letter, part = (self._ends, last[-1], last) if last else (self._starts, first[0], first)
            by_length = parts.setdefault(letter, {})
            kept = by_length.setdefault(len(part), {}).setdefault(part, Alternatives())
        kept.add(number, regex)
        return kept

    def speaking_of(self, name: str) -> Sequence[Alternatives]:
        """All that may match because of it. Their regular expressions are for the whole path."""
        whole, starts, ends = self._whole.get(name), self._starts.get(name[:1]), self._ends.get(name[-1:])
        if not (whole or starts or ends):
            # So it is with most.
            return ()
        found = [] if whole is None else [whole]
        for length, by_start in (starts or {}).items():
            if name[:length] in by_start:
                found.append(by_start[name[:length]])
        for length, by_end in (ends or {}).items():
            if name[-length:] in by_end:
                found.append(by_end[name[-length:]])
        return found


_Parts: TypeAlias = dict[str, dict[int, dict[str, Alternatives]]]
_WILD: Final = re.compile(r"[*?]+")
# Sets, escapes, and what means something at a pattern's beginning: regular expressions know more of them.
_HARD: Final = re.compile(r"[\[\\#!]")
