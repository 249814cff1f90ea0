"""One proposed call: tool, kind, arguments; and the hash that names it.

Nothing here knows whether the action is allowed, or what it would do.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import rfc8785

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

_MAX_SAFE_INTEGER = 2**53 - 1


class Kind(StrEnum):
    """What a tool can touch: nothing, the workspace, or the world beyond it."""

    READ = "read"
    WRITE = "write"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """`arguments` are what the model sent, without its `intent`; JSON that has a canonical spelling."""

    tool: str
    kind: Kind
    arguments: Mapping[str, Json]
    intent: str | None = None

    @property
    def id(self) -> str:
        """`dry-` and 12 hex digits; equal for equal calls, so a rehearsal's ids are the same in every run."""
        named = {"tool": self.tool, "kind": self.kind.value, "arguments": self.arguments}
        return "dry-" + hashlib.sha256(canonical(named)).hexdigest()[:12]


def canonical(value: Json) -> bytes:
    """The one spelling of a JSON value that is hashed: RFC 8785, UTF-8.

    Raises `rfc8785.CanonicalizationError` for what has none; `storable` gives any parsed JSON one.
    """
    return rfc8785.dumps(value)


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
