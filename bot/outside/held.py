"""Files of a checkout -> their text in memory, one after another in the order of paths, to be searched there.

Opening a hundred thousand files takes longer than looking through them, so later searches of a run open none.
What is held of a commit was hashed as it was read: it is the commit's, whatever becomes of the checkout
afterwards. What is held of a person's files is what they were, and whoever asks must see that they still are.
"""

import os
import re
import subprocess
import sys
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, compress
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.outside import held_reader
from bot.workspace import Place

MOST_BYTES: Final = 1 << 30
# From so many files on, reading all of them into memory pays for itself.
MANY: Final = 4000
_MOST_READERS: Final = 4
# Of what is scanned, the share that may be nobody's question: its matches are read and left out.
_MOST_LEFT_OUT: Final = 1 / 64
_SHA_BYTES: Final = 20


class Memory:
    """Without a name, so that nothing else on the machine comes upon it; given back with the object."""

    def __init__(self) -> None:
        self.descriptor: Final = os.memfd_create("dryrun-held")
        weakref.finalize(self, os.close, self.descriptor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Files one after another: `paths[n]` begins at `starts[n]`. What is between them is nobody's."""

    memory: Memory
    folder: str
    paths: Sequence[str]
    starts: Sequence[int]
    sizes: Sequence[int]

    @property
    def descriptor(self) -> int:
        return self.memory.descriptor

    @property
    def files(self) -> Place:
        """The same files where they lie."""
        return Place(folder=self.folder, names={path: path for path in self.paths})

    def at(self, offset: int) -> int | None:
        """The number of the file that has this byte."""
        number = bisect_right(self.starts, offset) - 1
        return number if number >= 0 and offset < self.starts[number] + self.sizes[number] else None

    def lines_between(self, start: int, end: int) -> int:
        return os.pread(self.descriptor, end - start, start).count(b"\n")

    def part(self, asked: frozenset[str]) -> "Stretch | None":
        """Those of the files that are asked for; copied together, if much else is among them."""
        wanted = [path in asked for path in self.paths]
        if all(wanted):
            return self
        paths, starts = list(compress(self.paths, wanted)), list(compress(self.starts, wanted))
        sizes = list(compress(self.sizes, wanted))
        if not paths:
            return None
        if sum(sizes) >= (1 - _MOST_LEFT_OUT) * sum(self.sizes):
            return replace(self, paths=paths, starts=starts, sizes=sizes)
        memory = Memory()
        for start, end in _runs(starts, sizes):
            _copy(self.memory, memory, start, end)
        starts = [0, *accumulate(sizes[:-1])]
        return replace(self, memory=memory, paths=paths, starts=starts, sizes=sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """`paths` are held; `elsewhere` are as good, and must be searched where they lie."""

    stretches: Sequence[Stretch]
    paths: frozenset[str]
    elsewhere: frozenset[str]

    @property
    def bytes(self) -> int:
        return sum(sum(stretch.sizes) for stretch in self.stretches)

    def parts(self, asked: frozenset[str]) -> list[Stretch]:
        return [part for stretch in self.stretches if (part := stretch.part(asked)) is not None]


def held_in(
    folder: Path,
    paths: Sequence[str],
    *,
    blobs: Mapping[str, str] | None = None,
    beside: Sequence[Held] = (),
    most_bytes: int | None = None,
) -> Held | None:
    """`blobs` says of each path what git calls the bytes that it must have; None: whatever it has now.

    None where this can't be done: there is too much of it, or the system has no such memory. `beside` is what
    is held already; all together there is at most `most_bytes`, by default what `room` says.
    """
    if not paths or not hasattr(os, "memfd_create"):
        return None
    size = -(-len(paths) // min(_MOST_READERS, len(os.sched_getaffinity(0))))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    memories = [Memory() for _ in parts]
    most = (room() if most_bytes is None else most_bytes) - sum(one.bytes for one in beside)
    try:
        said = _read(folder, parts, memories, most // len(parts), is_named=blobs is not None)
    except OSError:
        return None
    return _made(str(folder), parts, memories, said, blobs) if all(said) else None


def _read(
    folder: Path,
    parts: Sequence[Sequence[str]],
    memories: Sequence[Memory],
    most: int,
    *,
    is_named: bool,
) -> Sequence[bytes]:
    """What each reader said; nothing where one has failed, or met too much."""
    program = [sys.executable, "-I", "-S", held_reader.__file__]
    readers = [
        subprocess.Popen(
            [*program, str(memory.descriptor), str(most), "named" if is_named else "unnamed"],
            cwd=folder,
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[memory.descriptor],
        )
        for memory in memories
    ]
    try:
        for reader, paths in zip(readers, parts, strict=True):
            assert reader.stdin is not None  # noqa: S101 - it was asked for
            # All of it before the next, so that they begin at once: they answer when they have read all.
            reader.stdin.write(b"".join(os.fsencode(path) + b"\0" for path in paths))
            reader.stdin.close()
            reader.stdin = None
        return [reader.communicate()[0] for reader in readers]
    finally:
        for reader in readers:
            with reader:
                reader.kill()


def _made(
    folder: str,
    parts: Sequence[Sequence[str]],
    memories: Sequence[Memory],
    said: Sequence[bytes],
    blobs: Mapping[str, str] | None,
) -> Held:
    stretches: list[Stretch] = []
    elsewhere: list[str] = []
    for paths, memory, answer in zip(parts, memories, said, strict=True):
        names = answer[: _SHA_BYTES * len(paths)].hex()
        sizes = array("q", answer[_SHA_BYTES * len(paths) :])
        width = 2 * _SHA_BYTES
        proven = [
            blobs is None or names[width * n : width * n + width] == blobs[path]
            for n, path in enumerate(paths)
        ]
        starts = [0, *accumulate(max(0, size) for size in sizes)]
        is_held = [is_proven and size >= 0 for is_proven, size in zip(proven, sizes, strict=True)]
        stretches.append(
            Stretch(
                memory=memory,
                folder=folder,
                paths=list(compress(paths, is_held)),
                starts=list(compress(starts, is_held)),
                sizes=list(compress(sizes, is_held)),
            )
        )
        elsewhere += [path for path, ok, size in zip(paths, proven, sizes, strict=True) if ok and size < 0]
    return Held(
        stretches=[stretch for stretch in stretches if stretch.paths],
        paths=frozenset(path for stretch in stretches for path in stretch.paths),
        elsewhere=frozenset(elsewhere),
    )


def _runs(starts: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(Start, end) of what lies together."""
    begun = end = starts[0]
    for start, size in zip(starts, sizes, strict=True):
        if start != end:
            yield begun, end
            begun = start
        end = start + size
    yield begun, end


def _copy(source: Memory, target: Memory, start: int, end: int) -> None:
    while start < end:
        start += os.sendfile(target.descriptor, source.descriptor, start, end - start)


def room() -> int:
    """A quarter of the memory that is free, be it the machine's or a container's; and never very much."""
    free = [4 * MOST_BYTES]
    if found := re.search(r"MemAvailable:\s+(\d+) kB", _text("/proc/meminfo")):
        free.append(int(found[1]) << 10)
    most, used = (_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    if most.isdecimal() and used.isdecimal():
        free.append(int(most) - int(used))
    return max(0, min(free) // 4)


def _text(file: str) -> str:
    try:
        return Path(file).read_text("ascii")
    except OSError:
        return ""
