"""A work tree as it was when first looked at: what somebody changes meanwhile is an error, never mixed in.

People go on editing while an agent works. What a plan was made on must be what is replaced in the end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.errors import ToolFailed
from bot.workspace import Entry, Mode, Place, Stretch, Tree, Unread, blob_sha, modes_of


class Snapshot:
    """A Tree over another one. Paths are those of the beginning; modes and blobs those of the first look."""

    def __init__(self, tree: Tree) -> None:
        self._tree: Final = tree
        self._entries: Final = _FirstSeen(tree.entries, tree.entries)

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def read(self, path: str) -> bytes:
        entry = self._entries.get(path)
        content = self._tree.read(path)
        if entry is not None and entry.mode is not Mode.SUBMODULE and blob_sha(content) != entry.blob:
            raise ToolFailed(f"{path} was changed by somebody else meanwhile")
        return content

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        return self._tree.lay_out(paths)

    def obstacle(self, path: str) -> str | None:
        return self._tree.obstacle(path)


class Part:
    """Some paths of a tree, as a Tree of their own; those that are not there are left out."""

    def __init__(self, tree: Tree, paths: Iterable[str]) -> None:
        self._tree: Final = tree
        self._entries: Final = _Some(tree.entries, paths)

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def read(self, path: str) -> bytes:
        return self._tree.read(path)

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        return self._tree.lay_out(paths)

    def obstacle(self, path: str) -> str | None:
        return self._tree.obstacle(path)


class _Some(Mapping[str, Entry]):
    """Asked of the other mapping one by one: each answer of a work tree's takes the reading of a file."""

    def __init__(self, entries: Mapping[str, Entry], paths: Iterable[str]) -> None:
        self._entries: Final = entries
        self._paths: Final = dict.fromkeys(sorted(path for path in paths if path in entries))

    def __getitem__(self, path: str) -> Entry:
        if path not in self._paths:
            raise KeyError(path)
        return self._entries[path]

    def size(self, path: str) -> int:
        return self._entries.size(path) if isinstance(self._entries, Unread) else 0

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        return modes_of(self._entries)([path for path in paths if path in self._paths])

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class _FirstSeen(_Some):
    def __init__(self, entries: Mapping[str, Entry], paths: Iterable[str]) -> None:
        super().__init__(entries, paths)
        self._seen: Final[dict[str, Entry]] = {}

    def __getitem__(self, path: str) -> Entry:
        if path not in self._seen:
            self._seen[path] = super().__getitem__(path)
        return self._seen[path]

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        seen = {path: self._seen[path].mode for path in paths if path in self._seen}
        return {**super().modes([path for path in paths if path not in seen]), **seen}
