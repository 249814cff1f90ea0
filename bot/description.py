"""(Tool, arguments) -> one line for people: what it is about, in five forms. Pure.

A line is not the call: what it leaves out is whole in the record.
"""

from collections.abc import Mapping
from typing import Final

from bot.dataclass import dataclass

_MOST_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    truncated: str
    no_arguments: str
    would_execute: str


# Fixed words that scripts read, so they don't come from the catalogue.
_WORDS: Final = {
    "en": _Words(truncated="truncated", no_arguments="no arguments", would_execute="Would execute"),
    "es": _Words(truncated="truncado", no_arguments="sin argumentos", would_execute="Se ejecutaría"),
}


def describe(tool: str, arguments: Mapping[str, object], *, language: str = "en") -> str:
    """Raises KeyError for a language the bot does not speak."""
    return f"{tool} → {_about(arguments, _WORDS[language])}"


def would_execute(spelled: str, *, language: str = "en") -> str:
    """What a model is told instead of a result."""
    return f"[DRY-RUN] {_WORDS[language].would_execute}: {spelled}"


def _about(arguments: Mapping[str, object], words: _Words) -> str:
    match arguments:
        case {"path": str() as path}:
            return path
        case {"command": str() as command} if len(command) > _MOST_CHARACTERS:
            return f"{command[:_MOST_CHARACTERS]}... ({words.truncated})"
        case {"command": str() as command}:
            return command
        case _:
            return ", ".join(arguments) or f"({words.no_arguments})"
