"""A program of its own: (files by name, memory) -> their bytes in that memory, one behind the other.

Started by `held` once for each core, as a script, so that it imports nothing but the standard library. Three
things come in, each behind its length in 8 bytes: the names, with a zero byte behind each; 20 bytes for each,
the sha1 by which git calls what it must hold, or nothing, where it may hold whatever it does; and nothing, or
the time in nanoseconds, as text: what changed later than that may change again unseen, and is not read.

The answer is 8 bytes for each file: how many it takes in the memory, or one of the two below. It is nothing
at all where there is more than the memory may take. Where no sha1 was given, it stays, and for each byte that
comes in says which files have changed since it read them: how many, and the number of each, 8 bytes each.
"""

import hashlib
import os
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

# It is what it should be, and must be searched where it lies.
NOT_HELD = -1
# It is not there, not a file, not what it should hold, or not yet at rest.
NOT_IT = -2
MOST_OF_A_FILE = 8 << 20
SHA_BYTES = 20
# As in workspace.folder: no link is followed, and no pipe waited for.
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_USUAL_BYTES = 1 << 16
_MORE_BYTES = 1 << 20
_GATHERED_BYTES = 1 << 18
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LINE_END = ord("\n")
_HALF_A_LINE_END = ord("\r")


def main() -> None:
    memory, most_bytes = map(int, sys.argv[1:])
    names, blobs, settled = (_part() for _ in range(3))
    files = Files(names.split(b"\0")[:-1])
    gathering = Gathering(memory, most_bytes)
    if blobs:
        shas = (blobs[at : at + SHA_BYTES] for at in range(0, len(blobs), SHA_BYTES))
        sizes = files.read(gathering, shas)
    else:
        sizes = files.read_at_rest(gathering, int(settled))
    gathering.write()
    _say(sizes)
    while not blobs and sys.stdin.buffer.read(1):
        changed = array("q", files.changed())
        _say(array("q", [len(changed)]) + changed)


class Files:
    """Nothing is reached through a link; a folder is opened once for all that follow each other in it."""

    def __init__(self, names: Sequence[bytes]) -> None:
        split = (name.rpartition(b"/") for name in names)
        self._folders = [
            (folder, [name for _, _, name in of_folder])
            for folder, of_folder in groupby(split, key=lambda parts: parts[0])
        ]
        self._root = os.open(".", _FOLDER & ~os.O_NOFOLLOW)
        # When each changed last before it was read, and which it was; None for what was not read.
        self._signs: list[tuple[int, int] | None] = []

    def read(self, gathering: "Gathering", shas: Iterable[bytes]) -> "array[int]":
        """The answer for each; only what has the right sha1 is taken."""
        sizes = array("q")
        sha = iter(shas)
        for is_there, names in self._gone_through():
            # The names first: of two iterators the one that ends is asked once more.
            for name, wanted in zip(names, sha, strict=False):
                size = NOT_IT
                if is_there and (opened := _opened(name)) is not None:
                    size = gathering.taken(opened, wanted)
                    os.close(opened)
                sizes.append(size)
        return sizes

    def read_at_rest(self, gathering: "Gathering", settled_ns: int) -> "array[int]":
        """The same, of whatever files there are that were at rest at that time."""
        sizes = array("q")
        for is_there, names in self._gone_through():
            for name in names:
                size, sign = NOT_IT, None
                if is_there and (opened := _opened(name)) is not None:
                    status = os.fstat(opened)
                    if stat.S_ISREG(status.st_mode) and status.st_ctime_ns < settled_ns:
                        size, sign = gathering.taken(opened), (status.st_ctime_ns, status.st_ino)
                    os.close(opened)
                sizes.append(size)
                self._signs.append(sign)
        return sizes

    def changed(self) -> Iterator[int]:
        """The numbers of those that were read, and are not the same any more."""
        lstat, begin = os.lstat, 0
        for is_there, names in self._gone_through():
            for number, name in enumerate(names, begin):
                if (sign := self._signs[number]) is None:
                    continue
                try:
                    status = lstat(name) if is_there else None
                except OSError:
                    status = None
                if status is None or status.st_ctime_ns != sign[0] or status.st_ino != sign[1]:
                    yield number
            begin += len(names)

    def _gone_through(self) -> Iterator[tuple[bool, Sequence[bytes]]]:
        """Into each folder in turn: whether it could be reached, and the names of files in it.

        To name the folder with each file would take a third of the time that it takes to look at one.
        """
        for folder, names in self._folders:
            try:
                self._enter(folder)
            except OSError:
                yield False, names
            else:
                yield True, names

    def _enter(self, folder: bytes) -> None:
        os.fchdir(self._root)
        for name in folder.split(b"/") if folder else ():
            opened = os.open(name, _FOLDER)
            try:
                os.fchdir(opened)
            finally:
                os.close(opened)


class Gathering:
    """Puts files one behind the other, each with a line end, and from time to time into the memory."""

    def __init__(self, memory: int, most_bytes: int) -> None:
        self._memory = memory
        self._left = most_bytes
        self._buffer = bytearray(_GATHERED_BYTES + MOST_OF_A_FILE + 2 * _MORE_BYTES)
        self._view = memoryview(self._buffer)
        self._at = 0

    def taken(self, opened: int, sha: bytes = b"") -> int:
        """The answer for this file, whose bytes must have the `sha`, if there is one."""
        buffer, view, start = self._buffer, self._view, self._at
        try:
            size = os.readv(opened, (view[start : start + _USUAL_BYTES],))
            if size == _USUAL_BYTES:
                size = self._more(opened, sha)
        except OSError:
            return NOT_IT
        if size < 0:
            return size
        end = start + size
        if sha and _sha(view[start:end]) != sha:
            return NOT_IT
        if is_odd(buffer, start, end):
            return NOT_HELD
        if size and buffer[end - 1] != _LINE_END:
            # Else the next file's first line would go on with this one's last.
            buffer[end] = _LINE_END
            end += 1
        self._at = end
        if end > _GATHERED_BYTES:
            self.write()
        return end - start

    def write(self) -> None:
        """Ends the program where there is more than it may hold: what it says then is short."""
        self._left -= self._at
        if self._left < 0 or os.write(self._memory, self._view[: self._at]) != self._at:
            sys.exit()
        self._at = 0

    def _more(self, opened: int, sha: bytes) -> int:
        """How many bytes a file has in all that has this many; of a long one, the answer."""
        size, read = os.fstat(opened).st_size, _USUAL_BYTES
        if size > MOST_OF_A_FILE:
            return NOT_HELD if not sha or self._sha_of_long(opened, size) == sha else NOT_IT
        while more := os.readv(opened, (self._view[self._at + read : self._at + read + _MORE_BYTES],)):
            read += more
            if read > MOST_OF_A_FILE:
                return NOT_IT
        return read

    def _sha_of_long(self, opened: int, size: int) -> bytes:
        os.lseek(opened, 0, os.SEEK_SET)
        chunk = self._view[self._at : self._at + _MORE_BYTES]
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while read := os.readv(opened, (chunk,)):
            digest.update(chunk[:read])
        return digest.digest()


def is_odd(text: bytes | bytearray, start: int, end: int) -> bool:
    """What reads otherwise among others than alone: binary files, byte order marks, half a line end."""
    return (
        text.find(0, start, end) >= 0
        or text.startswith(_MARKS, start, end)
        or (end > start and text[end - 1] == _HALF_A_LINE_END)
    )


def _sha(content: memoryview) -> bytes:
    digest = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.digest()


def _opened(name: bytes) -> int | None:
    try:
        return os.open(name, _FILE)
    except OSError:
        return None


def _part() -> bytes:
    given = sys.stdin.buffer
    return given.read(int.from_bytes(given.read(8), sys.byteorder))


def _say(numbers: "array[int]") -> None:
    sys.stdout.buffer.write(numbers.tobytes())
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
