"""A person's work tree in a terminal: what git tracks or would add, with the bytes that are on disk now.

Of many files the text is read once, and held for later searches. Before each of these every file is looked
at: as git does, we take it for the same as long as its number and its time of change are.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.git import Git
from bot.outside.held import MANY, Held, held_in
from bot.workspace import Entry, Mode, Place, Stretch, modes_of, parents
from bot.workspace.folder import Folder

# The coarsest clock of a file system in use: what changed later than that may change again unnoticed.
_SETTLES_IN_S: Final = 3
# On some file systems no file seems to stay the same; there is no use in reading all of them each time.
_MOST_TIMES: Final = 3


@dataclass(slots=True, kw_only=True)
class _Laid:
    """`left` is what nothing is known of; `elsewhere` are regular files, to be searched where they lie."""

    left: frozenset[str]
    places: list[Place | Stretch] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)

    def take(self, held: Held, *, changed: frozenset[str] = frozenset()) -> None:
        same = self.left - changed
        self.places += held.parts(same)
        self.elsewhere |= same & held.elsewhere
        self.left = self.left - held.paths - held.elsewhere | self.left & changed


class WorkTree:
    """`home` is the person's HOME and XDG_CONFIG_HOME, where their own ignore rules are.

    A file that changed less than `settles_in_s` seconds ago is not held.
    """

    def __init__(
        self, folder: Path, *, home: Mapping[str, str] | None = None, settles_in_s: int = _SETTLES_IN_S
    ) -> None:
        self._folder: Final = Folder(folder)
        self._git: Final = Git(folder, home=home)
        self._settles_in_s: Final = settles_in_s
        self._held: Final[list[Held]] = []
        self._may_hold = True

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Listed once; modes and blobs are those on disk when they are asked for."""
        return _Entries(self._folder, self.listing(), self._submodules())

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link."""
        mode = modes_of(self.entries)((path,)).get(path)
        if mode is None or mode is Mode.SUBMODULE:
            raise ToolFailed(f"there is no file {path}")
        if mode is Mode.LINK:
            return self._folder.target(path)
        return self._folder.read(path)

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        laid = _Laid(left=frozenset(paths))
        for held in self._held:
            laid.take(held, changed=held.changed())
        if len(laid.left) >= MANY and (more := self._hold([path for path in paths if path in laid.left])):
            laid.take(more)
        if laid.left:
            laid.elsewhere.update(self._folder.regular([path for path in paths if path in laid.left]))
        if laid.elsewhere:
            there = {path: path for path in paths if path in laid.elsewhere}
            laid.places.append(Place(folder=str(self._folder.root), names=there))
        return laid.places

    def _hold(self, paths: Sequence[str]) -> Held | None:
        """These, if they are in memory now."""
        if not self._may_hold or len(self._held) >= _MOST_TIMES:
            return None
        settled_ns = time.time_ns() - self._settles_in_s * 10**9
        held = held_in(self._folder.root, paths, settled_ns=settled_ns, beside=self._held)
        # Too much of it is too much the next time as well; what is not at rest yet will be.
        self._may_hold = held is not None
        if held is None or len(held.paths) + len(held.elsewhere) < MANY:
            return None
        self._held.append(held)
        return held

    def obstacle(self, path: str) -> str | None:
        """What git ignores, and anything else that is in the way of a new file."""
        if path in self._not_checked_out:
            return f"{path} is tracked, but not checked out here: the work tree is sparse"
        for way in (*parents(path), path):
            if self._folder.is_there(f"{way}/.git"):
                return f"{way} is a repository of its own; it is left alone"
            if way not in self.entries and self._folder.is_there(way) and not self._folder.is_folder(way):
                return f"something is at {way} that the repository doesn't track; it is left alone"
        if self._folder.is_folder(path):
            return f"{path} is a folder with files in it that the repository doesn't track"
        return None

    def listing(self) -> Sequence[str]:
        """The paths that count, as they are now: tracked ones on disk, and new ones that aren't ignored."""
        said = self._git.says("ls-files", "-c", "-o", "-d", "-t", "--exclude-standard", "-z")
        if said is None:
            raise CheckoutFailed(
                "git can't list %(root)s: %(why)s",
                root=self._folder.root,
                why=self._git.complaint("ls-files"),
                next_step="run git status, and see what it says",
            )
        rows = said.decode("utf-8", "surrogateescape").split("\0")[:-1]
        # git has looked whether the tracked ones are there, but not at those of a sparse work tree.
        odd = {row for row in rows if row[0] in "RS"}
        gone = {row[2:] for row in odd}
        # It names a repository inside this one with a slash at the end.
        paths = [row[2:] for row in rows if row[-1] != "/" and row not in odd]
        paths = [path for path in paths if path not in gone] if gone else paths
        paths += self._folder.there(sorted(row[2:] for row in odd if row[0] == "S"))
        # And it looks through links.
        folders = {path.rpartition("/")[0] for path in paths} - {""}
        if behind := {folder for folder in folders if not self._folder.is_folder(folder)}:
            paths = [path for path in paths if path.rpartition("/")[0] not in behind]
        # They come in order, but for the new ones; of a set all would have to be sorted.
        return sorted(dict.fromkeys(paths))

    @cached_property
    def _not_checked_out(self) -> frozenset[str]:
        """To make one anew would replace what nobody was shown."""
        said = self._git.says("ls-files", "-t", "-z") or b""
        rows = (row for row in said.split(b"\0") if row.startswith(b"S "))
        return frozenset(row[2:].decode("utf-8", "surrogateescape") for row in rows)

    def _submodules(self) -> Mapping[str, Entry]:
        said = self._git.says("ls-files", "-s", "-z") or b""
        return {
            row[2].decode("utf-8", "surrogateescape"): Entry(mode=Mode.SUBMODULE, blob=row[1].decode("ascii"))
            for row in _SUBMODULE.finditer(said)
            if row.start() == 0 or said[row.start() - 1] == 0
        }


# Of `ls-files -s -z`: mode, object, stage, path. What comes before is not in it: to look for that takes long.
_SUBMODULE: Final = re.compile(rb"160000 ([0-9a-f]+) [0-3]\t([^\0]*)")


class _Entries(Mapping[str, Entry]):
    """Only the names are held: hashing every file of a large repository first would take long."""

    def __init__(self, folder: Folder, paths: Sequence[str], submodules: Mapping[str, Entry]) -> None:
        self._folder: Final = folder
        self._paths: Final = dict.fromkeys(paths)
        self._submodules: Final = submodules

    def __getitem__(self, path: str) -> Entry:
        if path in self._submodules:
            return self._submodules[path]
        entry = self._folder.entry(path) if path in self._paths else None
        if entry is None:
            raise KeyError(path)
        return entry

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        submodules = self._submodules
        there = [path for path in paths if path in self._paths and path not in submodules]
        return {
            **self._folder.modes(there),
            **{path: Mode.SUBMODULE for path in paths if path in submodules},
        }

    def size(self, path: str) -> int:
        return self._folder.size(path) if path in self._paths else 0

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
