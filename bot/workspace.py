"""The repository's files as an action sees them: an `Overlay` remembers changes, a `Disk` makes them.

Both answer the same questions, and both stand on the head commit's tracked files with their raw bytes.
No path is ever followed through a symbolic link.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Mode(StrEnum):
    """git's file modes, as they stand in a tree object."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    SUBMODULE = "160000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`blob` is the 40-digit object name git gives these bytes; for a submodule, the commit's."""

    mode: Mode
    blob: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One line that matched: `line` counts from 1, `text` is without its line end."""

    path: str
    line: int
    text: str


class Tree(Protocol):
    """What was there before anything was planned: a commit's tracked files, or a person's work tree."""

    @property
    def entries(self) -> Mapping[str, Entry]: ...
    def read(self, path: str) -> bytes: ...


class Reader(Protocol):
    """The questions a reading tool may ask. Paths are normal: relative, `/`, no `.` or `..`."""

    def entry(self, path: str) -> Entry | None: ...
    def paths(self) -> Sequence[str]: ...
    def read(self, path: str) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One path before and after: None means that it is not there."""

    path: str
    before: Entry | None
    after: Entry | None
    content_before: bytes | None
    content_after: bytes | None


class Workspace(Reader, Protocol):
    """What a tool that changes files is handed. `executable=None` keeps the mode, or makes a plain file."""

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]: ...
    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None: ...
    def delete(self, path: str) -> None: ...
