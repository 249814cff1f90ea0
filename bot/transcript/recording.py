"""A transcript read back: bytes of others until every line's place in the chain is proven.

Whoever can write the file can make a chain of their own; what it proves is that nothing was lost, mixed up or
touched up on the way. A line is handed on before the next one proves it, so use nothing before the last.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final, NoReturn

from bot.errors import BadTranscript
from bot.sentence import Sentence
from bot.transcript import NOTHING_BEFORE, SCHEMA, run_id_of

_MOST_BYTES: Final = 64 * 1024 * 1024
_ENDED: Final = b'"event":"ended"}'
_TEXT: Final = re.compile(rb'"event":"text","sha256":"([0-9a-f]{64})",')
_FAMILY: Final = re.compile(r"dryrun-bot/transcript/([0-9]{1,9})")


class Recording:
    """One transcript, read once, line by line. `file` is what error messages call it.

    With `unfinished`, a run that was killed is read as far as it got, and `is_whole` says that afterwards.
    """

    def __init__(self, stream: BinaryIO, *, file: str, unfinished: bool = False) -> None:
        self.file: Final = file
        self.run_id = ""
        self.is_whole = False
        self._stream: Final = stream
        self._unfinished: Final = unfinished
        self._texts: Final[dict[str, tuple[int, bytes]]] = {}

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """(Number, what follows the envelope); stored texts are kept aside. Raises BadTranscript."""
        after, number, is_ended = NOTHING_BEFORE.encode(), 0, False
        while line := self._stream.readline(_MOST_BYTES):
            number += 1
            if is_ended:
                self.refuse(number, Sentence("something follows the end of the run"))
            if number == 1 and (line.endswith(b"\n") or not line.startswith(b'{"_after":')):
                self._check_schema(line)
            if not line.endswith(b"\n"):
                if self._unfinished and number > 1 and len(line) < _MOST_BYTES:
                    return
                self.refuse(number, Sentence("the line breaks off, so the transcript is cut short"))
            line = line[:-1]
            envelope = b'{"_after":"%b","_line":%d,' % (after, number)
            if not line.startswith(envelope):
                self._misplaced(line, number)
            after = hashlib.sha256(line).hexdigest().encode()
            if number == 1:
                self.run_id = run_id_of(after.decode())
            body = line[len(envelope) :]
            if stored := _TEXT.match(body):
                self._texts[stored[1].decode()] = (number, body)
                continue
            is_ended = body == _ENDED
            yield number, body
        if not is_ended and not (self._unfinished and number):
            self.refuse(max(number, 1), Sentence("the transcript ends here, before the run does"))
        self.is_whole = is_ended

    def events(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The same as JSON objects, with every stored text in its place."""
        for number, body in self.lines():
            yield number, self.event(number, body)

    def event(self, number: int, body: bytes) -> dict[str, Any]:
        fields = self._parsed(number, b"{" + body)
        if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
            self.refuse(number, Sentence("the line names no event"))
        try:
            restored: dict[str, Any] = self.restored(number, fields)
        except RecursionError:
            self.refuse(number, Sentence("the line is nested too deeply to be read"))
        return restored

    def restored(self, number: int, value: Any) -> Any:  # noqa: ANN401 - any JSON value, and the same again
        """A parsed value with every stored text in its place."""
        match value:
            case {"$text": str() as name, **rest} if not rest:
                return self._text(number, name)
            case dict():
                return {
                    name[1:] if name.startswith("$$") and name.lstrip("$") == "text" else name: self.restored(
                        number, item
                    )
                    for name, item in value.items()
                }
            case list():
                return [self.restored(number, item) for item in value]
            case _:
                return value

    def refuse(self, number: int, why: str) -> NoReturn:
        raise BadTranscript(
            "%(file)s line %(number)s: %(why)s",
            file=self.file,
            number=number,
            why=why,
            next_step="leave the file out, or bring it from its source again",
        )

    def _text(self, number: int, name: str) -> str:
        stored = self._texts.get(name)
        if stored is None:
            self.refuse(
                number, Sentence("it names a text that no earlier line holds (%(name)s)", name=name[:12])
            )
        where, body = stored
        fields = self._parsed(where, b"{" + body)
        text = fields.get("text") if isinstance(fields, dict) else None
        if not isinstance(text, str) or hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() != name:
            self.refuse(where, Sentence("the text is not the one that its sha256 names"))
        return text

    def _parsed(self, number: int, line: bytes) -> Any:  # noqa: ANN401 - any JSON value
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            self.refuse(number, Sentence("the line is not JSON"))

    def _check_schema(self, line: bytes) -> None:
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            fields = None
        schema = fields.get("schema") if isinstance(fields, Mapping) else None
        if schema == SCHEMA:
            return
        family = _FAMILY.fullmatch(schema) if isinstance(schema, str) else None
        if family is None:
            self.refuse(1, Sentence("this is no transcript of dryrun-bot"))
        if int(family[1]) > 1:
            raise BadTranscript(
                "%(file)s line 1: the transcript says %(schema)s, and this version reads %(known)s: "
                "upgrade dryrun-bot",
                file=self.file,
                schema=schema,
                known=SCHEMA,
                next_step="upgrade dryrun-bot to the version that wrote it",
            )
        self.refuse(
            1,
            Sentence(
                "the transcript says %(schema)s, and this version reads %(known)s",
                schema=schema,
                known=SCHEMA,
            ),
        )

    def _misplaced(self, line: bytes, number: int) -> NoReturn:
        """Say what is likely: that a line is missing, out of order, or that one was changed."""
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict) or not isinstance(fields.get("_after"), str):
            self.refuse(number, Sentence("this is no line of a transcript"))
        says = fields.get("_line")
        if says != number:
            said = says if isinstance(says, int) else "?"
            self.refuse(
                number, Sentence("it says it is line %(said)s: lines are missing or moved", said=said)
            )
        if number == 1:
            self.refuse(number, Sentence("it says that a line comes before it"))
        before = f"line {number - 1} as that is now"
        self.refuse(
            number,
            Sentence(
                "it doesn't follow on %(before)s: one of the two was changed, or is another run's",
                before=before,
            ),
        )
