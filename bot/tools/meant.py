"""Patterns as a model wrote them -> the paths that it meant, as gitignore reads them."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, takewhile
from typing import Final

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.paths.path_pattern import words_of
from bot.tools.reach import shown
from bot.workspace.listing import Joined, Listing

_MOST_STARS: Final = 3
_MOST_DOUBLE_STARS: Final = 2
# To find a word once more takes as long as to look at so many paths.
_STEPS_OF_A_SEARCH: Final = 10
_WILD: Final = re.compile(r"[*?]")
# All files of one kind, anywhere or in a folder.
_KIND: Final = re.compile(r"(?:/?((?:[\w.-]+/)*)\*\*/)?\*(\.[\w.-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """`page` is the part of all that was asked for."""

    number: int
    page: Sequence[str]


def found(pattern: str, listing: Listing, *, skip: int, most: int) -> Found:
    """What a pattern means, in the order of paths. Most paths are not looked at one by one for that."""
    _check(pattern)
    whole = listing.whole
    kind = _KIND.fullmatch(_from_the_root(pattern))
    # All that is in a folder with such a name is meant as well.
    if whole is not None and kind is not None and not whole.is_ending_of_folders(kind[2]):
        folder = (kind[1] or "").rstrip("/")
        below = listing.below(folder) if folder else listing
        return _of_a_kind(kind[2], below, whole, whole.below(folder), skip=skip, most=most)
    is_meant = _regex(pattern)
    paths = [path for path in _candidates(pattern, listing, whole) if is_meant(path)]
    return Found(number=len(paths), page=paths[skip : skip + most])


def _of_a_kind(
    ending: str, paths: Sequence[str], whole: Joined, among: slice, *, skip: int, most: int
) -> Found:
    """All that ends so of these paths, which are `among` the whole text."""
    number = whole.text.count(f"{ending}\n", among.start, among.stop)
    if skip >= number:
        return Found(number=number, page=[])
    if number * _STEPS_OF_A_SEARCH < len(paths):
        named = whole.holding(f"{ending}\n", among=among)
    else:
        # Most are of that kind, and only so many are wanted.
        named = (path for path in paths if path.endswith(ending))
    return Found(number=number, page=list(islice(named, skip, min(number, skip + most))))


def meant(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches one of the patterns."""
    import pathspec

    for pattern in patterns:
        _check(pattern)
    try:
        return pathspec.GitIgnoreSpec.from_lines(map(_from_the_root, patterns)).match_file
    except ValueError as error:
        raise ToolFailed(f"not a gitignore pattern: {error}") from error


def _regex(pattern: str) -> Callable[[str], object]:
    """The same of one pattern, without what looking at several takes."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        made = GitIgnoreSpecPattern(_from_the_root(pattern))
    except ValueError as error:
        raise ToolFailed(f"not a gitignore pattern: {error}") from error
    # A comment and a pattern that takes back mean nothing by themselves
    return made.regex.match if made.include and made.regex is not None else lambda _: None


def _candidates(pattern: str, listing: Listing, whole: Joined | None) -> Iterable[str]:
    """All paths in the folder that the pattern names, or that hold its rarest word, or just all."""
    if folder := _folder(pattern):
        return listing.below(folder)
    words = [] if whole is None else [word for word in words_of(_from_the_root(pattern)) if word]
    if whole is None or not words:
        return listing
    numbers = {word: whole.number_of(word) for word in words}
    # Of those that are rare, the longer one is looked for in fewer steps
    rarest = min(words, key=lambda word: (numbers[word], -len(word)))
    return listing if numbers[rarest] > len(listing) // 10 else whole.holding(rarest)


def _folder(pattern: str) -> str:
    """The folder that all it means is in, "" where it says none: `docs/a` is a path from the root."""
    if "\\" in pattern or "[" in pattern:
        return ""
    *folders, _ = _from_the_root(pattern).rstrip("/ ").removeprefix("/").split("/")
    return "/".join(takewhile(lambda name: not _WILD.search(name), folders))


def _check(pattern: str) -> None:
    # Each further star multiplies the time that a hostile file name can cost
    stars = max(name.count("*") for name in pattern.replace("**", "").split("/"))
    if stars > _MOST_STARS or pattern.count("**") > _MOST_DOUBLE_STARS or len(pattern) > 1000:
        raise ToolFailed(f"that pattern is too long or has too many stars: {shown(pattern)[:100]}")


def _from_the_root(pattern: str) -> str:
    # A leading ./ means the root to everybody but gitignore
    return "/" + pattern[2:] if pattern.startswith("./") else pattern
