"""The same questions as an overlay's, asked of real files: what is written here is written."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.workspace import Entry, Match, Mode, Place, Searcher, Tree, check_file, check_writable, modes_of
from bot.workspace.folder import Folder
from bot.workspace.listing import Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What really lies in a folder. `odd` are the paths of what git can't hold: pipes, sockets, devices."""

    entries: Mapping[str, Entry]
    odd: tuple[str, ...]


class Disk:
    """`tree` is what was laid out in `folder`, and `listing` names the files that count: by default all.

    In a person's work tree `listing` leaves out what git ignores, which then isn't there for anybody.
    """

    def __init__(
        self,
        folder: Path,
        tree: Tree,
        searcher: Searcher,
        *,
        listing: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        self._folder: Final = Folder(folder)
        self._tree: Final = tree
        self._searcher: Final = searcher
        self._listing: Final = listing
        self._made: Final[set[str]] = set()
        modes = modes_of(tree.entries)(tuple(tree.entries))
        self._submodules: Final = {
            path: tree.entries[path] for path, mode in modes.items() if mode is Mode.SUBMODULE
        }

    @property
    def folder(self) -> Path:
        """Where the files really lie."""
        return self._folder.root

    def entry(self, path: str) -> Entry | None:
        if path in self._submodules:
            return self._submodules[path]
        entry = self._folder.entry(path)
        return entry if entry is not None and self._counts(path) else None

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        modules = {path: Mode.SUBMODULE for path in paths if path in self._submodules}
        there = self._folder.modes([path for path in paths if path not in modules])
        return {**{path: mode for path, mode in there.items() if self._counts(path)}, **modules}

    def paths(self) -> Listing:
        listed = self._folder.paths() if self._listing is None else (*self._listing(), *self._made)
        there = self._folder.there(sorted(set(listed)))
        return Listing(sorted({*there, *self._submodules}))

    def is_folder(self, path: str) -> bool:
        return path not in self._submodules and self._folder.is_folder(path)

    def read(self, path: str) -> bytes:
        check_file(self, path)
        return self._folder.read(path)

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        regular = {path: path for path in self._folder.regular(paths)}
        places = [Place(folder=str(self._folder.root), names=regular)] if regular else []
        return self._searcher.search(places, pattern, fixed=fixed, ignore_case=ignore_case, most=most)

    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None:
        check_writable(self, path)
        before = self.entry(path)
        if before is None and self._folder.is_there(path):
            raise ToolFailed(f"something is at {path} that the repository doesn't track; it is left alone")
        if executable is None:
            executable = before is not None and before.mode is Mode.EXECUTABLE
        self._folder.write(path, content, executable=executable)
        self._made.add(path)

    def delete(self, path: str) -> None:
        check_file(self, path)
        self._folder.delete(path)

    def state(self) -> State:
        """Everything in the folder as it is now, read again byte by byte."""
        found = {item.path: item.entry for item in self._folder.walk()}
        entries = {path: entry for path, entry in found.items() if entry is not None} | self._submodules
        odd = sorted(path for path, entry in found.items() if entry is None)
        return State(entries=dict(sorted(entries.items())), odd=tuple(odd))

    def _counts(self, path: str) -> bool:
        if self._listing is None or path in self._tree.entries or path in self._made:
            return True
        return path in self._listing()
