"""What an interrupted replay has done already: a line for each file, written as soon as it is done.

A file that changed since is done again. Whatever can't be read here only costs the time to do it again.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.replay.batch import Done
from bot.replay.result import Result
from bot.replay.source import File


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    name: str
    size: int
    changed_ns: int
    results: tuple[Result, ...]


class Journal:
    """`key` names the question; the answers to another one are of no use. `forget` it when all is done."""

    def __init__(self, file: Path, *, key: str) -> None:
        self._file: Final = file
        self._first: Final = json.dumps({"key": key}).encode() + b"\n"
        self._known: Final = dict(self._read())

    def __len__(self) -> int:
        return len(self._known)

    def sorted_out(self, files: Iterable[File], known: list[Done]) -> Iterator[File]:
        """Those that are still to be done; what is known of the others is added to `known`."""
        for file in files:
            stamp = _stamp(file)
            line = None if stamp is None else self._known.get(stamp)
            if line is None:
                yield file
            else:
                known.append(Done(file=file, results=line.results))

    def note(self, done: Done) -> None:
        """What could not be done may be possible the next time."""
        stamp = _stamp(done.file)
        if stamp is None or any(result.refused or result.left_out for result in done.results):
            return
        if not self._file.exists():
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(self._first)
        line = _Line(name=stamp[0], size=stamp[1], changed_ns=stamp[2], results=done.results)
        with self._file.open("ab") as stream:
            stream.write(line.model_dump_json().encode() + b"\n")

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)

    def _read(self) -> Iterator[tuple[tuple[str, int, int], _Line]]:
        try:
            with self._file.open("rb") as stream:
                if stream.readline() == self._first:
                    for line in stream:
                        try:
                            read = _Line.model_validate_json(line)
                        except ValidationError:
                            # Killed while it was written.
                            return
                        yield (read.name, read.size, read.changed_ns), read
                    return
        except FileNotFoundError:
            return
        self.forget()


def _stamp(file: File) -> tuple[str, int, int] | None:
    try:
        found = file.path.stat()
    except OSError:
        return None
    return file.name, found.st_size, found.st_mtime_ns
