"""A unified diff's hunks -> rows of two columns, for a page."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from bot.dataclass import dataclass
from bot.words.sanitise import for_people


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """`mark` is "same", "old", "new" or "none"; `number` counts lines of its file from 1."""

    number: int | None
    text: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    old: Side
    new: Side
    is_hunk: bool = False


def rows_of(hunks: str) -> Iterator[Row]:
    """What is taken away stands beside what comes in its place; a hunk's header is a row of its own."""
    old = new = 0
    removed: list[Side] = []
    added: list[Side] = []
    for line in [*hunks.rstrip("\n").split("\n"), ""]:
        mark, text = line[:1], for_people(line[1:])
        if mark == "-":
            removed.append(Side(number=old, text=text, mark="old"))
            old += 1
            continue
        if mark == "+":
            added.append(Side(number=new, text=text, mark="new"))
            new += 1
            continue
        if mark == "\\":
            continue
        yield from (Row(old=left, new=right) for left, right in zip_longest(removed, added, fillvalue=_NONE))
        removed, added = [], []
        if header := _HUNK.match(line):
            old, new = int(header[1]), int(header[2])
            told = Side(number=None, text=for_people(line), mark="none")
            yield Row(old=told, new=_NONE, is_hunk=True)
        elif mark == " ":
            yield Row(
                old=Side(number=old, text=text, mark="same"), new=Side(number=new, text=text, mark="same")
            )
            old, new = old + 1, new + 1


_NONE: Final = Side(number=None, text="", mark="none")
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
