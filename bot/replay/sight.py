"""One recorded action as a replay meets it; equal actions are met once, and what is known of them is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from bot.action import canonical, storable
from bot.noted.look import Look
from bot.sentence import Sentence

if TYPE_CHECKING:
    from bot.replay.judge import Known
    from bot.transcript.recording import Recording

_PREFIX: Final = b'"event":"judged","look":'
_AT: Final = len(_PREFIX)
_REDACTED: Final = b"!"
_MOST_KNOWN: Final = 20_000


class Sight:
    """`known` is what judges found of it, by their numbers."""

    __slots__ = ("is_redacted", "known", "look")

    def __init__(self, look: Look, *, is_redacted: bool = False) -> None:
        self.look: Final = look
        self.is_redacted: Final = is_redacted
        self.known: Final[dict[int, Known]] = {}


class Sights:
    """Of a process. Equal records of actions are equal bytes, so most are parsed once for all runs."""

    def __init__(self) -> None:
        self._known: Final[dict[bytes, Sight]] = {}

    def of(self, recording: Recording, number: int, body: bytes) -> Sight:
        """`body` is that of a `judged` line."""
        look = body[_AT:-1] if _is_plain(body) else look_in(recording, number, body)
        try:
            return self.told(look)
        except ValidationError as error:
            recording.refuse(
                number,
                Sentence("the record of the action is not one: %(why)s", why=error.errors()[0]["msg"]),
            )

    def told(self, look: bytes) -> Sight:
        """`look` is as `look_in` spells it. Raises ValidationError."""
        found = self._known.get(look)
        if found is None:
            is_redacted = look.startswith(_REDACTED)
            found = Sight(Look.model_validate_json(look[is_redacted:]), is_redacted=is_redacted)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[look] = found
        return found

    @staticmethod
    def is_judged(body: bytes) -> bool:
        return body.startswith(_PREFIX)


def look_in(recording: Recording, number: int, body: bytes) -> bytes:
    """What a `judged` line says of its action, alone: with every stored text in its place."""
    if _is_plain(body):
        return body[_AT:-1]
    event = recording.event(number, body)
    try:
        spelled = canonical(storable(event.get("look")))
    except RecursionError:
        recording.refuse(number, Sentence("the line is nested too deeply to be read"))
    return (_REDACTED if event.get("redacted") else b"") + spelled


def _is_plain(body: bytes) -> bool:
    """Whether it holds nothing else, and no name of a text."""
    return body[_AT : _AT + 1] == b"{" and body.endswith(b"}}") and b'"$' not in body
