"""One proposed call: tool, kind, arguments; and the hash that names it.

Nothing here knows whether the action is allowed, or what it would do.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from enum import StrEnum
from json.encoder import encode_basestring
from typing import Final, TypeAlias

from bot.dataclass import dataclass

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

_MAX_SAFE_INTEGER = 2**53 - 1
_PLAIN: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Kind(StrEnum):
    """What a tool can touch: nothing, the workspace, or the world beyond it."""

    READ = "read"
    WRITE = "write"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call as the model sent it; `arguments` is its raw text, which may be anything."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """`arguments` are what the model sent, without its `intent`; JSON that has a canonical spelling."""

    tool: str
    kind: Kind
    arguments: Mapping[str, Json]
    intent: str | None = None
    _id: str = field(default="", init=False, repr=False, compare=False)
    _spelled: bytes = field(default=b"", init=False, repr=False, compare=False)

    @property
    def spelled(self) -> bytes:
        """The arguments in their canonical spelling."""
        if not self._spelled:
            object.__setattr__(self, "_spelled", canonical(self.arguments))
        return self._spelled

    @property
    def id(self) -> str:
        """`dry-` and 12 hex digits; equal for equal calls, so a rehearsal's ids are the same in every run."""
        if not self._id:
            # As {"arguments", "kind", "tool"} would be spelled as a whole.
            kind, tool = self.kind.value.encode(), canonical(self.tool)
            named = b'{"arguments":%b,"kind":"%b","tool":%b}' % (self.spelled, kind, tool)
            made = "dry-" + hashlib.sha256(named).hexdigest()[:12]
            object.__setattr__(self, "_id", made)
        return self._id


def canonical(value: Json) -> bytes:
    """The one spelling of a JSON value that is hashed: RFC 8785, UTF-8.

    Raises `rfc8785.CanonicalizationError` for what has none; `storable` gives any parsed JSON one.
    """
    if _is_plain(value):
        # The same bytes, from C: ten times as fast, and a plan's every step is spelled several times.
        with suppress(UnicodeEncodeError):
            spelled = encode_basestring(value) if type(value) is str else _PLAIN.encode(value)
            return spelled.encode("utf-8")
    import rfc8785

    return rfc8785.dumps(value)


def _is_plain(value: Json) -> bool:
    """Whether Python's own spelling is the canonical one: no number that is written in two ways, and names
    that are sorted alike by characters and by UTF-16 units.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is dict:
        for name, item in value.items():  # type: ignore[union-attr]
            if type(name) is not str or not name.isascii() or not _is_plain(item):
                return False
        return True
    if kind is list or kind is tuple:
        return all(map(_is_plain, value))  # type: ignore[arg-type]
    return kind is int and -_MAX_SAFE_INTEGER <= value <= _MAX_SAFE_INTEGER  # type: ignore[operator]


def with_texts(value: Json, change: Callable[[str], str]) -> Json:
    """The same value with every string in it changed, the names of an object's fields too."""
    match value:
        case str():
            return change(value)
        case Mapping():
            return {change(name): with_texts(item, change) for name, item in value.items()}
        case Sequence():
            return [with_texts(item, change) for item in value]
        case _:
            return value


def storable(value: object) -> Json:
    """Parsed JSON that `canonical` accepts: what it can't carry is spelled out, never dropped.

    Lone surrogates, numbers beyond 2**53 and not-a-numbers come only from malformed calls, which are
    recorded and refused, so their spelling need not be parsed back.
    """
    match value:
        case None | bool():
            return value
        case int():
            return value if abs(value) <= _MAX_SAFE_INTEGER else str(value)
        case float():
            # Beyond that its canonical spelling has no exponent, and would be read back as an integer.
            return value if abs(value) <= _MAX_SAFE_INTEGER else str(value)
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case Mapping():
            return {str(storable(str(key))): storable(item) for key, item in value.items()}
        case Sequence():
            return [storable(item) for item in value]
        case _:
            return str(value)
