"""Everything said and done in a run, one JSON object a line, written before it counts.

Each line begins with the sha256 of the line before it, so that none can be changed, moved, or left out
unseen; and it is on disk when the next thing happens, so that a killed run leaves a readable transcript.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.action import Json, canonical, storable, with_texts
from bot.errors import BotError

SCHEMA: Final = "dryrun-bot/transcript/1"
NOTHING_BEFORE: Final = "0" * 64
# The name under which a stored text stands in for itself; a field that is called so gets one $ more.
TEXT: Final = "$text"

_LEAST_STORED: Final = 1000


@dataclass(slots=True, kw_only=True)
class Transcript:
    """`lines` counts what was written; `redact` takes the secrets out of each before.

    As a context manager it notes what failed, and writes the last line.
    """

    file: Path
    redact: Callable[[str], str] = str
    lines: int = field(default=0, init=False)
    run_id: str = field(default="", init=False)
    _after: str = field(default=NOTHING_BEFORE, init=False)
    _stored: set[str] = field(default_factory=set, init=False)
    _is_ended: bool = field(default=False, init=False)

    @classmethod
    def begin(cls, file: Path, *, redact: Callable[[str], str] = str, **facts: object) -> Self:
        """The file is made anew, with the schema on its first line beside what the run is about."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        transcript = cls(file=file, redact=redact)
        transcript._add({"schema": SCHEMA, "event": "began"} | _storable(facts))
        transcript.run_id = run_id_of(transcript._after)
        return transcript

    def note(self, event: str, **facts: object) -> None:
        """Append one event; `facts` are JSON values, and lone surrogates and the like are spelled out."""
        if self._is_ended:
            raise ValueError(f"{self.file} has ended, and nothing can be added: {event}")
        self._add({"event": event} | _storable(facts))

    def end(self) -> None:
        """Add the last line. It says nothing: so whatever was said has a line after it that proves it."""
        self.note("ended")
        self._is_ended = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # The words of a fault of our own may be anybody's; they are in the log.
            what = error.what if isinstance(error, BotError) else ""
            self.note("failed", error=kind.__name__, what=what)
        self.end()

    def _add(self, line: Mapping[str, Json]) -> None:
        # Text by text: a pattern must not reach from one field into the next and break the line.
        redacted = {name: with_texts(value, self.redact) for name, value in line.items()}
        if redacted != line:
            redacted["redacted"] = True
        self._write({name: self._without_long_texts(value) for name, value in redacted.items()})

    def _write(self, line: Mapping[str, Json]) -> None:
        number = self.lines + 1
        written = canonical({**line, "_after": self._after, "_line": number})
        with self.file.open("ab") as stream:
            stream.write(written + b"\n")
        self.lines = number
        self._after = hashlib.sha256(written).hexdigest()

    def _without_long_texts(self, value: Json) -> Json:
        """A long text gets a line of its own, once, and is named by its sha256 wherever it stands."""
        match value:
            case str() if len(value) >= _LEAST_STORED:
                name = hashlib.sha256(value.encode("utf-8")).hexdigest()
                if name not in self._stored:
                    self._stored.add(name)
                    self._write({"event": "text", "sha256": name, "text": value})
                return {TEXT: name}
            case Mapping():
                return {
                    f"${name}" if name.lstrip("$") == "text" != name else name: self._without_long_texts(item)
                    for name, item in value.items()
                }
            case list() | tuple():
                return [self._without_long_texts(item) for item in value]
            case _:
                return value


def run_id_of(first_line_sha256: str) -> str:
    """What a run is called: its first line says which pull request, occasion and moment it was."""
    return f"run-{first_line_sha256[:16]}"


def _storable(facts: Mapping[str, object]) -> dict[str, Json]:
    return {name: storable(value) for name, value in facts.items()}
