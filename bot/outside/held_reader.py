"""A program of its own: (files by name, memory) -> their bytes in that memory, and what git calls each.

Started by `held` once for each core, as a script, so that it imports nothing but the standard library. Names
come in on standard input, each with a zero byte behind it; the answer on standard output is 20 bytes of
sha1 for each file, then for each 8 bytes: how many it takes in the memory, or -1 where it was not put there.
It may not take all: then what it says is short. Told that nobody asks for the sha1, it gives zeros.
"""

import array
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

# As in workspace.folder: no link is followed, and no pipe waited for.
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MOST_OF_A_FILE = 8 << 20
NOT_HELD = -1
_USUAL_BYTES = 1 << 15
_MORE_BYTES = 1 << 20
_GATHERED_BYTES = 1 << 20
_GATHERED_FILES = 512
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_NO_NAME = b"\0" * 20


def main() -> None:
    memory, most_bytes, is_named = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "named"
    names = sys.stdin.buffer.read().split(b"\0")[:-1]
    digests: list[bytes] = []
    sizes = array.array("q")
    kept: list[bytes] = []
    waiting = total = 0
    for content in contents(names):
        digests.append(digest_of(content) if is_named and content is not None else _NO_NAME)
        if content is None or is_odd(content):
            sizes.append(NOT_HELD)
            continue
        if content and not content.endswith(b"\n"):
            content += b"\n"  # noqa: PLW2901 - else the next file's first line would go on with this one's last
        sizes.append(len(content))
        kept.append(content)
        waiting += len(content)
        total += len(content)
        if total > most_bytes:
            return
        if waiting > _GATHERED_BYTES or len(kept) >= _GATHERED_FILES:
            write(memory, kept, waiting)
            kept, waiting = [], 0
    write(memory, kept, waiting)
    sys.stdout.buffer.write(b"".join(digests))
    sys.stdout.buffer.write(sizes.tobytes())


def contents(names: Iterable[bytes]) -> Iterator[bytes | None]:
    """The bytes of each regular file, in order; None for what is none, or can't be read."""
    root = os.open(".", _FOLDER & ~os.O_NOFOLLOW)
    for folder, of_folder in groupby(names, key=lambda name: name.rpartition(b"/")[0]):
        try:
            opened = reached(root, folder)
        except OSError:
            yield from (None for _ in of_folder)
            continue
        for name in of_folder:
            yield content_of(opened, name.rpartition(b"/")[2])
        os.close(opened)
    os.close(root)


def reached(root: int, folder: bytes) -> int:
    opened = os.dup(root)
    try:
        for name in folder.split(b"/") if folder else ():
            below = os.open(name, _FOLDER, dir_fd=opened)
            os.close(opened)
            opened = below
    except OSError:
        os.close(opened)
        raise
    return opened


def content_of(folder: int, name: bytes) -> bytes | None:
    try:
        opened = os.open(name, _FILE, dir_fd=folder)
    except OSError:
        return None
    try:
        # What is no regular file has nothing to read, or else not what it should hold.
        content = os.read(opened, _USUAL_BYTES)
        if len(content) == _USUAL_BYTES:
            content += b"".join(iter(lambda: os.read(opened, _MORE_BYTES), b""))
    except OSError:
        return None
    finally:
        os.close(opened)
    return content


def digest_of(content: bytes) -> bytes:
    digest = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.digest()


def is_odd(content: bytes) -> bool:
    """What reads otherwise among others than alone: binary files, byte order marks, half a line end."""
    return (
        len(content) > MOST_OF_A_FILE
        or content.startswith(_MARKS)
        or content.endswith(b"\r")
        or b"\0" in content
    )


def write(memory: int, kept: list[bytes], size: int) -> None:
    if kept and os.writev(memory, kept) != size:
        raise OSError("the memory is full")


if __name__ == "__main__":
    main()
