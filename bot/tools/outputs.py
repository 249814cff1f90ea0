"""What commands said, kept while a run lasts, so that one can read on where a result was cut."""

from collections import OrderedDict
from typing import Final

from bot.errors import ToolFailed

# So much of one result a model is told at once: its beginning, and its end, where failures are summed up.
_MOST_HEAD: Final = 12_000
_MOST_TAIL: Final = 18_000
# What is longer counts as several lines, so that every cut is between two of them.
_LONGEST_LINE: Final = 2_000
_MOST_KEPT: Final = 16_000_000


class Outputs:
    """Numbered from 1 in the order in which they came; beyond 16 million characters the oldest are let go."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, list[str]] = OrderedDict()
        self._size = 0
        self._last = 0

    def told(self, output: str) -> str:
        """The output, or its two ends and how to ask for the lines between."""
        if len(output) <= _MOST_HEAD + _MOST_TAIL:
            return output
        lines = _lines(output)
        number = self._keep(lines)
        first, last = fitting(lines, _MOST_HEAD), fitting(lines[::-1], _MOST_TAIL)
        head, tail = lines[:first], lines[len(lines) - last :]
        between = (
            f"[lines {first + 1:,} to {len(lines) - last:,} of {len(lines):,} are left out here; "
            f"read_output with output {number} and start_line {first + 1} shows them]"
        )
        return "\n".join([*head, between, *tail])

    def lines(self, number: int) -> list[str]:
        """Raises ToolFailed where there is no such output, or no longer."""
        if number in self._kept:
            return self._kept[number]
        if number <= self._last:
            raise ToolFailed(f"output {number} is no longer kept: what came later took its place")
        kept = f"{self._last}, counted from 1" if self._last else "none: no result was cut"
        raise ToolFailed(f"there is no output {number}; the last one is {kept}")

    def _keep(self, lines: list[str]) -> int:
        self._last += 1
        self._kept[self._last] = lines
        self._size += sum(map(len, lines))
        while self._size > _MOST_KEPT and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._size -= sum(map(len, gone))
        return self._last


def _lines(output: str) -> list[str]:
    return [
        line[at : at + _LONGEST_LINE]
        for line in output.split("\n")
        for at in range(0, max(len(line), 1), _LONGEST_LINE)
    ]


def fitting(lines: list[str], most: int) -> int:
    """How many of the first lines have no more than so many characters together."""
    for count, line in enumerate(lines):
        most -= len(line) + 1
        if most < 0:
            return count
    return len(lines)
