"""Planned changes over files that stay as they are. Memory grows with what changed, not with the tree.

But for one list of all paths, which is made once and patched when a path comes or goes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    Unread,
    blob_sha,
    check_file,
    check_writable,
    modes_of,
    parents,
)
from bot.workspace.listing import Listing
from bot.workspace.scratch import Scratch

# GitHub takes no larger file either.
_MOST_BYTES: Final = 100 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    entry: Entry
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Savepoint:
    """What was planned at one moment, and how many changes had been made by then."""

    planned: Mapping[str, _File | None]
    at: int


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
        # The paths of all changes, in order: what differs from an earlier moment is among those since then
        self._changed: Final[list[str]] = []
        # Those that any path lay in that was ever changed
        self._folders: Final[set[str]] = set()

    def entry(self, path: str) -> Entry | None:
        if path in self._planned:
            planned = self._planned[path]
            return planned.entry if planned else None
        return self._tree.entries.get(path)

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        planned = self._planned
        if not planned:
            return self._modes_in_tree(paths)
        modes = {path: file.entry.mode for path in paths if (file := planned.get(path)) is not None}
        return {**self._modes_in_tree([path for path in paths if path not in planned]), **modes}

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
        if path in self._folders and any(
            name.startswith(below) for name, file in self._planned.items() if file is not None
        ):
            return True
        return any(name not in self._planned for name in self._base.below(path))

    @cached_property
    def _base(self) -> Listing:
        return Listing(self._tree.entries)

    @cached_property
    def _modes_in_tree(self) -> Callable[[Sequence[str]], Mapping[str, Mode]]:
        return modes_of(self._tree.entries)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The same for many questions: to ask the tree's entries can take a call for each."""
        return frozenset(self._base)

    def read(self, path: str) -> bytes:
        check_file(self, path)
        planned = self._planned.get(path)
        if planned is not None:
            return planned.content
        self._check_size(path)
        return self._tree.read(path)

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        planned, names = self._planned, self._names
        untouched = [path for path in paths if path not in planned and path in names]
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
        check_file(self, path)
        self._remember(path)
        self._listing = None
        if self._before[path] is not None:
            self._planned[path] = None
        else:
            del self._planned[path]

    def savepoint(self) -> Savepoint:
        return Savepoint(planned=dict(self._planned), at=len(self._changed))

    def rollback(self, savepoint: Savepoint) -> None:
        since = dict.fromkeys(self._changed[savepoint.at :])
        now, then = self._planned, savepoint.planned
        if any(
            (now.get(path) is None, path in now) != (then.get(path) is None, path in then) for path in since
        ):
            self._listing = None
        self._planned = dict(savepoint.planned)
        self._changed.extend(since)

    def changes(self) -> tuple[Change, ...]:
        """What differs from the tree, sorted by path; what was changed and changed back does not."""
        return self._changes({}, self._planned)

    def changes_since(self, savepoint: Savepoint) -> tuple[Change, ...]:
        return self._changes(savepoint.planned, self._changed[savepoint.at :])

    def _changes(
        self, planned_before: Mapping[str, _File | None], paths: Iterable[str]
    ) -> tuple[Change, ...]:
        changes: list[Change] = []
        for path in sorted(set(paths)):
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
            self._check_size(path)
            entry = self._tree.entries.get(path)
            self._before[path] = None if entry is None else _File(entry=entry, content=self._tree.read(path))
            self._folders.update(parents(path))
        self._changed.append(path)

    def _check_size(self, path: str) -> None:
        entries = self._tree.entries
        if isinstance(entries, Unread) and (size := entries.size(path)) > _MOST_BYTES:
            raise ToolFailed(
                f"{path} has {size} bytes; a file of more than {_MOST_BYTES} is neither read nor changed"
            )

    def _lay_out(self, paths: Sequence[str]) -> Sequence[Place]:
        if not paths:
            return ()
        for path in paths:
            file = self._planned[path]
            if file is not None and not self._scratch.has(path, file.entry.blob):
                self._scratch.put(path, file.entry.blob, file.content)
        return (self._scratch.place(paths),)
