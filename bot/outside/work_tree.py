"""A person's work tree in a terminal: what git tracks or would add, with the bytes that are on disk now.

Of many files the text is read once, and held for later searches. As git does, we take a file for the same as
long as its number and its time of change are.
"""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.git import Git
from bot.outside.held import MANY, Held, held_in
from bot.workspace import Entry, Mode, Place, Stretch, parents
from bot.workspace.folder import Folder

# The coarsest clock of a file system in use: what changed later than that may change again unnoticed.
_SETTLES_IN_S: Final = 3
# On some file systems no file seems to stay the same; there is no use in reading all of them each time.
_MOST_TIMES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """`signs` are those of just before it was read."""

    held: Held
    signs: Mapping[str, int]

    def of_these(self, signs: Mapping[str, int]) -> frozenset[str]:
        """What is held of them, and is as it was."""
        held, then = self.held.paths, self.signs
        return frozenset(path for path, sign in signs.items() if path in held and then[path] == sign)


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
        self._kept: Final[list[_Kept]] = []
        self._may_hold = True

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Listed once; modes and blobs are those on disk when they are asked for."""
        return _Entries(self._folder, self.listing(), self._submodules())

    def read(self, path: str) -> bytes:
        """The bytes of a file, or the target of a link."""
        entry = self.entries.get(path)
        if entry is None or entry.mode is Mode.SUBMODULE:
            raise ToolFailed(f"there is no file {path}")
        return self._folder.target(path) if entry.mode is Mode.LINK else self._folder.read(path)

    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]:
        signs = self._folder.signs(paths)
        places, rest = self._from_memory(signs)
        if len(rest) >= MANY and self._hold(rest):
            places, rest = self._from_memory(signs)
        if rest:
            places.append(Place(folder=str(self._folder.root), names={path: path for path in rest}))
        return places

    def _from_memory(self, signs: Mapping[str, int]) -> tuple[list[Place | Stretch], Mapping[str, int]]:
        places: list[Place | Stretch] = []
        for kept in self._kept:
            same = kept.of_these(signs)
            places += kept.held.parts(same)
            signs = {path: sign for path, sign in signs.items() if path not in same}
        return places, signs

    def _hold(self, signs: Mapping[str, int]) -> bool:
        """Whether more of it is in memory now."""
        settled = (time.time_ns() - self._settles_in_s * 10**9) << 64
        wanted = {
            path: sign
            for path, sign in signs.items()
            if sign < settled and not any(kept.signs.get(path) == sign for kept in self._kept)
        }
        if len(wanted) < MANY or not self._may_hold or len(self._kept) >= _MOST_TIMES:
            return False
        held = held_in(self._folder.root, list(wanted), beside=[kept.held for kept in self._kept])
        if held is None:
            # Too much of it is too much the next time as well.
            self._may_hold = False
            return False
        self._kept.append(_Kept(held=held, signs=wanted))
        return True

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
        said = self._git.says("ls-files", "-co", "--exclude-standard", "-z")
        if said is None:
            raise CheckoutFailed(
                "git can't list %(root)s: %(why)s",
                root=self._folder.root,
                why=self._git.complaint("ls-files"),
                next_step="run git status, and see what it says",
            )
        paths = {*said.decode("utf-8", "surrogateescape").split("\0")} - {""}
        # git names a repository inside this one with a slash at the end
        return list(self._folder.there(sorted(path for path in paths if not path.endswith("/"))))

    @cached_property
    def _not_checked_out(self) -> frozenset[str]:
        """To make one anew would replace what nobody was shown."""
        said = self._git.says("ls-files", "-t", "-z") or b""
        rows = (row for row in said.split(b"\0") if row.startswith(b"S "))
        return frozenset(row[2:].decode("utf-8", "surrogateescape") for row in rows)

    def _submodules(self) -> Mapping[str, Entry]:
        said = self._git.says("ls-files", "-s", "-z") or b""
        return {
            row[3].decode("utf-8", "surrogateescape"): Entry(mode=Mode.SUBMODULE, blob=row[1].decode("ascii"))
            for row in _SUBMODULE.finditer(said)
        }


# Of `ls-files -s -z`: mode, object, stage, path.
_SUBMODULE: Final = re.compile(rb"(?:(?<=\0)|\A)160000 ([0-9a-f]+) ([0-3])\t([^\0]*)")


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

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
