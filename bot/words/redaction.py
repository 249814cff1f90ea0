"""Text -> the same without secrets: those of this run, and whatever is shaped like one. Pure."""

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from typing import Final

from bot.dataclass import dataclass
from bot.words.known_secret import places
from bot.words.secret_shape import Read, shapes

STARS: Final = "***"


@dataclass(frozen=True, slots=True)
class Redactor:
    """Knows the secrets of this run, and prints none of them."""

    _secrets: tuple[str, ...] = field(default=(), repr=False)

    def __call__(self, text: str) -> str:
        return redact(text, self._secrets)

    def knows(self, text: str) -> bool:
        """Whether one of this run's own secrets, or a piece of one, is in the text."""
        return bool(self._secrets and places(text, self._secrets))


def redact(text: str, secrets: Sequence[str] = ()) -> str:
    """`secrets` are the values that must not be seen; a piece of one with 12 characters is gone as well."""
    return (_redacted_word if len(text) <= _WORD else _redacted)(text, tuple(secrets))


def _redacted(text: str, secrets: tuple[str, ...]) -> str:
    read = Read(text)
    for shape in shapes():
        # One by one: what was glued to a secret stands alone when that is gone, and may be one itself.
        if found := list(shape.found_in(read)):
            read = Read(_hidden(read.text, found))
    return _hidden(read.text, places(read.text, secrets))


# A record says the same few words with each step.
_WORD: Final = 32
_redacted_word: Final = lru_cache(maxsize=1000)(_redacted)


def secret_rules(text: str) -> tuple[str, ...]:
    """The names of the shapes that are in the text, such as "GitHub Token"; empty when none is."""
    read = Read(text)
    found = (shape.name for shape in shapes() if any(True for _ in shape.found_in(read)))
    return tuple(dict.fromkeys(found))


def _hidden(text: str, found: Sequence[tuple[int, int]]) -> str:
    kept: list[str] = []
    shown_from = 0
    for start, end in found:
        kept += [text[shown_from:start], STARS]
        shown_from = end
    return "".join((*kept, text[shown_from:])) if kept else text
