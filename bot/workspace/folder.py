"""Real files below one folder, reached through descriptors, so that no symbolic link is ever followed.

Knows nothing of git but the names it gives to bytes. What the file system refuses is a ToolFailed.
"""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import compress, groupby
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.workspace import Entry, Mode, blob_sha, parents

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a named pipe would wait for ever.
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK: Final = 1 << 20
_MOST_PATH_BYTES: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One thing in a folder. `entry` is None for what git can't hold: a pipe, a bottomless folder."""

    path: str
    entry: Entry | None


class Folder:
    """What root makes in somebody else's folder is theirs."""

    def __init__(self, root: Path) -> None:
        self.root: Final = root

    def give(self, user: int) -> None:
        """Let everything in it, and itself, belong to this user."""
        folders = [""]
        for at in folders:
            with self._parent(f"{at}/." if at else ".") as (folder, _), os.scandir(folder) as items:
                os.fchown(folder, user, user)
                for item in items:
                    if item.is_dir(follow_symlinks=False):
                        folders.append(f"{at}/{item.name}" if at else item.name)
                    else:
                        os.chown(item.name, user, user, dir_fd=folder, follow_symlinks=False)

    def entry(self, path: str) -> Entry | None:
        """The file or link there; None for nothing, for a folder, and for what git can't hold."""
        try:
            with self._parent(path) as (folder, name):
                return _entry(folder, name)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            # A link on the way: nothing that git tracks can be behind it.
            if error.errno == errno.ELOOP:
                return None
            raise _failed(path, error) from error

    def is_there(self, path: str) -> bool:
        return self._mode(path) is not None

    def is_folder(self, path: str) -> bool:
        mode = self._mode(path)
        return mode is not None and stat.S_ISDIR(mode)

    def size(self, path: str) -> int:
        """Of a file in bytes, without reading it; 0 where nothing is."""
        sizes = [status.st_size for _, statuses in self._statuses((path,)) for status in statuses if status]
        return sum(sizes)

    def read(self, path: str) -> bytes:
        """The bytes of a regular file."""
        with self._reaching(path), self._parent(path) as (folder, name):
            descriptor = os.open(name, _READ, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as stream:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise ToolFailed(f"{path} is not a regular file")
                return stream.read()

    def blobs(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The names git gives to those of these files that are regular ones; quick for many."""
        found: dict[str, str] = {}
        for folder, rows in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            with suppress(OSError), self._parent(f"{folder}/." if folder else ".") as (descriptor, _):
                for path in rows:
                    with suppress(OSError, ToolFailed):
                        name = path.rpartition("/")[2]
                        entry = _entry(descriptor, name)
                        if entry is not None and entry.mode is not Mode.LINK:
                            found[path] = entry.blob
        return found

    def there(self, paths: Sequence[str]) -> Iterator[str]:
        """Those of these paths at which there is anything; quick for many that come sorted."""
        for of_folder, statuses in self._statuses(paths):
            yield from compress(of_folder, statuses)

    def modes(self, paths: Sequence[str]) -> dict[str, Mode]:
        """Of the files and links among these; quick for many that come sorted."""
        modes: dict[str, Mode] = {}
        for of_folder, statuses in self._statuses(paths):
            for path, status in zip(of_folder, statuses, strict=True):
                if status and (mode := _mode(status)):
                    modes[path] = mode
        return modes

    def regular(self, paths: Sequence[str]) -> Sequence[str]:
        """Those of these that are regular files; quick for many that come sorted."""
        return [path for path, mode in self.modes(paths).items() if mode is not Mode.LINK]

    def write(self, path: str, content: bytes, *, executable: bool) -> None:
        """Replace or make a regular file in one go: after a crash it is the old one or the new one."""
        with self._reaching(path), self._parent(path, make=True) as (folder, name):
            # A short name of its own, since the file's may already be as long as names can be.
            new = f".dryrun-{secrets.token_hex(8)}"
            descriptor = os.open(new, _MAKE, 0o600, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as stream:
                    stream.write(content)
                    os.fchmod(descriptor, _permissions(folder, name, executable=executable))
                    if self.owner is not None:
                        os.fchown(descriptor, *self.owner)
                os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                os.unlink(new, dir_fd=folder)
                raise

    def target(self, path: str) -> bytes:
        """Where a link leads, as it is written."""
        with self._reaching(path), self._parent(path) as (folder, name):
            return os.fsencode(os.readlink(name, dir_fd=folder))

    def link(self, path: str, target: bytes) -> None:
        with self._reaching(path), self._parent(path, make=True) as (folder, name):
            os.symlink(target, name, dir_fd=folder)
            if self.owner is not None:
                os.chown(name, *self.owner, dir_fd=folder, follow_symlinks=False)

    def make_folder(self, path: str) -> None:
        with self._reaching(path), self._parent(f"{path}/.", make=True):
            pass

    def delete(self, path: str) -> None:
        """Remove a file, and the folders that are empty without it, as git does."""
        with self._reaching(path):
            with self._parent(path) as (folder, name):
                os.unlink(name, dir_fd=folder)
            for parent in reversed(tuple(parents(path))):
                with self._parent(parent) as (folder, name):
                    try:
                        os.rmdir(name, dir_fd=folder)
                    except OSError:
                        return

    def walk(self) -> Iterator[Found]:
        """Everything below the folder that isn't a folder, and the folders that can't be looked into."""
        for path, folder in self._names():
            entry = None
            if folder is not None:
                with suppress(OSError, ToolFailed):
                    entry = _entry(folder, path.rpartition("/")[2])
            yield Found(path=path, entry=entry)

    def paths(self) -> Iterator[str]:
        """What `walk` would find and git can hold, without reading any of it."""
        for path, folder in self._names():
            if folder is not None:
                mode = os.stat(path.rpartition("/")[2], dir_fd=folder, follow_symlinks=False).st_mode
                if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                    yield path

    def _names(self) -> Iterator[tuple[str, int | None]]:
        """Paths with the opened folder they lie in, which is None for a folder that can't be looked into."""
        todo = [""]
        while todo:
            at = todo.pop()
            try:
                with self._parent(f"{at}/." if at else ".") as (folder, _), os.scandir(folder) as items:
                    for item in items:
                        path = f"{at}/{item.name}" if at else item.name
                        if not item.is_dir(follow_symlinks=False):
                            yield path, folder
                        elif len(os.fsencode(path)) > _MOST_PATH_BYTES:
                            yield path, None
                        else:
                            todo.append(path)
            except OSError:
                yield at, None

    @cached_property
    def owner(self) -> tuple[int, int] | None:
        """User and group that what is made here is given to; None for our own."""
        status = self.root.stat()
        return (status.st_uid, status.st_gid) if os.geteuid() == 0 and status.st_uid else None

    def _mode(self, path: str) -> int | None:
        try:
            with self._parent(path) as (folder, name):
                return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == errno.ELOOP:
                return None
            raise _failed(path, error) from error

    def _statuses(
        self, paths: Sequence[str]
    ) -> Iterator[tuple[Sequence[str], Sequence[os.stat_result | None]]]:
        """By folders that there are, each opened once for all paths that follow each other in it."""
        for folder, rows in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            of_folder, start = list(rows), len(folder) + bool(folder)
            try:
                with self._parent(f"{folder}/." if folder else ".") as (descriptor, _):
                    statuses = [_status(path[start:], descriptor) for path in of_folder]
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                if error.errno == errno.ELOOP:
                    continue
                raise _failed(folder, error) from error
            yield of_folder, statuses

    @contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The folder that a path lies in, opened, and the name in it; missing folders are made if asked."""
        *folders, name = path.split("/")
        if ".." in path.split("/"):
            raise ToolFailed(f"{path!r} leads outside")
        descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(folder, 0o755, dir_fd=descriptor)
                        if self.owner is not None:
                            os.chown(folder, *self.owner, dir_fd=descriptor, follow_symlinks=False)
                below = os.open(folder, _DIRECTORY, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = below
            yield descriptor, name
        finally:
            os.close(descriptor)

    @contextmanager
    def _reaching(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _failed(path, error) from error


def _status(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.lstat(name, dir_fd=folder)
    except FileNotFoundError:
        return None


def _entry(folder: int, name: str) -> Entry | None:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    mode = _mode(status)
    if mode is Mode.LINK:
        return Entry(mode=mode, blob=blob_sha(os.fsencode(os.readlink(name, dir_fd=folder))))
    if mode is None:
        return None
    descriptor = os.open(name, _READ, dir_fd=folder)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        size = os.fstat(descriptor).st_size
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            size -= len(chunk)
    if size:
        raise ToolFailed(f"{name} changed while it was read")
    return Entry(mode=mode, blob=digest.hexdigest())


def _mode(status: os.stat_result) -> Mode | None:
    """None for what git can't hold as a file or a link."""
    if stat.S_ISLNK(status.st_mode):
        return Mode.LINK
    if not stat.S_ISREG(status.st_mode):
        return None
    return Mode.EXECUTABLE if status.st_mode & stat.S_IXUSR else Mode.FILE


def _permissions(folder: int, name: str, *, executable: bool) -> int:
    """What the file there has, apart from the executable bits; 0644 or 0755 for a new one."""
    try:
        mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) & 0o777
    except FileNotFoundError:
        mode = 0o644
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def _failed(path: str, error: OSError) -> ToolFailed:
    if error.errno in {errno.ELOOP, errno.EMLINK}:
        return ToolFailed(f"{path} can't be reached: a symbolic link is on the way, and none is followed")
    return ToolFailed(f"{path}: {(error.strerror or 'failed').lower()}")
