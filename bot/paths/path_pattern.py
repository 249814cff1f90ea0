"""A list of gitignore patterns, compiled: which of them is the last to match a path's key, and so decides.

The meaning is git's own (pathspec translates); the index makes it quick. Patterns are folded as keys are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from bot.paths.path import fold


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


class PathList:
    """Answers in a few dictionary look-ups, however many patterns there are: most are plain, and indexed."""

    def __init__(self, patterns: Sequence[PathPattern]) -> None:
        self.patterns: Final = tuple(patterns)
        # What was found of names and of keys: most come again, in the next path or the next action.
        self._known: Final[tuple[dict[str, int], dict[str, int]]] = ({}, {})
        self._plain: Final[dict[str, dict[str, int]]] = {shape: {} for shape in _SHAPES}
        # By their first letter and length, so that a name is cut a few times and not compared with each.
        self._starts: Final[dict[str, dict[int, dict[str, int]]]] = {}
        rest: dict[str, list[tuple[int, str]]] = {}
        for number, pattern in enumerate(self.patterns):
            # git leaves out spaces at a pattern's end.
            text = fold(pattern.text.removeprefix("!")).rstrip(" ")
            for shape, regex in _SHAPES.items():
                if plain := regex.fullmatch(text):
                    self._plain[shape][plain[plain.lastindex or 0]] = number
                    break
            else:
                if start := _START.fullmatch(text):
                    by_length = self._starts.setdefault(start[1][0], {})
                    by_length.setdefault(len(start[1]), {})[start[1]] = number
                else:
                    first = _FIRST.match(text)
                    rest.setdefault(first[1] if first else "", []).append((number, regex_of(text)))
        # What is longer than all of them needs no look-up: a path of a million folders would be cut as often.
        self._longest_folder: Final = max(map(len, [*self._plain["a/b"], *self._plain["a/**"]]), default=0)
        self._longest_ending: Final = max(map(len, self._plain["*.ending"]), default=0)
        # By the first name of a path, where a pattern says it, and under "" where it does not.
        self._rest: Final = {first: _Alternatives(regexes) for first, regexes in rest.items()}

    def hit(self, key: str) -> PathPattern | None:
        """The pattern that puts `key` on this list, or None: not on it, or taken back."""
        number = self.last_match(key)
        if number < 0 or self.patterns[number].takes_back:
            return None
        return self.patterns[number]

    def speaks_of(self, keys: Iterable[str]) -> bool:
        """Whether any pattern matches any of the keys, be it to take it back."""
        return any(self.last_match(key) >= 0 for key in keys)

    @cached_property
    def words(self) -> Sequence[str]:
        """Every key on this list holds one of these; "" where there is a pattern that says no word."""
        texts = [fold(one.text) for one in self.patterns if not one.takes_back]
        return tuple({max(words_of(text), key=len, default="") for text in texts})

    def last_match(self, key: str) -> int:
        """The number of the last pattern that matches, -1 when none does. A folder's key ends in `/`."""
        known = self._known[1]
        found = known.get(key)
        if found is None:
            found = _kept(known, key, self._found(key))
        return found

    def _found(self, key: str) -> int:
        names = key.split("/")
        numbers = [-1, *self._by_folders(key), *self._by_names(names)]
        if self._rest:
            rest = [self._rest[first] for first in ("", names[0]) if first in self._rest]
            numbers.extend([one.last_match(key) for one in rest])
        return max(numbers)

    def _by_folders(self, key: str) -> Sequence[int]:
        """Of the patterns that give a path from the root."""
        exact, under = self._plain["a/b"], self._plain["a/**"]
        numbers = []
        at = key.find("/")
        while 0 <= at <= self._longest_folder:
            folder = key[:at]
            if folder in exact:
                numbers.append(exact[folder])
            if folder in under:
                numbers.append(under[folder])
            at = key.find("/", at + 1)
        if key in exact:
            numbers.append(exact[key])
        return numbers

    def _by_names(self, names: Sequence[str]) -> Sequence[int]:
        """Of the patterns that speak of one name, wherever it stands."""
        folder, known = self._plain["**/name/**"], self._known[0]
        numbers = [folder[name] for name in names[:-1] if name in folder]
        for name in names:
            found = known.get(name)
            if found is None:
                found = _kept(known, name, self._by_name(name))
            numbers.append(found)
        return numbers

    def _by_name(self, name: str) -> int:
        whole, ending = self._plain["name"], self._plain["*.ending"]
        numbers = [whole.get(name, -1)]
        by_length = self._starts.get(name[:1], _NO_STARTS)
        numbers.extend([starts[name[:n]] for n, starts in by_length.items() if name[:n] in starts])
        at = name.find(".", max(0, len(name) - self._longest_ending))
        while at >= 0:
            if name[at:] in ending:
                numbers.append(ending[name[at:]])
            at = name.find(".", at + 1)
        return max(numbers)


class _Alternatives:
    """Patterns of no plainer shape, as one regular expression."""

    __slots__ = ("_numbers", "_regex")

    def __init__(self, regexes: Sequence[tuple[int, str]]) -> None:
        # The last pattern that matches decides, and the first alternative that matches is taken.
        backwards = list(reversed(regexes))
        self._numbers: Final = tuple(number for number, _ in backwards)
        self._regex: Final = re.compile("|".join(f"({regex})" for _, regex in backwards), re.DOTALL)

    def last_match(self, key: str) -> int:
        found = self._regex.match(key)
        return self._numbers[found.lastindex - 1] if found and found.lastindex else -1


def _kept(known: dict[str, int], text: str, number: int) -> int:
    # Not the long ones: nobody means them well, and the memory is everybody's.
    if len(text) <= _LONGEST_KNOWN:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[text] = number
    return number


def words_of(text: str) -> Sequence[str]:
    """The parts of a pattern that stand in all it matches; none where that is hard to tell."""
    if "\\" in text or "[" in text:
        return ()
    return [part.strip("/ ") for part in re.split(r"[*?]+", text)]


def regex_of(pattern: str) -> str:
    """What git makes of one pattern, without groups. Raises BadPattern for what git would silently ignore."""
    if _ODD_SET.search(pattern):
        raise BadPattern(
            "has a set of characters that readers disagree about; write the characters one by one"
        )
    try:
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(pattern)
    except ValueError as error:
        raise BadPattern("is not a gitignore pattern") from error
    if regex is None:
        raise BadPattern("matches nothing: it is empty, a comment, or has a [ without its ]")
    # Its regexes are searched for, and these are matched from the beginning.
    anchored = str(regex)[1:] if str(regex).startswith("^") else f".*{regex}"
    plain = anchored.replace("(?P<ps_d>/)", "/").replace("$)", r"\Z)")
    try:
        re.compile(plain)
    except re.error as error:
        raise BadPattern(f"is not a gitignore pattern ({error})") from error
    return plain


_MOST_KNOWN: Final = 16_384
_LONGEST_KNOWN: Final = 200
# What regular expressions may come to read as a set inside a set, or as an operation on sets.
_ODD_SET: Final = re.compile(r"\[[^\]]*(?:\[|--|&&|\|\||~~)")
# A word without a wildcard, an escape, or what means something at a pattern's beginning or end.
_W: Final = r"[^*?\[\]\\/#! ]+"
_SHAPES: Final = {
    "a/b": re.compile(rf"/?({_W}(?:/{_W})+)|/({_W})"),  # it, and all in it
    "a/**": re.compile(rf"/?({_W}(?:/{_W})*)/\*\*"),  # all in it
    "name": re.compile(rf"(?:\*\*/)?({_W})"),  # it, wherever it stands, and all in it
    "**/name/**": re.compile(rf"\*\*/({_W})/\*\*"),
    "*.ending": re.compile(rf"(?:\*\*/)?\*(\.{_W})"),
}
_NO_STARTS: Final[Mapping[int, Mapping[str, int]]] = {}
_FIRST: Final = re.compile(rf"/?({_W})/(?=.)")  # first/...
_START: Final = re.compile(rf"(?:\*\*/)?({_W})\*")  # start*
