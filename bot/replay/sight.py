"""One recorded action as a replay meets it; equal actions are met once, and what is known of them is kept."""

from typing import TYPE_CHECKING, Final, NoReturn

from pydantic import ValidationError

from bot.noted.look import Look
from bot.transcript.recording import Recording

if TYPE_CHECKING:
    from bot.replay.judge import Known

_PREFIX: Final = b'"event":"judged","look":'
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
        found = self._known.get(body)
        if found is None:
            # What stands for a stored text is only this run's, so it must not be kept for others.
            is_plain = body.endswith(b"}}") and b'"$text":' not in body
            found = _plain(recording, number, body) if is_plain else _special(recording, number, body)
            if is_plain:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[body] = found
        return found

    @staticmethod
    def is_judged(body: bytes) -> bool:
        return body.startswith(_PREFIX)


def _plain(recording: Recording, number: int, body: bytes) -> Sight:
    try:
        return Sight(Look.model_validate_json(body[len(_PREFIX) : -1]))
    except ValidationError as error:
        _refuse(recording, number, error)


def _special(recording: Recording, number: int, body: bytes) -> Sight:
    event = recording.event(number, body)
    try:
        return Sight(Look.model_validate(event.get("look")), is_redacted=bool(event.get("redacted")))
    except ValidationError as error:
        _refuse(recording, number, error)


def _refuse(recording: Recording, number: int, error: ValidationError) -> NoReturn:
    recording.refuse(number, f"the record of the action is not one: {error.errors()[0]['msg']}")
