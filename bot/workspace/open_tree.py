"""A commit's files without those that are secret: what is laid out where an approved command runs.

The policy denies every action on them, but no rule can see into a command that reads all there is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from bot.errors import ToolFailed
from bot.workspace import Entry, Place, Stretch, Tree, contents


class OpenTree:
    """`is_secret` says of a path that it stays where it is."""

    def __init__(self, tree: Tree, is_secret: Callable[[str], bool]) -> None:
        self._tree: Final = tree
        self._is_secret: Final = is_secret

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        shown = {path: entry for path, entry in self._tree.entries.items() if not self._is_secret(path)}
        return MappingProxyType(shown)

    def read(self, path: str) -> bytes:
        if path not in self.entries:
            raise ToolFailed(f"there is no file {path} that may be read")
        return self._tree.read(path)

    def read_all(self, paths: Sequence[str]) -> Iterator[bytes]:
        if not self.entries.keys() >= set(paths):
            raise ToolFailed("there are files among these that may not be read")
        return contents(self._tree, paths)

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        return self._tree.lay_out([path for path in paths if path in self.entries])

    def obstacle(self, path: str) -> str | None:
        return self._tree.obstacle(path)
