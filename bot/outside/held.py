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
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, compress
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.outside import held_reader
from bot.workspace import Entry, Place

MOST_BYTES: Final = 1 << 30
# From so many files on, reading all of them into memory pays for itself.
MANY: Final = 4000
_MOST_READERS: Final = 4
# No bytes have this name, so that nothing is taken for what is no file.
_NO_FILE: Final = "0" * 40
# Of what is scanned, the share that may be nobody's question: its matches are read and left out.
_MOST_LEFT_OUT: Final = 1 / 64


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
    readers: Sequence["Reader"]

    @property
    def bytes(self) -> int:
        return sum(sum(stretch.sizes) for stretch in self.stretches)

    def parts(self, asked: frozenset[str]) -> Sequence[Stretch]:
        if asked >= self.paths:
            return self.stretches
        return [part for stretch in self.stretches if (part := stretch.part(asked)) is not None]

    def changed(self) -> frozenset[str]:
        """Which of them have changed since they were read; all, where that can't be told."""
        for reader in self.readers:
            reader.ask()
        told = [reader.changed() for reader in self.readers]
        if not told or None in told:
            return self.paths | self.elsewhere
        return frozenset(path for paths in told for path in paths or ())


class Reader:
    """A program that reads files into memory, each reader a part of them; it ends with the object.

    `most_bytes` is how many it may take.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.memory: Final = Memory()
        self._paths: Sequence[str] = ()
        descriptor = self.memory.descriptor
        self.process: Final = subprocess.Popen(
            [sys.executable, "-I", "-S", held_reader.__file__, str(descriptor), str(most_bytes)],
            cwd=folder,
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[descriptor],
        )
        self.end: Final = weakref.finalize(self, _ended, self.process)

    def read(self, paths: Sequence[str], *, commit: Mapping[str, Entry] | None, settled_ns: int) -> None:
        """Let it begin: `sizes` is for its answer. It fails where the reader has."""
        self._paths = paths
        names = os.fsencode("\0".join(paths)) + b"\0"
        entries = [] if commit is None else [commit[path] for path in paths]
        blobs = "".join([entry.blob if entry.is_regular else _NO_FILE for entry in entries])
        for part in (names, bytes.fromhex(blobs), str(settled_ns).encode()):
            self._tell(len(part).to_bytes(8, sys.byteorder) + part)

    def sizes(self) -> "array[int] | None":
        """As `held_reader` says; None where it has failed, or met too much."""
        return self._numbers(len(self._paths))

    def ask(self) -> None:
        with suppress(OSError):
            self._tell(b"?")

    def changed(self) -> Sequence[str] | None:
        """What it was asked for; None where it is not there any more."""
        told = self._numbers(1)
        numbers = None if told is None else self._numbers(told[0])
        return None if numbers is None else [self._paths[number] for number in numbers]

    def _tell(self, part: bytes) -> None:
        assert self.process.stdin is not None  # noqa: S101 - it was asked for
        self.process.stdin.write(part)
        self.process.stdin.flush()

    def _numbers(self, count: int) -> "array[int] | None":
        assert self.process.stdout is not None  # noqa: S101 - it was asked for
        numbers = array("q")
        said = self.process.stdout.read(count * numbers.itemsize)
        if len(said) < count * numbers.itemsize:
            return None
        numbers.frombytes(said)
        return numbers


def _ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


def held_in(
    folder: Path,
    paths: Sequence[str],
    *,
    commit: Mapping[str, Entry] | None = None,
    settled_ns: int = 0,
    beside: Sequence[Held] = (),
    most_bytes: int | None = None,
) -> Held | None:
    """`commit` says what git calls the bytes that each must have, and then nothing more is asked.

    Without it they are whatever they are, if they have not changed since `settled_ns`, and can be asked
    whether they have since. None where this can't be done: there is too much of it, or the system has no such
    memory. `beside` is what is held already; all together there is at most `most_bytes`, by default what
    `room` says.
    """
    if not paths or not hasattr(os, "memfd_create"):
        return None
    size = -(-len(paths) // min(_MOST_READERS, len(os.sched_getaffinity(0))))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    most = (room() if most_bytes is None else most_bytes) - sum(one.bytes for one in beside)
    try:
        readers = [Reader(folder, max(0, most) // len(parts)) for _ in parts]
        for reader, part in zip(readers, parts, strict=True):
            reader.read(part, commit=commit, settled_ns=settled_ns)
        said = [reader.sizes() for reader in readers]
    except OSError:
        return None
    answers = [sizes for sizes in said if sizes is not None]
    if len(answers) < len(parts):
        return None
    stretches = [
        _stretch(str(folder), reader.memory, part, sizes)
        for reader, part, sizes in zip(readers, parts, answers, strict=True)
    ]
    return Held(
        stretches=[stretch for stretch in stretches if stretch.paths],
        paths=frozenset().union(*(stretch.paths for stretch in stretches)),
        elsewhere=frozenset(
            path
            for part, sizes in zip(parts, answers, strict=True)
            for path in compress(part, map(held_reader.NOT_HELD.__eq__, sizes))
        ),
        readers=readers,
    )


def _stretch(folder: str, memory: Memory, paths: Sequence[str], sizes: Sequence[int]) -> Stretch:
    if min(sizes) < 0:
        is_held = [size >= 0 for size in sizes]
        paths, sizes = list(compress(paths, is_held)), list(compress(sizes, is_held))
    starts = list(accumulate(sizes, initial=0))[:-1]
    return Stretch(memory=memory, folder=folder, paths=paths, starts=starts, sizes=sizes)


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
