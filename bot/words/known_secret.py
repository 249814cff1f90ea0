"""(Text, secrets of this run) -> where they stand in it, their usual spellings and pieces of them too. Pure.

What it costs is linear in the text, however many secrets there are.
"""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final
from urllib.parse import quote, quote_plus

from bot.dataclass import dataclass


def places(text: str, secrets: tuple[str, ...]) -> list[tuple[int, int]]:
    """Start and end of each, from the left: where a window stands, joined with those that touch it."""
    windows = _windows(secrets)
    found: list[tuple[int, int]] = []
    for at in windows.may_start_at(text):
        end = at + windows.longest_at(text, at)
        if end > at and found and at <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif end > at:
            found.append((at, end))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Windows:
    """All pieces of 12 characters of all spellings; a spelling that is shorter stands as a whole.

    `lengths` are theirs, longest first. `grams` are all six characters in a row of those with 11 or more;
    `short` are the others.
    """

    texts: frozenset[str]
    lengths: tuple[int, ...]
    grams: frozenset[str]
    short: tuple[str, ...]

    def longest_at(self, text: str, at: int) -> int:
        """How long the longest one is that starts there; 0 where none does."""
        pieces = (text[at : at + size] for size in self.lengths)
        return next((len(piece) for piece in pieces if piece in self.texts), 0)

    def may_start_at(self, text: str) -> Sequence[int]:
        """In order. Of eleven characters in a row, six lie in one of the text's sixths."""
        grams = self.grams
        sixths = [at for at in range(0, len(text), _GRAM) if text[at : at + _GRAM] in grams] if grams else []
        if not sixths and not any(window in text for window in self.short):
            return ()
        starts = {start for at in sixths for start in range(max(0, at - _GRAM + 1), at + 1)}
        for window in self.short:
            starts.update(_all_of(window, text))
        return sorted(starts)


def _all_of(window: str, text: str) -> Iterator[int]:
    at = text.find(window)
    while at >= 0:
        yield at
        at = text.find(window, at + 1)


@cache
def _windows(secrets: tuple[str, ...]) -> _Windows:
    found: set[str] = set()
    for secret in secrets:
        # What is shorter is in every text somewhere: nothing could be read any more.
        if len(secret.strip()) < _LEAST:
            continue
        for spelled in _spellings(secret.strip()):
            found.update(_pieces(spelled))
    long = [window for window in found if len(window) >= 2 * _GRAM - 1]
    return _Windows(
        texts=frozenset(found),
        lengths=tuple(sorted({len(window) for window in found}, reverse=True)),
        grams=frozenset(window[at : at + _GRAM] for window in long for at in range(len(window) - _GRAM + 1)),
        short=tuple(sorted(found.difference(long))),
    )


def _pieces(spelled: str) -> Iterable[str]:
    if len(spelled) <= _PIECE:
        return [spelled]
    pieces = (spelled[at : at + _PIECE] for at in range(len(spelled) - _PIECE + 1))
    # A run of zeros tells nothing of the secret that it is a piece of, and stands in every new file's diff.
    telling = [piece for piece in pieces if len(set(piece)) >= _FEWEST_DIFFERENT]
    return telling or [spelled]


def _spellings(secret: str) -> Iterator[str]:
    raw = secret.encode("utf-8", "surrogateescape")
    yield from (secret, secret[::-1], raw.hex(), raw.hex().upper())
    yield from (json.dumps(secret)[1:-1], html.escape(secret))
    for escaped in (quote(secret, safe="", errors="replace"), quote_plus(secret, errors="replace")):
        yield from (escaped, re.sub("%..", lambda found: found[0].lower(), escaped))
    for before in range(3):
        # Inside longer text the same bytes come out in one of three ways; the characters at the ends are
        # shared with their neighbours.
        padded = b"\0" * before + raw
        whole = base64.b64encode(padded).decode().rstrip("=")
        inner = whole[(before * 8 + 5) // 6 : len(padded) * 8 // 6]
        if len(inner) >= _LEAST:
            yield from (inner, inner.replace("+", "-").replace("/", "_"))


_PIECE: Final = 12
_GRAM: Final = 6
_LEAST: Final = 6
_FEWEST_DIFFERENT: Final = 5
