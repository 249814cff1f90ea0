"""Planned changes over files that stay as they are. Memory grows with what changed, not with the tree.

But for one list of all paths, which is made once and patched when a path comes or goes.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.workspace import (
    Change,
    Entry,
    Match,
    Mode,
    Place,
    Searcher,
    Tree,
    blob_sha,
    check_writable,
    file_at,
)
from bot.workspace.listing import Listing
from bot.workspace.scratch import Scratch


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    entry: Entry
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Savepoint:
    """What was planned at one moment."""

    planned: Mapping[str, _File | None]


class Overlay:
    """A Workspace in which nothing is real: a scratch folder aside, no byte outside this object changes."""

    def __init__(self, tree: Tree, searcher: Searcher) -> None:
        self._tree: Final = tree
        self._searcher: Final = searcher
        self._scratch: Final = Scratch()
        # None stands for a file that was there and is deleted
        self._planned: dict[str, _File | None] = {}
        # What was there when a path was first changed: a live run makes plans real, in the tree too
        self._before: Final[dict[str, _File | None]] = {}
        self._listing: Listing | None = None

    def entry(self, path: str) -> Entry | None:
        if path in self._planned:
            planned = self._planned[path]
            return planned.entry if planned else None
        return self._tree.entries.get(path)

    def paths(self) -> Listing:
        """The same one, until a path is made or deleted."""
        if self._listing is None:
            planned = self._planned.items()
            made = {path for path, file in planned if file is not None and self._before[path] is None}
            other = made.union(path for path, file in planned if file is None)
            self._listing = self._base
            if other:
                kept = [path for path in self._base if path not in other]
                self._listing = Listing(sorted([*kept, *made]))
        return self._listing

    def is_folder(self, path: str) -> bool:
        below = f"{path}/"
        if any(name.startswith(below) for name, file in self._planned.items() if file is not None):
            return True
        return any(name not in self._planned for name in self._base.below(path))

    @cached_property
    def _base(self) -> Listing:
        return Listing(self._tree.entries)

    def read(self, path: str) -> bytes:
        file_at(self, path)
        planned = self._planned.get(path)
        return self._tree.read(path) if planned is None else planned.content

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        planned, entries = self._planned, self._tree.entries
        untouched = [path for path in paths if path not in planned and path in entries]
        changed = [path for path in paths if path in planned and planned[path] is not None]
        places = [*self._tree.lay_out(untouched), *self._lay_out(changed)]
        return self._searcher.search(places, pattern, fixed=fixed, ignore_case=ignore_case, most=most)

    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None:
        check_writable(self, path)
        before = self.entry(path)
        if before is None and path not in self._tree.entries and (way := self._tree.obstacle(path)):
            raise ToolFailed(way)
        if executable is None:
            executable = before is not None and before.mode is Mode.EXECUTABLE
        mode = Mode.EXECUTABLE if executable else Mode.FILE
        self._remember(path)
        if before is None:
            self._listing = None
        self._planned[path] = _File(entry=Entry(mode=mode, blob=blob_sha(content)), content=content)

    def delete(self, path: str) -> None:
        file_at(self, path)
        self._remember(path)
        self._listing = None
        if self._before[path] is not None:
            self._planned[path] = None
        else:
            del self._planned[path]

    def savepoint(self) -> Savepoint:
        return Savepoint(planned=dict(self._planned))

    def rollback(self, savepoint: Savepoint) -> None:
        if _names(savepoint.planned) != _names(self._planned):
            self._listing = None
        self._planned = dict(savepoint.planned)

    def changes(self) -> tuple[Change, ...]:
        """What differs from the tree, sorted by path; what was changed and changed back does not."""
        return self._changes({})

    def changes_since(self, savepoint: Savepoint) -> tuple[Change, ...]:
        return self._changes(savepoint.planned)

    def _changes(self, planned_before: Mapping[str, _File | None]) -> tuple[Change, ...]:
        changes: list[Change] = []
        for path in sorted(planned_before.keys() | self._planned.keys()):
            before = self._state(path, planned_before)
            after = self._state(path, self._planned)
            if before != after:
                changes.append(
                    Change(
                        path=path,
                        before=before,
                        after=after,
                        content_before=self._content(path, planned_before),
                        content_after=self._content(path, self._planned),
                    )
                )
        return tuple(changes)

    def _state(self, path: str, planned: Mapping[str, _File | None]) -> Entry | None:
        file = planned[path] if path in planned else self._before[path]
        return file.entry if file else None

    def _content(self, path: str, planned: Mapping[str, _File | None]) -> bytes | None:
        file = planned[path] if path in planned else self._before[path]
        return file.content if file else None

    def _remember(self, path: str) -> None:
        if path not in self._before:
            entry = self._tree.entries.get(path)
            self._before[path] = None if entry is None else _File(entry=entry, content=self._tree.read(path))

    def _lay_out(self, paths: Sequence[str]) -> Sequence[Place]:
        if not paths:
            return ()
        for path in paths:
            file = self._planned[path]
            if file is not None and not self._scratch.has(path, file.entry.blob):
                self._scratch.put(path, file.entry.blob, file.content)
        return (self._scratch.place(paths),)


def _names(planned: Mapping[str, _File | None]) -> Mapping[str, bool]:
    return {path: file is not None for path, file in planned.items()}
