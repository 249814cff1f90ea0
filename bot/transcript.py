"""Everything said and done in a run, one JSON object a line, written before it counts.

Each line is flushed when it is added, so a killed run leaves a readable transcript.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.action import Json, canonical, storable, with_texts

SCHEMA = "dryrun-bot/transcript/1"


@dataclass(slots=True, kw_only=True)
class Transcript:
    """`lines` counts what was written; `redact` takes the secrets out of each before."""

    file: Path
    redact: Callable[[str], str] = str
    lines: int = field(default=0, init=False)

    @classmethod
    def begin(cls, file: Path, *, redact: Callable[[str], str] = str, **facts: object) -> "Transcript":
        """The file is made anew, with the schema on its first line beside what the run is about."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        transcript = cls(file=file, redact=redact)
        transcript._add({"schema": SCHEMA, "event": "began"} | _stored(facts))
        return transcript

    def note(self, event: str, **facts: object) -> None:
        """Append one event; `facts` are JSON values, and lone surrogates and the like are spelled out."""
        self._add({"event": event} | _stored(facts))

    def _add(self, line: Mapping[str, Json]) -> None:
        # Text by text: a pattern must not reach from one field into the next and break the line.
        redacted = {name: with_texts(value, self.redact) for name, value in line.items()}
        with self.file.open("ab") as stream:
            stream.write(canonical({"line": self.lines + 1} | redacted) + b"\n")
        self.lines += 1


def _stored(facts: Mapping[str, object]) -> dict[str, Json]:
    return {name: storable(value) for name, value in facts.items()}
