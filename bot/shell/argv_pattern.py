"""A pattern for all the words of one command: `[pytest, "-q", "tests/**"]`.

A plain word matches itself, exactly. "*" is any one word and a glob such as `tests/**` one word of that
shape, neither of which takes an option for a word; "**" is any number of words whatever they are.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from bot.dataclass import dataclass

# None is a word that can't be known before the shell has run: it may be anything, or nothing, or several.
Word: TypeAlias = str | None

_ANY: Final = "**"
_WILD: Final = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgvPattern:
    words: tuple[str, ...]

    def matches(self, argv: Sequence[str]) -> bool:
        """Every word is known, and all of them fit."""
        return _fits(self.words, tuple(argv), unknown_fits=False)

    def may_match(self, argv: Sequence[Word]) -> bool:
        """As `matches`, and a word that isn't known fits everything: for a list that forbids."""
        return _fits(self.words, tuple(argv), unknown_fits=True)

    def covers(self, other: "ArgvPattern") -> bool:
        """Whether all that `other` matches is matched here too; False where that can't be seen."""
        return _covers(self.words, other.words)


@lru_cache(maxsize=4096)
def is_glob(word: str) -> bool:
    return bool(_WILD.search(word))


def _fits(pattern: tuple[str, ...], argv: tuple[Word, ...], *, unknown_fits: bool) -> bool:
    """Which beginnings of the pattern fit the words so far: no recursion, whatever the number of `**`."""
    if pattern and argv and argv[0] not in {pattern[0], None} and not is_glob(pattern[0]):
        # So it is with most.
        return False
    reached = {0}
    for word in argv:
        reached = _skipping(pattern, reached)
        if word is None:
            if not unknown_fits:
                return False
            # It may stand for any number of words, each of any kind.
            reached = set(range(min(reached, default=len(pattern) + 1), len(pattern) + 1))
            continue
        after = set()
        for at in reached:
            if at < len(pattern):
                if pattern[at] == _ANY:
                    after.add(at)
                elif _word_fits(pattern[at], word):
                    after.add(at + 1)
        if not after:
            return False
        reached = after
    return len(pattern) in _skipping(pattern, reached)


def _skipping(pattern: tuple[str, ...], reached: set[int]) -> set[int]:
    if _ANY not in pattern:
        return reached
    more = set(reached)
    for at, word in enumerate(pattern):
        if word == _ANY and at in more:
            more.add(at + 1)
    return more


def _word_fits(pattern: str, word: str) -> bool:
    if not is_glob(pattern):
        return pattern == word
    if word.startswith("-") and not pattern.startswith("-"):
        return False
    if pattern == "*":
        return True
    # `tests/**` speaks of a folder, so a word that climbs out of it is not meant.
    return ".." not in word.split("/") and bool(_regex(pattern).fullmatch(word))


def _covers(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    if not wide or not narrow:
        return all(word == _ANY for word in wide) and not narrow
    if wide[0] == _ANY:
        return _covers(wide[1:], narrow) or _covers(wide, narrow[1:])
    if narrow[0] == _ANY:
        return False
    same = wide[0] == narrow[0] or (wide[0] == "*" and not narrow[0].startswith("-"))
    return (same or (not is_glob(narrow[0]) and _word_fits(wide[0], narrow[0]))) and _covers(
        wide[1:], narrow[1:]
    )


@lru_cache(maxsize=4096)
def _regex(pattern: str) -> re.Pattern[str]:
    """`**` crosses `/`, `*` and `?` do not, `[...]` is one character of a set."""
    parts = re.findall(r"\*\*|\[!?\]?[^\]]*\]|.", pattern, re.DOTALL)
    return re.compile("".join(_part(part) for part in parts), re.DOTALL)


def _part(part: str) -> str:
    match part:
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _ if len(part) > 1:
            inside = re.sub(r"([\\\[\]^&|~])", r"\\\1", part[1:-1].removeprefix("!"))
            return f"[{'^' if part[1] == '!' else ''}{inside}]"
        case _:
            return re.escape(part)
