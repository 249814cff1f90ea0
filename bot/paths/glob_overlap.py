"""Two gitignore patterns -> whether one takes in all of the other, or any of it: for the lint only.

`covers` is sound: yes means yes. `overlaps` errs the other way: no means no.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from bot.paths.path import fold

# A pattern's tokens: a character, a set of them in brackets, or one of these.
_ONE: Final = "?"  # any character of a name
_SOME: Final = "*"  # any characters of a name, or none
_ALL: Final = "**"  # anything at all, or nothing
Tokens: TypeAlias = tuple[str, ...]
_Place: TypeAlias = tuple[int, int]
_REPEATED: Final = re.compile(r"(?<![^/])\*\*(?:/\*\*)+(?![^/])")
_STARS: Final = re.compile(r"\*+")


def covers(wide: str, narrow: str) -> bool:
    """Whether every path that `narrow` matches is matched by `wide`; False where that can't be seen."""
    return all(any(_covers(one, other) for one in _readings(wide)) for other in _readings(narrow))


def overlaps(one: str, other: str) -> bool:
    """Whether there may be a path that both match; True where that can't be excluded."""
    return any(_overlaps(a, b) for a, b in product(_readings(one), _readings(other)))


@lru_cache(maxsize=8192)
def _readings(pattern: str) -> tuple[Tokens, ...]:
    """A pattern as full matches of a path: at the root or deeper, the thing itself or what is in it."""
    text = _REPEATED.sub("**", fold(pattern.removeprefix("!")))
    is_folder, inner = text.endswith("/"), text.strip("/")
    is_anchored = "/" in text.rstrip("/") and not inner.startswith("**/")
    inner = inner.removeprefix("**/")
    is_below = inner.endswith("/**")
    bodies = list(_without_gaps(inner.removesuffix("/**")))
    if not is_anchored:
        bodies += [(_ALL, "/", *body) for body in bodies]
    below = [(*body, "/", _ALL) for body in bodies]
    return tuple(below if is_below or is_folder else [*bodies, *below])


def _without_gaps(text: str) -> Iterator[Tokens]:
    """`a/**/b` is a/b as well."""
    first, *rest = text.split("/**/")
    for gaps in product(("/", "/**/"), repeat=min(len(rest), 4)):
        filled = "".join(gap + part for gap, part in zip(gaps, rest, strict=False))
        yield tuple(_tokens(first + filled + "".join(f"/**/{part}" for part in rest[4:])))


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        size = 1
        if stars := _STARS.match(text, at):
            # Two stars are more than one only where they are a whole name.
            size = len(stars[0])
            is_name = text[at - 1 : at] in {"", "/"} and text[at + size : at + size + 1] in {"", "/"}
            yield _ALL if size == 2 and is_name else _SOME
            at += size
            continue
        elif text[at] == "[" and (end := text.find("]", at + 2)) > 0:
            size = end + 1 - at
        yield text[at : at + size]
        at += size


def _covers(wide: Tokens, narrow: Tokens) -> bool:
    """Every token of `narrow` is taken by one of `wide`, its wildcards by ones as large."""

    def onward(place: _Place) -> Iterator[_Place]:
        i, j = place
        want, have = wide[i] if i < len(wide) else None, narrow[j] if j < len(narrow) else None
        if want in {_SOME, _ALL}:
            yield i + 1, j
            if have is not None and (want == _ALL or have not in {"/", _ALL}):
                yield i, j + 1
        elif want is not None and have is not None and _takes(want, have):
            yield i + 1, j + 1

    return _is_reached((len(wide), len(narrow)), onward)


def _takes(want: str, have: str) -> bool:
    return want == have or (want == _ONE and have not in {"/", _SOME, _ALL})


def _overlaps(one: Tokens, other: Tokens) -> bool:
    def onward(place: _Place) -> Iterator[_Place]:
        i, j = place
        a, b = one[i] if i < len(one) else None, other[j] if j < len(other) else None
        if a in {_SOME, _ALL}:
            yield i + 1, j
            if b is not None and (a == _ALL or b != "/"):
                yield i, j + 1
        if b in {_SOME, _ALL}:
            yield i, j + 1
            if a is not None and (b == _ALL or a != "/"):
                yield i + 1, j
        if a is not None and b is not None and (a == b or _may_be_same(a, b)):
            yield i + 1, j + 1

    return _is_reached((len(one), len(other)), onward)


def _may_be_same(a: str, b: str) -> bool:
    return "/" not in {a, b} and any(token == _ONE or token.startswith("[") for token in (a, b))


def _is_reached(goal: _Place, onward: Callable[[_Place], Iterator[_Place]]) -> bool:
    """From the beginning of both patterns to `goal`. Not by recursion: a pattern may be long."""
    seen: set[_Place] = {(0, 0)}
    waiting: list[_Place] = [(0, 0)]
    while waiting:
        place = waiting.pop()
        if place == goal:
            return True
        for following in onward(place):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return False
