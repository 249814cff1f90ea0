"""Text -> the same without secrets: known values in their usual spellings, and what is shaped like one. Pure.

No guessing by entropy: lock files and hashes would be taken for secrets. Shapes are detect-secrets' keyed
patterns and those of the services this bot itself is used with.
"""

import base64
import html
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import quote, quote_plus

STARS: Final = "***"


@dataclass(frozen=True, slots=True)
class Redactor:
    """Knows the secrets of this run, and prints none of them."""

    _secrets: tuple[str, ...] = field(default=(), repr=False)

    def __call__(self, text: str) -> str:
        return redact(text, self._secrets)

    def knows(self, text: str) -> bool:
        """Whether one of this run's own secrets, or a piece of one, is in the text."""
        return bool(self._secrets) and _without(text, self._secrets) != text


def redact(text: str, secrets: Sequence[str] = ()) -> str:
    """`secrets` are the values that must not be seen; a piece of one with 12 characters is gone as well."""
    for patterns in _shapes().values():
        for pattern in patterns:
            text = pattern.sub(STARS, text)
    return _without(text, tuple(secrets))


def secret_rules(text: str) -> tuple[str, ...]:
    """The names of the shapes that are in the text, such as "GitHub Token"; empty when none is."""
    return tuple(
        name for name, patterns in _shapes().items() if any(pattern.search(text) for pattern in patterns)
    )


def _without(text: str, secrets: tuple[str, ...]) -> str:
    """Every place where a window stands, joined with those that touch it, becomes stars."""
    windows = _windows(secrets)
    if len(text) < windows.least or not windows.may_be_in(text):
        return text
    kept: list[str] = []
    shown_from = 0
    hidden_to = -1
    for at in range(len(text)):
        size = next((size for size in windows.lengths if text[at : at + size] in windows.texts), 0)
        if not size:
            continue
        if at > hidden_to:
            kept += [text[shown_from:at], STARS]
        shown_from = hidden_to = max(hidden_to, at + size)
    return "".join(kept) + text[shown_from:]


@dataclass(frozen=True, slots=True)
class _Windows:
    """All pieces of 12 characters of all spellings; a spelling that is shorter stands as a whole.

    `lengths` are theirs, longest first. Every window holds one of `blocks` at least.
    """

    texts: frozenset[str]
    lengths: tuple[int, ...]
    least: int
    blocks: tuple[str, ...]

    def may_be_in(self, text: str) -> bool:
        # A short one is as soon read through.
        return len(text) < _WORTH_A_LOOK or any(block in text for block in self.blocks)


@cache
def _windows(secrets: tuple[str, ...]) -> _Windows:
    found: set[str] = set()
    blocks: set[str] = set()
    for secret in secrets:
        # What is shorter is in every text somewhere: nothing could be read any more.
        if len(secret.strip()) < _LEAST:
            continue
        for spelled in _spellings(secret.strip()):
            found.update(_pieces(spelled))
            blocks.update(_blocks(spelled))
    lengths = sorted({len(window) for window in found}, reverse=True)
    return _Windows(
        texts=frozenset(found),
        lengths=tuple(lengths),
        least=min(lengths, default=sys.maxsize),
        blocks=tuple(blocks),
    )


def _blocks(spelled: str) -> Iterable[str]:
    """Side by side, and half as long as a piece: so no piece lies between them."""
    half = _PIECE // 2
    return [spelled[at : at + half] for at in range(0, len(spelled) - half + 1, half)]


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


@cache
def _shapes() -> dict[str, tuple[re.Pattern[str], ...]]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    plugins: Mapping[str, Any] = get_mapping_from_secret_type_to_class()
    shapes = {name: tuple(plugins[name].denylist) for name in plugins if name not in _NOT_THEIRS}
    for name, pattern in _OURS.items():
        shapes[name] = (*shapes.get(name, ()), pattern)
    return shapes


_PIECE: Final = 12
_WORTH_A_LOOK: Final = 200
_LEAST: Final = 6
_FEWEST_DIFFERENT: Final = 5
_NOT_THEIRS: Final = frozenset(
    {
        # Guesses, by entropy or by a word that stands near.
        "Base64 High Entropy String",
        "Hex High Entropy String",
        "Secret Keyword",
        # No secret.
        "Public IP (ipv4)",
        # Any word in capitals that starts with AP may be one.
        "Artifactory Credentials",
        # Quadratic on hostile text, or they leave the end of the secret standing: see ours.
        "JSON Web Token",
        "NPM tokens",
        "OpenAI Token",
        "Private Key",
    }
)
_OURS: Final = {
    "Anthropic Key": re.compile(r"(?<![\w-])sk-ant-[\w-]{20,}"),
    "GitHub Token": re.compile(r"(?<!\w)github_pat_\w{22,}"),
    "Google API Key": re.compile(r"(?<![\w-])AIza[\w-]{35}"),
    "JSON Web Token": re.compile(r"(?<![\w-])eyJ[\w-]{8,}={0,2}\.eyJ[\w-]{8,}={0,2}\.[\w-]*"),
    "NPM tokens": re.compile(r"(?<!\w)npm_[A-Za-z0-9]{36}|:_authToken[ \t]*=[ \t]*[^\s$]\S*"),
    "OpenAI Token": re.compile(r"(?<![\w-])sk-(?:(?:proj|svcacct|admin)-[\w-]{20,}|[A-Za-z0-9]{32,})"),
    "Private Key": re.compile(
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----)[\s\S])*(?:-----END [A-Z0-9 ]{0,40}-----)?|PuTTY-User-Key-File-\d"
    ),
}
