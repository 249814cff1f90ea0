"""A list of gitignore patterns, compiled: which of them is the last to match a path's key, and so decides.

The meaning is git's own (pathspec translates); the index only makes it quick. Patterns are folded as keys
are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from bot.path import fold


class BadPattern(ValueError):
    """The message is the end of a sentence that begins with the pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPattern:
    """`text` as it stands in the file; `source` is where. `takes_back` is a negation, `!docs/**`."""

    text: str
    source: str

    @property
    def takes_back(self) -> bool:
        return self.text.startswith("!")


@dataclass(slots=True)
class PathList:
    """`last_match` answers in a few dictionary look-ups and one regular expression, however many patterns there are."""

    patterns: tuple[PathPattern, ...]
    _exact: dict[str, int] = field(default_factory=dict)
    _under: dict[str, int] = field(default_factory=dict)
    _name: dict[str, int] = field(default_factory=dict)
    _folder: dict[str, int] = field(default_factory=dict)
    _ending: dict[str, int] = field(default_factory=dict)
    _rest: re.Pattern[str] | None = None
    _rest_numbers: tuple[int, ...] = ()

    def __init__(self, patterns: Sequence[PathPattern]) -> None:
        self.patterns = tuple(patterns)
        self._exact, self._under, self._name, self._folder, self._ending = {}, {}, {}, {}, {}
        rest: list[tuple[int, str]] = []
        for number, pattern in enumerate(self.patterns):
            text = fold(pattern.text.removeprefix("!"))
            for shape, index in (
                (_EXACT, self._exact),
                (_UNDER, self._under),
                (_NAME, self._name),
                (_FOLDER, self._folder),
                (_ENDING, self._ending),
            ):
                if plain := shape.fullmatch(text):
                    index[plain[plain.lastindex or 0]] = number
                    break
            else:
                rest.append((number, regex_of(text)))
        # The last pattern that matches decides, and the first alternative that matches is taken.
        rest.reverse()
        self._rest_numbers = tuple(number for number, _ in rest)
        self._rest = re.compile("|".join(f"({regex})" for _, regex in rest), re.DOTALL) if rest else None

    def hit(self, key: str) -> PathPattern | None:
        """The pattern that puts `key` on this list, or None: not on it, or taken back."""
        number = self.last_match(key)
        if number < 0 or self.patterns[number].takes_back:
            return None
        return self.patterns[number]

    def last_match(self, key: str) -> int:
        """The number of the last pattern that matches, -1 when none does. A folder's key ends in `/`."""
        last = -1
        if self._exact or self._under:
            for folder in _folders(key):
                last = max(last, self._exact.get(folder, -1), self._under.get(folder, -1))
            last = max(last, self._exact.get(key.rstrip("/"), -1))
        names = key.split("/")
        for name in names:
            last = max(last, self._name.get(name, -1))
        for name in names[:-1]:
            last = max(last, self._folder.get(name, -1))
        if self._ending:
            for name in names:
                for ending in _endings(name):
                    last = max(last, self._ending.get(ending, -1))
        if self._rest and (found := self._rest.match(key)) and found.lastindex:
            last = max(last, self._rest_numbers[found.lastindex - 1])
        return last


def regex_of(pattern: str) -> str:
    """git's reading of one pattern, without groups. Raises BadPattern for what git would silently ignore."""
    try:
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(pattern)
    except ValueError as error:
        raise BadPattern("is not a gitignore pattern") from error
    if regex is None:
        raise BadPattern("matches nothing: it is empty, a comment, or has a [ without its ]")
    plain = str(regex).replace("(?P<ps_d>/)", "/").removeprefix("^").replace("$)", r"\Z)")
    re.compile(plain)
    return plain


def _folders(key: str) -> Iterator[str]:
    at = key.find("/")
    while at >= 0:
        yield key[:at]
        at = key.find("/", at + 1)


def _endings(name: str) -> Iterator[str]:
    at = name.find(".")
    while at >= 0:
        yield name[at:]
        at = name.find(".", at + 1)


# A word without a wildcard, an escape or a space at its end, which git would cut off.
_W: Final = r"[^*?\[\]\\/#! ]+"
_EXACT: Final = re.compile(rf"/?({_W}(?:/{_W})+)|/({_W})")
_UNDER: Final = re.compile(rf"/?({_W}(?:/{_W})*)/\*\*")
_NAME: Final = re.compile(rf"(?:\*\*/)?({_W})")
_FOLDER: Final = re.compile(rf"\*\*/({_W})/\*\*")
_ENDING: Final = re.compile(r"(?:\*\*/)?\*(\.[^*?\[\]\\/ ]+)")
