"""The one shared fake of each outside thing that a test can't do with the real one of, or only slowly."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from bot.action import Call, Json
from bot.cost import Usage
from bot.workspace import Entry, Mode, Place, blob_sha
from bot.workspace.private_folder import private_folder
from bot.world import AMPLE, Ran, Room, Turn

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class FixedClock:
    """Always the same moment; `seconds` is what has passed since the start, one after the other."""

    def __init__(self, moment: datetime = NOON, *, seconds: Sequence[float] = ()) -> None:
        self._moment = moment
        self._seconds = list(seconds)

    def now(self) -> datetime:
        return self._moment

    def elapsed_s(self) -> float:
        return self._seconds.pop(0) if self._seconds else 0.0


class MemoryTree:
    """A commit's files without a repository: text, bytes, or an entry's mode and bytes."""

    def __init__(self, files: Mapping[str, str | bytes | tuple[Mode, bytes]]) -> None:
        self._contents: dict[str, bytes] = {}
        self.entries: dict[str, Entry] = {}
        for path, content in sorted(files.items()):
            mode, text = content if isinstance(content, tuple) else (Mode.FILE, content)
            raw = text.encode() if isinstance(text, str) else text
            self._contents[path] = raw
            self.entries[path] = Entry(mode=mode, blob=blob_sha(raw))

    def read(self, path: str) -> bytes:
        return self._contents[path]

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place]:
        raise AssertionError("a tree in memory can't be searched; use a repository")

    def obstacle(self, path: str) -> str | None:
        return None


class ScriptedLlm:
    """Says its turns one after the other, and keeps what it was asked."""

    model = "scripted-model"

    def __init__(self, *turns: Turn) -> None:
        self._turns = list(turns)
        self.asked: list[Sequence[Mapping[str, Json]]] = []
        self.rooms: list[Room] = []

    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn:
        self.asked.append(list(messages))
        self.rooms.append(room)
        return self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]


def turn(*calls: Call, text: str = "", usage: Usage | None = None) -> Turn:
    return Turn(text=text, calls=calls, usage=usage or Usage(calls=1), finish="stop")


def call(tool: str, **arguments: object) -> Call:
    return Call(id="call-1", tool=tool, arguments=json.dumps(arguments))


class NoShell:
    """A shell that must not be reached."""

    def folder(self) -> AbstractContextManager[Path]:
        return private_folder()

    def lenient(self) -> Self:
        return self

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        raise AssertionError(f"the shell was asked to run {command!r}")
