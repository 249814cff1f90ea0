"""The repository's files as an action sees them: what may be asked, who answers, and what is refused.

`overlay.Overlay` remembers changes and `disk.Disk` makes them; both ask the rules here, so what worked in a
rehearsal works in the performance. No path is ever followed through a symbolic link.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol, runtime_checkable

from bot.dataclass import dataclass
from bot.errors import ToolFailed


class Mode(StrEnum):
    """git's file modes, as they stand in a tree object."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    SUBMODULE = "160000"


_REGULAR = (Mode.FILE, Mode.EXECUTABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`blob` is the 40-digit object name git gives these bytes; for a submodule, the commit's."""

    mode: Mode
    blob: str

    @property
    def is_regular(self) -> bool:
        # The same one is found at once in a tuple; a set would hash it, which takes longer than all else.
        return self.mode in _REGULAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One line that matched: `line` counts from 1, `text` is without its line end, cut if it is very long."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where files can be searched: `names` maps a file's name below `folder` to the path it stands for."""

    folder: str
    names: Mapping[str, str]


class Stretch(Protocol):
    """Files one after another in memory, each with a line end: `paths[n]` begins at `starts[n]`.

    What lies between them is nobody's. `at` gives the number of the file that has a byte; `files` are the
    same files where they lie.
    """

    @property
    def files(self) -> Place: ...

    @property
    def descriptor(self) -> int: ...
    @property
    def paths(self) -> Sequence[str]: ...
    @property
    def starts(self) -> Sequence[int]: ...
    def at(self, offset: int) -> int | None: ...
    def lines_between(self, start: int, end: int) -> int: ...


class Searcher(Protocol):
    """Finds lines in files. Raises ToolFailed for a pattern it can't use.

    The answer is sorted by path and line, and is the first `most` of all matches.
    """

    def search(
        self, places: Sequence[Place | Stretch], pattern: str, *, fixed: bool, ignore_case: bool, most: int
    ) -> Sequence[Match]: ...


class Tree(Protocol):
    """What was there before anything was planned: a commit's tracked files, or a person's work tree.

    `entries` is sorted by path. `lay_out` says where the bytes of those that are regular files can be
    searched, and makes such a place where there is none. `obstacle` names what lies in the way of making a
    path that `entries` doesn't show: an ignored file in a person's work tree.
    """

    @property
    def entries(self) -> Mapping[str, Entry]: ...
    def read(self, path: str) -> bytes: ...
    def lay_out(self, paths: Sequence[str]) -> Sequence[Place | Stretch]: ...
    def obstacle(self, path: str) -> str | None: ...


@runtime_checkable
class ReadsMany(Protocol):
    """A Tree that has many files' bytes quicker than one by one, in the order of the paths."""

    def read_all(self, paths: Sequence[str]) -> Iterator[bytes]: ...


def contents(tree: Tree, paths: Sequence[str]) -> Iterator[bytes]:
    return tree.read_all(paths) if isinstance(tree, ReadsMany) else map(tree.read, paths)


@runtime_checkable
class Unread(Protocol):
    """Entries of files that have to be read for their blobs, but not for this: modes, and a size in bytes."""

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]: ...
    def size(self, path: str) -> int: ...


def modes_of(entries: Mapping[str, Entry]) -> Callable[[Sequence[str]], Mapping[str, Mode]]:
    """(Paths) -> the modes of those that are there, by path."""
    if isinstance(entries, Unread):
        return entries.modes
    return lambda paths: {path: entry.mode for path in paths if (entry := entries.get(path)) is not None}


class Reader(Protocol):
    """The questions a reading tool may ask. Paths are normal: relative, `/`, no `.` or `..`.

    `modes` are those of the entries that are there. No file is read for them, however large it is.
    """

    def entry(self, path: str) -> Entry | None: ...
    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]: ...
    def paths(self) -> Sequence[str]: ...
    def read(self, path: str) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One path before and after: None means that it is not there."""

    path: str
    before: Entry | None
    after: Entry | None
    content_before: bytes | None
    content_after: bytes | None


class Workspace(Reader, Protocol):
    """What a tool that changes files is handed. `executable=None` keeps the mode, or makes a plain file.

    `search` looks into regular files only, whatever is in `paths`. What can't be done raises ToolFailed.
    """

    def is_folder(self, path: str) -> bool: ...
    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]: ...
    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None: ...
    def delete(self, path: str) -> None: ...


def mode_at(workspace: Reader, path: str) -> Mode | None:
    """None where nothing is."""
    return workspace.modes((path,)).get(path)


def check_file(workspace: Workspace, path: str) -> None:
    """Raises ToolFailed with what is there instead of a regular file."""
    _check_shape(path)
    mode = mode_at(workspace, path)
    if mode is None:
        _check_parents(workspace, path)
        if workspace.is_folder(path):
            raise ToolFailed(f"{path} is a folder, not a file")
        raise ToolFailed(f"there is no file {path}")
    _check_regular(path, mode)


def check_writable(workspace: Workspace, path: str) -> None:
    """Raises ToolFailed if no regular file can be written there."""
    _check_shape(path)
    _check_parents(workspace, path)
    mode = mode_at(workspace, path)
    if mode is not None:
        _check_regular(path, mode)
    elif workspace.is_folder(path):
        raise ToolFailed(f"{path} is a folder; a file can't take its place while there are files in it")


def parents(path: str) -> Iterator[str]:
    """The folders that a path lies in, the outermost first."""
    at = path.find("/")
    while at != -1:
        yield path[:at]
        at = path.find("/", at + 1)


def blob_sha(content: bytes) -> str:
    """The name git gives a file's bytes."""
    return object_sha("blob", content)


def object_sha(kind: str, content: bytes) -> str:
    """The same of any object; `kind` is blob, tree or commit."""
    head = f"{kind} {len(content)}\0".encode()
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def tree_sha(entries: Mapping[str, Entry]) -> str:
    """The name git gives the tree object that holds exactly these entries."""
    return _tree_sha(_nested(entries), lambda _: None).hex()


def tree_objects(entries: Mapping[str, Entry]) -> dict[str, bytes]:
    """The bytes of that tree object and of all below it, by name; itself is the last."""
    bodies: list[bytes] = []
    _tree_sha(_nested(entries), bodies.append)
    return {object_sha("tree", body): body for body in bodies}


def _nested(entries: Mapping[str, Entry]) -> Mapping[bytes, object]:
    root: dict[bytes, object] = {}
    for path, entry in entries.items():
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        here = root
        for folder in folders:
            below = here.setdefault(folder, {})
            assert isinstance(below, dict)  # noqa: S101 - a tree can't hold a file and a folder of one name
            here = below
        here[name] = entry
    return root


def _tree_sha(node: Mapping[bytes, object], note: Callable[[bytes], None]) -> bytes:
    # git sorts a folder as if its name ended in a slash
    rows: list[tuple[bytes, bytes]] = []
    for name, child in node.items():
        if isinstance(child, Entry):
            rows.append((name, b"%s %s\0%s" % (child.mode.encode(), name, bytes.fromhex(child.blob))))
        elif isinstance(child, dict):
            rows.append((name + b"/", b"40000 %s\0%s" % (name, _tree_sha(child, note))))
    body = b"".join(row for _, row in sorted(rows))
    note(body)
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).digest()


def _check_shape(path: str) -> None:
    # The gate has refused such paths before; a workspace holds without it as well.
    names = path.split("/")
    if any(name in {"", ".", ".."} or "\0" in name for name in names):
        raise ToolFailed(f"{path!r} is not a path inside the repository")
    if any(name.casefold() in {".git", "git~1"} for name in names):
        raise ToolFailed(f"{path} belongs to git itself")
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        raise ToolFailed(f"{path!r} can't be written as UTF-8") from None
    if len(encoded) > 1024 or any(len(name.encode()) > 255 for name in names):
        raise ToolFailed("that path is too long for a file system")


def _check_parents(workspace: Workspace, path: str) -> None:
    for parent in parents(path):
        mode = mode_at(workspace, parent)
        if mode is not None:
            raise ToolFailed(f"{path} can't be reached: {parent} is {_KINDS[mode]}, not a folder")


def _check_regular(path: str, mode: Mode) -> None:
    if mode in {Mode.LINK, Mode.SUBMODULE}:
        raise ToolFailed(f"{path} is {_KINDS[mode]}: it is listed, but not followed, read or changed")


_KINDS = {
    Mode.FILE: "a file",
    Mode.EXECUTABLE: "a file",
    Mode.LINK: "a symbolic link",
    Mode.SUBMODULE: "a submodule",
}
