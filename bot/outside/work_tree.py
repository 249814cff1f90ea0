"""A person's work tree in a terminal: what git tracks or would add, with the bytes that are on disk now."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.git import Git
from bot.workspace import Entry, Mode, Place, Stretch, parents
from bot.workspace.folder import Folder


class WorkTree:
    """`home` is the person's HOME and XDG_CONFIG_HOME, where their own ignore rules are."""

    def __init__(self, folder: Path, *, home: Mapping[str, str] | None = None) -> None:
        self._folder: Final = Folder(folder)
        self._git: Final = Git(folder, home=home)

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
        names = {path: path for path in paths if self._folder.is_regular(path)}
        return [Place(folder=str(self._folder.root), names=names)] if names else []

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
        paths = {row.decode("utf-8", "surrogateescape") for row in said.split(b"\0") if row}
        # git names a repository inside this one with a slash at the end
        return sorted(path for path in paths if not path.endswith("/") and self._folder.is_there(path))

    @cached_property
    def _not_checked_out(self) -> frozenset[str]:
        """To make one anew would replace what nobody was shown."""
        said = self._git.says("ls-files", "-t", "-z") or b""
        rows = (row for row in said.split(b"\0") if row.startswith(b"S "))
        return frozenset(row[2:].decode("utf-8", "surrogateescape") for row in rows)

    def _submodules(self) -> Mapping[str, Entry]:
        said = self._git.says("ls-files", "-s", "-z") or b""
        found: dict[str, Entry] = {}
        for row in said.split(b"\0"):
            if row.startswith(b"160000 "):
                head, _, path = row.partition(b"\t")
                blob = head.split(b" ")[1].decode("ascii")
                found[path.decode("utf-8", "surrogateescape")] = Entry(mode=Mode.SUBMODULE, blob=blob)
        return found


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
