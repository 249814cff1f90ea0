"""A repository without files: what an action is judged on where there is none."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.errors import ToolFailed
from bot.workspace import Entry, Mode, Place, Stretch


class EmptyTree:
    """Both a Tree and a Reader."""

    entries: Mapping[str, Entry] = MappingProxyType({})

    def entry(self, path: str) -> Entry | None:
        return self.entries.get(path)

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        return {path: self.entries[path].mode for path in paths if path in self.entries}

    def paths(self) -> Sequence[str]:
        return ()

    def read(self, path: str) -> bytes:
        raise ToolFailed(f"there is no file {path}")

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        assert not paths  # noqa: S101 - there are none that anybody could have been told of
        return ()

    def obstacle(self, path: str) -> str | None:
        return f"{path} is there" if path in self.entries else None


EMPTY_TREE: Final = EmptyTree()
