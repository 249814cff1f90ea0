"""A copy of a tree that commands are tried on: laid out once, and made what an overlay is as often as needed.

What a command did is found by a look at each file in the file system's own book (its number, the time of its
last change), and only what differs there is read. Whoever changes a file can't turn that time back.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import CheckoutFailed, ToolFailed
from bot.workspace import Entry, Mode, Tree
from bot.workspace.folder import Folder
from bot.workspace.ignored import Ignored
from bot.workspace.overlay import Overlay
from bot.workspace.private_folder import remove

_MOST_PATH_BYTES: Final = 1024
_MOST_FILES: Final = 2_000
_MOST_BYTES: Final = 64 << 20

# Number, and time of the last change in nanoseconds, as one integer: a hundred thousand pairs would each be
# looked at by the garbage collector, again and again.
_Sign = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A path as a command left it; `entry` and `content` are None where it is gone."""

    path: str
    entry: Entry | None
    content: bytes | None


class CopiedTree:
    """`folder` is empty at first, and belongs to whoever commands run as."""

    def __init__(
        self, folder: Path, tree: Tree, *, materialise: Callable[[Tree, Path], None] | None = None
    ) -> None:
        """Without `materialise` it lies there already."""
        self.folder: Final = folder
        self._files: Final = Folder(folder)
        self._tree: Final = tree
        self._materialise: Final = materialise
        self._signs: dict[str, _Sign] | None = None
        # Where it is another than the tree
        self._there: Final[dict[str, Entry | None]] = {}
        # What git ignores and the last command made or changed
        self._fresh: set[str] = set()

    def follow(self, overlay: Overlay) -> None:
        """Make it what the overlay is. What git ignores is left as it is."""
        signs = self._laid_out()
        differing = {
            path: overlay.entry(path) for path in {*self._there, *(one.path for one in overlay.changes())}
        }
        changed = [path for path, entry in differing.items() if self._entry(path) != entry]
        # What has to go goes first: a file may have become a folder.
        for path in sorted(changed, key=lambda path: (differing[path] is not None, path)):
            try:
                self._put(path, differing[path], overlay)
            except (OSError, ToolFailed) as failed:
                raise CheckoutFailed(
                    "The copy that commands are tried on can't be put in order: %(failed)s",
                    failed=failed,
                    next_step="start again without that command",
                ) from failed
            self._note(path, differing[path], signs)

    def restore(self, overlay: Overlay) -> None:
        """The same, and what the last command made of what git ignores is gone."""
        signs = self._laid_out()
        for path in self._fresh:
            if self._files.is_there(path):
                self._files.delete(path)
            signs.pop(path, None)
        self._fresh = set()
        self.follow(overlay)

    def look(self) -> None:
        """Take what lies there for what there was before: a command comes next."""
        self._signs = self._scan()

    def changed(self, overlay: Overlay) -> tuple[Made, ...]:
        """What differs from the overlay since the last look, sorted by path; not what git ignores.

        Raises ToolFailed where it is more than any plan could hold.
        """
        before, now = self._laid_out(), self._scan()
        self._signs = now
        touched = {path for path, sign in now.items() if before.get(path) != sign}
        ignored = Ignored(self._files)
        found: list[Made] = []
        for path in sorted(touched | (before.keys() - now.keys())):
            was = overlay.entry(path)
            if was is None and path in now and ignored.hits(path):
                self._fresh.add(path)
                continue
            status = os.lstat(f"{self.folder}/{path}") if path in now else None
            if status is not None and status.st_size > _MOST_BYTES:
                self._there[path] = _ANOTHER
                raise ToolFailed(f"the command made {path} of {status.st_size} bytes, which no plan can hold")
            entry = self._files.entry(path) if path in now else None
            # A name more for a file that is there: what is written to one would be written to the other.
            is_shared = status is not None and status.st_nlink > 1
            self._there[path] = _ANOTHER if is_shared else entry
            if entry != was:
                found.append(Made(path=path, entry=entry, content=self._content(path, entry)))
        if len(found) > _MOST_FILES:
            raise ToolFailed(f"the command changed {len(found)} files; the most is {_MOST_FILES}")
        return tuple(found)

    def _laid_out(self) -> dict[str, _Sign]:
        if self._signs is None:
            if self._materialise is not None:
                self._materialise(self._tree, self.folder)
            self._signs = self._scan()
        return self._signs

    def _entry(self, path: str) -> Entry | None:
        return self._there[path] if path in self._there else self._tree.entries.get(path)

    def _content(self, path: str, entry: Entry | None) -> bytes | None:
        if entry is None:
            return None
        return self._files.target(path) if entry.mode is Mode.LINK else self._files.read(path)

    def _put(self, path: str, entry: Entry | None, overlay: Overlay) -> None:
        if self._files.is_folder(path) and (entry is None or entry.mode is not Mode.SUBMODULE):
            if entry is None:
                return
            remove(self.folder / path)
        elif self._files.is_there(path):
            self._files.delete(path)
        match entry:
            case None:
                return
            case Entry(mode=Mode.SUBMODULE):
                self._files.make_folder(path)
            case Entry(mode=Mode.LINK):
                self._files.link(path, self._tree.read(path))
            case Entry():
                executable = entry.mode is Mode.EXECUTABLE
                self._files.write(path, overlay.read(path), executable=executable)

    def _note(self, path: str, entry: Entry | None, signs: dict[str, _Sign]) -> None:
        if entry == self._tree.entries.get(path):
            self._there.pop(path, None)
        else:
            self._there[path] = entry
        signs.pop(path, None)
        place = f"{self.folder}/{path}"
        if entry is not None and entry.mode is not Mode.SUBMODULE:
            signs[path] = _sign(os.lstat(place))

    def _scan(self) -> dict[str, _Sign]:
        """Every file and link. Nobody else is at work here; folders that nobody may enter are opened up."""
        signs: dict[str, _Sign] = {}
        todo = [""]
        root = str(self.folder)
        while todo:
            at = todo.pop()
            place = f"{root}/{at}" if at else root
            if not os.access(place, os.R_OK | os.X_OK):
                os.chmod(place, stat.S_IRWXU)  # noqa: PTH101 - as many as there are folders
            with os.scandir(place) as items:
                for item in items:
                    path = f"{at}/{item.name}" if at else item.name
                    if not item.is_dir(follow_symlinks=False):
                        signs[path] = _sign(item.stat(follow_symlinks=False))
                    elif len(os.fsencode(path)) <= _MOST_PATH_BYTES:
                        todo.append(path)
        return signs


def _sign(status: os.stat_result) -> _Sign:
    return status.st_ino << 64 | status.st_ctime_ns


# What no file of a repository is, so that it is put in order before anything else happens.
_ANOTHER: Final = Entry(mode=Mode.SUBMODULE, blob="0" * 40)
