"""Everything said and done in a run, one JSON object a line, written before it counts.

Each line begins with the sha256 of the line before it, so that none can be changed, moved, or left out
unseen; and it is on disk when the next thing happens, so that a killed run leaves a readable transcript.
"""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.action import Json, canonical, storable
from bot.dataclass import dataclass
from bot.errors import BadUsage, BotError, naming

SCHEMA: Final = "dryrun-bot/transcript/1"
NOTHING_BEFORE: Final = "0" * 64
# The name under which a stored text stands in for itself; a field that is called so gets one $ more.
TEXT: Final = "$text"

_LEAST_STORED: Final = 1000


@dataclass(slots=True, kw_only=True)
class Transcript:
    """`lines` counts what was written; `redact` takes the secrets out of each before.

    The file stays open until the last line is written, or nobody holds the transcript any more. As a context
    manager it notes what failed, and writes the last line.
    """

    file: Path
    redact: Callable[[str], str] = str
    lines: int = field(default=0, init=False)
    run_id: str = field(default="", init=False)
    _after: str = field(default=NOTHING_BEFORE, init=False)
    _stored: set[str] = field(default_factory=set, init=False)
    _is_ended: bool = field(default=False, init=False)
    _is_redacted: bool = field(default=False, init=False)
    _descriptor: int = field(default=-1, init=False)

    @classmethod
    def begin(cls, file: Path, *, redact: Callable[[str], str] = str, **facts: object) -> Self:
        """The file is made anew, with the schema on its first line beside what the run is about.

        Raises BadUsage where it can't be made.
        """
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"")
        except OSError as error:
            raise BadUsage(
                "%(file)s can't be written: %(why)s",
                file=file,
                why=error.strerror,
                next_step="check the permissions and the disk, and start again",
            ) from error
        transcript = cls(file=file, redact=redact)
        transcript._add({"schema": SCHEMA, "event": "began"} | facts)
        transcript.run_id = run_id_of(transcript._after)
        return transcript

    def note(self, event: str, **facts: object) -> None:
        """Append one event; `facts` are JSON values, and lone surrogates and the like are spelled out."""
        if self._is_ended:
            raise ValueError(f"{self.file} has ended, and nothing can be added: {event}")
        self._add({"event": event} | facts)

    def end(self) -> None:
        """Add the last line. It says nothing: so whatever was said has a line after it that proves it."""
        self.note("ended")
        self._is_ended = True
        self._close()

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

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        opened, self._descriptor = self._descriptor, -1
        if opened >= 0:
            os.close(opened)

    def _add(self, line: Mapping[str, object]) -> None:
        self._is_redacted = False
        kept = {name: self._kept(value) for name, value in line.items()}
        if self._is_redacted:
            kept["redacted"] = True
        self._write(kept)

    def _write(self, line: Mapping[str, Json]) -> None:
        number = self.lines + 1
        written = canonical({**line, "_after": self._after, "_line": number})
        self._append(written + b"\n")
        self.lines = number
        self._after = hashlib.sha256(written).hexdigest()

    def _append(self, line: bytes) -> None:
        if self._descriptor < 0:
            self._descriptor = os.open(
                self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666
            )
        left = memoryview(line)
        with naming(self.file):
            while left:
                left = left[os.write(self._descriptor, left) :]

    def _kept(self, value: object) -> Json:
        """What is written of it. Secrets go text by text: a pattern must not reach from one field into the
        next and break the line.
        """
        kind = type(value)
        if kind is str:
            return self._kept_text(value)  # type: ignore[arg-type]
        if value is None or kind is bool:
            return value  # type: ignore[return-value]
        if isinstance(value, Mapping):
            return {self._kept_name(name): self._kept(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._kept(item) for item in value]
        plain = storable(value)
        return plain if isinstance(plain, int | float) else self._kept(plain)

    def _kept_name(self, name: object) -> str:
        told = self._redacted(name if isinstance(name, str) and name.isascii() else str(storable(str(name))))
        return f"${told}" if told.lstrip("$") == "text" != told else told

    def _kept_text(self, text: str) -> Json:
        """A long text gets a line of its own, once, and is named by its sha256 wherever it stands."""
        told = self._redacted(text if text.isascii() else str(storable(text)))
        if len(told) < _LEAST_STORED:
            return told
        name = hashlib.sha256(told.encode("utf-8")).hexdigest()
        if name not in self._stored:
            self._stored.add(name)
            self._write({"event": "text", "sha256": name, "text": told})
        return {TEXT: name}

    def _redacted(self, text: str) -> str:
        told = self.redact(text)
        if told != text:
            self._is_redacted = True
        return told


def run_id_of(first_line_sha256: str) -> str:
    """What a run is called: its first line says which pull request, occasion and moment it was."""
    return f"run-{first_line_sha256[:16]}"
