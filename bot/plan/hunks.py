"""A unified diff -> where its hunks begin, and how many lines they add and take away. Nothing is parsed.

Every line of a diff's hunks begins with its mark, so counting the marks counts the lines, of a lie as of an
honest diff: whether it is one is asked where it is shown.
"""

import re
from typing import Final


def first_hunk(diff: str) -> int:
    """The place behind git's headers; the diff's end where it has no hunk."""
    if HUNK.match(diff):
        return 0
    found = _LATER.search(diff)
    return found.start() + 1 if found else len(diff)


def lines_changed(diff: str, *, at: int) -> tuple[int, int]:
    """How many are added and how many removed; `at` is the place of the first hunk."""
    return diff.count("\n+", at), diff.count("\n-", at)


HUNK: Final = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LATER: Final = re.compile("\n" + HUNK.pattern)
