"""Everything said and done in a run, one JSON object a line, written before it counts.

Each line is flushed when it is added, so a killed run leaves a readable transcript.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.action import Json, canonical, storable

SCHEMA = "dryrun-bot/transcript/1"


@dataclass(slots=True, kw_only=True)
class Transcript:
    """`lines` counts what was written. The file is made anew, with the schema on its first line."""

    file: Path
    lines: int = field(default=0, init=False)

    def start(self, **facts: object) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(b"")
        self._add({"schema": SCHEMA, "event": "start"} | _stored(facts))

    def note(self, event: str, **facts: object) -> None:
        """Append one event; `facts` are JSON values, and lone surrogates and the like are spelled out."""
        self._add({"event": event} | _stored(facts))

    def _add(self, line: Mapping[str, Json]) -> None:
        with self.file.open("ab") as stream:
            stream.write(canonical({"line": self.lines + 1} | dict(line)) + b"\n")
        self.lines += 1


def _stored(facts: Mapping[str, object]) -> dict[str, Json]:
    return {name: storable(value) for name, value in facts.items()}
