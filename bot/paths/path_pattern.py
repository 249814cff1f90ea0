"""A list of gitignore patterns, compiled: which of them is the last to match a path's key, and so decides.

The meaning is git's own (pathspec translates); the index makes it quick. Patterns are folded as keys are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from bot.dataclass import dataclass
from bot.paths.name_index import Alternatives, NameIndex
from bot.paths.path import fold
from bot.sentence import Sentence


class BadPattern(ValueError):
    """`fault` is the end of a sentence that begins with the pattern."""

    def __init__(self, fault: Sentence) -> None:
        super().__init__(fault)
        self.fault: Final = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPattern:
    """`text` as it stands in the file; `source` is where. `takes_back` is a negation, `!docs/**`."""

    text: str
    source: str

    @property
    def takes_back(self) -> bool:
        return self.text.startswith("!")


class PathList:
    """Answers in a few dictionary look-ups, however many patterns there are: nearly all are indexed."""

    def __init__(self, patterns: Sequence[PathPattern]) -> None:
        self.patterns: Final = tuple(patterns)
        self._folders: Final[dict[str, _Folder]] = {}
        # Plain paths from the root: what is in each, and each by its folder and its name.
        self._below: Final[dict[str, int]] = {}
        self._exact: Final[dict[str, dict[str, int]]] = {}
        # All others by a name that they say: their last, which is a path's own or one of its folders', or
        # else one before it. Those are `_open`: in one folder they match some paths and others not.
        self._names: Final = NameIndex()
        self._folder_names: Final = NameIndex()
        self._nameless: Final = Alternatives()
        self._open: Final[set[Alternatives]] = set()
        for number, pattern in enumerate(self.patterns):
            # git leaves out spaces at a pattern's end.
            self._add(number, fold(pattern.text.removeprefix("!")).rstrip(" "))
        # What is longer than all of them needs no look-up: a path of a million folders would be cut as often.
        self._longest: Final = max(map(len, self._below), default=0)

    def _add(self, number: int, text: str) -> None:
        names = text.removeprefix("/").split("/")
        # `a` and `**/a` may be anywhere, `/a` and `a/b` may not; `a/` and `a/**` are what is in it.
        is_anywhere = names[0] == "**" or "/" not in text.rstrip("/")
        is_below = names[-1] in {"", "**"}
        said = names[names[0] == "**" : len(names) - is_below]
        path = "/".join(said)
        if not is_anywhere and _PLAIN.fullmatch(path):
            self._below[path] = number
            if not is_below:
                folder, _, name = path.rpartition("/")
                self._exact.setdefault(folder, {})[name] = number
            return
        regex = None if is_anywhere and _PLAIN_NAME.fullmatch(path) else regex_of(text)
        if said and self._folder_names.add(said[-1], number, regex):
            if not is_below:
                self._names.add(said[-1], number, regex)
            return
        for name in reversed(said[:-1]):
            if kept := self._folder_names.add(name, number, regex):
                self._open.add(kept)
                return
        self._nameless.add(number, regex)
        self._open.add(self._nameless)

    def hit(self, key: str) -> PathPattern | None:
        """The pattern that puts `key` on this list, or None: not on it, or taken back."""
        number = self.last_match(key)
        if number < 0 or self.patterns[number].takes_back:
            return None
        return self.patterns[number]

    def speaks_of(self, keys: Iterable[str]) -> bool:
        """Whether any pattern matches any of the keys, be it to take it back."""
        for key in keys:  # noqa: SIM110 - asked of every path, and a generator takes as long as the answer
            if self.last_match(key) >= 0:
                return True
        return False

    @cached_property
    def words(self) -> Sequence[str]:
        """Every key on this list holds one of these; "" where there is a pattern that says no word."""
        texts = [fold(one.text) for one in self.patterns if not one.takes_back]
        return tuple({max(words_of(text), key=len, default="") for text in texts})

    def last_match(self, key: str) -> int:
        """The number of the last pattern that matches, -1 when none does. A folder's key ends in `/`."""
        folder, _, name = key.rpartition("/")
        found, exact, asked = self._folders.get(folder) or self._in_folder(folder)
        if exact and exact.get(name, -1) > found:
            found = exact[name]
        for one in self._names.speaking_of(name):
            found = max(found, one.last_match(key))
        for one in asked:
            found = max(found, one.last_match(key))
        return found

    def _in_folder(self, folder: str) -> "_Folder":
        found = self._below.get(folder, -1)
        at = folder.find("/")
        while 0 <= at <= self._longest:
            found = max(found, self._below.get(folder[:at], -1))
            at = folder.find("/", at + 1)
        speaking = {self._nameless} & self._open
        for name in folder.split("/"):
            speaking.update(self._folder_names.speaking_of(name))
        asked = speaking & self._open
        for one in speaking - asked:
            found = max(found, one.last_match(f"{folder}/"))
        made = found, self._exact.get(folder), tuple(asked)
        # Not the long ones: nobody means them well, and the memory is everybody's.
        if len(folder) <= _LONGEST_KEPT:
            if len(self._folders) >= _MOST_KEPT:
                self._folders.clear()
            self._folders[folder] = made
        return made


# The last pattern that matches all in it, those of single names in it, and those that each path is held to.
_Folder: TypeAlias = tuple[int, Mapping[str, int] | None, Sequence[Alternatives]]


def words_of(text: str) -> Sequence[str]:
    """The parts of a pattern that stand in all it matches; none where that is hard to tell."""
    if "\\" in text or "[" in text:
        return ()
    return [part.strip("/ ") for part in re.split(r"[*?]+", text)]


def regex_of(pattern: str) -> str:
    """What git makes of one pattern, without groups. Raises BadPattern for what git would silently ignore."""
    if _ODD_SET.search(pattern):
        raise BadPattern(
            Sentence("has a set of characters that readers disagree about; write the characters one by one")
        )
    if pattern.rstrip(" ").endswith("/**/"):
        raise BadPattern(
            Sentence(
                "ends in /**/, which git takes for what is in its folders alone; write /** "
                "for all that is in it, or /*/**"
            )
        )
    # Here, for all defaults are plain: it brings thirty modules along.
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(pattern)
    except ValueError as error:
        raise BadPattern(Sentence("is not a gitignore pattern")) from error
    if regex is None:
        raise BadPattern(Sentence("matches nothing: it is empty, a comment, or has a [ without its ]"))
    # Its regexes are searched for, and these are matched from the beginning.
    anchored = str(regex)[1:] if str(regex).startswith("^") else f".*{regex}"
    plain = anchored.replace("(?P<ps_d>/)", "/").replace("$)", r"\Z)")
    # No set has a slash in it to git, be it `[!a]` or one from `.` to `0`.
    plain = _SET.sub(lambda found: "(?!/)[" if found[0] == "[" else found[0], plain)
    try:
        re.compile(plain)
    except re.error as error:
        raise BadPattern(Sentence("is not a gitignore pattern (%(why)s)", why=error)) from error
    return plain


_MOST_KEPT: Final = 16_384
_LONGEST_KEPT: Final = 200
# What regular expressions may come to read as a set inside a set, or as an operation on sets.
_ODD_SET: Final = re.compile(r"\[[^\]]*(?:\[|--|&&|\|\||~~)")
# A set that a pattern brought along (pathspec adds ones of all but a slash), or what is escaped.
_SET: Final = re.compile(r"\\.|\[(?!\^/\])", re.DOTALL)
# Without a wildcard, an escape, or what means something at a pattern's beginning or end.
_W: Final = r"[^*?\[\]\\/#! ]+"
_PLAIN: Final = re.compile(rf"{_W}(?:/{_W})*")
_PLAIN_NAME: Final = re.compile(rf"\*?{_W}|{_W}\*")
