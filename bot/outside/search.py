"""ripgrep over files named one by one: no link, no ignore rule and no configuration file has a say."""

import base64
import json
import os
import re
import select
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from bot.dataclass import dataclass
from bot.errors import BotError, ToolFailed
from bot.workspace import Match, Place, Stretch
from bot.workspace.folder import Folder

_FIRST_FILES: Final = 1000
_GROWTH: Final = 8
_MANY_FILES: Final = 10_000
_MOST_FOLDERS: Final = 1000
_MOST_ARGUMENT_BYTES: Final = 400_000
_MOST_OUTPUT_BYTES: Final = 256 << 20
_MOST_SECONDS: Final = 120.0
_CHUNK: Final = 1 << 16
_SHOWN_CHARACTERS: Final = 400
# \z, and $ where a flag gives it that meaning
_ASKS_FOR_THE_END: Final = re.compile(r"\\z|\(\?[A-Za-z]*-[A-Za-z]*m")


class Ripgrep:
    """Linear in the size of the text, whatever the pattern. Files with zero bytes are left out as binary."""

    def __init__(self, program: Path | None = None, *, timeout_s: float = _MOST_SECONDS) -> None:
        found = program or _installed()
        if not found.is_file():
            raise BotError(
                "ripgrep is not installed: there is no %(found)s",
                found=found,
                next_step="install dryrun-bot with its dependencies, the `ripgrep` package among them",
            )
        self._program: Final = str(found)
        self._timeout_s: Final = timeout_s

    def search(
        self, places: Sequence[Place | Stretch], pattern: str, *, fixed: bool, ignore_case: bool, most: int
    ) -> Sequence[Match]:
        """Raises ToolFailed for a bad pattern, and for one that matches too much, or takes too long."""
        if not fixed and _ASKS_FOR_THE_END.search(pattern):
            # In memory the end of a file is no end of the text
            places = [place if isinstance(place, Place) else place.files for place in places]
        folders = [place for place in places if isinstance(place, Place)]
        search = _Search(
            command=(self._program, *_options(pattern, fixed=fixed, ignore_case=ignore_case)),
            places=folders,
            most=most,
            timeout_s=self._timeout_s,
            deadline=time.monotonic() + self._timeout_s,
        )
        files = [(path, at, name) for at, place in enumerate(folders) for name, path in place.names.items()]
        files.sort()
        if not files:
            search.check()
        found = search.in_order(files[:_FIRST_FILES])
        if len(found) < most and len(files) > _FIRST_FILES:
            found += search.rest(files[_FIRST_FILES:])
        found += search.in_memory([place for place in places if not isinstance(place, Place)])
        return sorted(found, key=lambda match: (match.path, match.line))[:most]


class _Incomplete(Exception):
    """Some of it could not be searched; the message is for the model."""


# Path, number of the place, name in it
_File = tuple[str, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """One search; `command` is everything but the names of files."""

    command: tuple[str, ...]
    places: Sequence[Place]
    most: int
    timeout_s: float
    deadline: float

    def in_order(self, files: Sequence[_File]) -> list[Match]:
        """Parts in the order of paths, so that enough matches in the first ones are the first of all."""
        found: list[Match] = []
        start, size = 0, _FIRST_FILES
        while start < len(files) and len(found) < self.most:
            for at, names in _batches(files[start : start + size]):
                try:
                    found += self.run(at, [f"./{name}" for name in names], names)
                except _Incomplete as incomplete:
                    raise ToolFailed(str(incomplete)) from None
            start, size = start + size, size * _GROWTH
        return found

    def rest(self, files: Sequence[_File]) -> list[Match]:
        """Walking through folders is quicker than opening very many files one by one."""
        names: list[dict[str, str]] = [{} for _ in self.places]
        for path, at, name in files:
            names[at][name] = path
        found: list[Match] = []
        walked: set[int] = set()
        for at, of_place in enumerate(names):
            if len(of_place) < _MANY_FILES:
                continue
            tops = {f"./{name.split('/', 1)[0]}" for name in of_place}
            if len(tops) < _MOST_FOLDERS:
                # It may come upon too much, or upon what can't be read, of what nobody asked for
                with suppress(_Incomplete):
                    found += self.run(at, sorted(tops), of_place)
                    walked.add(at)
        return found + self.in_order([file for file in files if file[1] not in walked])

    def run(self, at: int, starts: Sequence[str], names: Mapping[str, str]) -> list[Match]:
        """The matches in files with these names, of all that ripgrep comes upon."""
        # Files that are mapped into memory are checked for zero bytes otherwise than those that are read
        process = subprocess.Popen(
            [*self.command, "--no-mmap", f"--max-count={self.most}", "--", *starts],
            cwd=self.places[at].folder,
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with process:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            try:
                matches = list(_matches(self.lines(process.stdout), names))
            except BaseException:
                process.kill()
                raise
        if process.returncode not in {0, 1}:
            self.check()
            raise _Incomplete("some of the files could not be read")
        return self.without_binary(at, matches, names)

    def without_binary(self, at: int, matches: list[Match], names: Mapping[str, str]) -> list[Match]:
        """It stops at the most matches of a file, and has not seen then what comes below."""
        full = {
            path for path, number in Counter(match.path for match in matches).items() if number >= self.most
        }
        folder = Folder(Path(self.places[at].folder))
        binary = {path for name, path in names.items() if path in full and _is_binary(folder.read(name))}
        return [match for match in matches if match.path not in binary] if binary else matches

    def in_memory(self, stretches: Sequence[Stretch]) -> list[Match]:
        """The first of each stretch: ripgrep looks through all of them at once, and they are read in turn."""
        processes = [
            subprocess.Popen(
                [*self.command, "--mmap", "--no-line-number", "--", f"/proc/self/fd/{stretch.descriptor}"],
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[stretch.descriptor],
            )
            for stretch in stretches
        ]
        found: list[Match] = []
        try:
            for stretch, process in zip(stretches, processes, strict=True):
                assert process.stdout is not None  # noqa: S101 - it was asked for
                matches = _matches_in_memory(self.lines(process.stdout), stretch)
                found += (of_stretch := list(islice(matches, self.most)))
                if len(of_stretch) < self.most and process.wait() not in {0, 1}:
                    self.check()
                    raise ToolFailed("the text could not be searched")
        finally:
            for process in processes:
                process.kill()
                with process:
                    pass
        return found

    def lines(self, output: IO[bytes]) -> Iterator[bytes]:
        """Without their ends, as they come. Raises ToolFailed when time is up, also where nothing comes."""
        coming = select.poll()
        coming.register(output.fileno(), select.POLLIN)
        begun: list[bytes] = []
        while True:
            left_s = self.deadline - time.monotonic()
            if left_s <= 0 or not coming.poll(left_s * 1000):
                raise ToolFailed(f"the search took more than {self.timeout_s:g} seconds; search fewer files")
            chunk = os.read(output.fileno(), _CHUNK)
            if not chunk:
                return
            first, *more = chunk.split(b"\n")
            begun.append(first)
            if more:
                yield b"".join(begun)
                yield from more[:-1]
                begun = more[-1:]

    def check(self) -> None:
        """Raises ToolFailed with ripgrep's own words if the pattern is at fault."""
        tried = subprocess.run(
            [*self.command, "--", "-"],
            env={},
            input=b"",
            capture_output=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
        if tried.returncode not in {0, 1}:
            said = tried.stderr.decode("utf-8", "replace").removeprefix("rg: ").strip()
            raise ToolFailed(f"not a usable pattern: {said[:600]}")


def _options(pattern: str, *, fixed: bool, ignore_case: bool) -> tuple[str, ...]:
    return (
        "--json",
        "--no-config",
        "--no-ignore",
        "--hidden",
        "--glob=!/.git",
        # Files found in a folder are searched like those named one by one
        "--binary",
        "--crlf",
        "--engine=default",
        "--fixed-strings" if fixed else "--no-fixed-strings",
        "--ignore-case" if ignore_case else "--case-sensitive",
        f"--regexp={pattern}",
    )


def _batches(files: Sequence[_File]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Files of one place each, as many as fit on a command line, with the number of their place."""
    names: dict[int, dict[str, str]] = {}
    sizes: dict[int, int] = {}
    for path, at, name in files:
        # Each argument costs its bytes, a zero byte, `./` and a pointer
        size = sizes.get(at, 0) + 11 + (len(name) if name.isascii() else 4 * len(name))
        if size > _MOST_ARGUMENT_BYTES:
            yield at, names.pop(at)
            size = 0
        sizes[at] = size
        names.setdefault(at, {})[name] = path
    yield from names.items()


def _matches_in_memory(output: Iterable[bytes], stretch: Stretch) -> Iterator[Match]:
    """In the order of paths and lines; lines are counted from the last match in the same file."""
    number, counted_to, line = -1, 0, 1
    for said in output:
        if not said.startswith(b'{"type":"match"'):
            continue
        data = json.loads(said)["data"]
        offset = data["absolute_offset"]
        at = stretch.at(offset)
        if at is None:
            continue
        if at != number:
            number, counted_to, line = at, stretch.starts[at], 1
        line += stretch.lines_between(counted_to, offset)
        counted_to = offset
        yield _match(data | {"line_number": line}, stretch.paths[at])


def _is_binary(content: bytes) -> bool:
    return b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff"))


def _matches(output: Iterable[bytes], names: Mapping[str, str]) -> Iterator[Match]:
    of_file: list[Match] = []
    left = _MOST_OUTPUT_BYTES
    for line in output:
        left -= len(line)
        if left < 0:
            raise _Incomplete("the pattern matches too much; make it more specific, or search fewer files")
        if line.startswith(b'{"type":"match"'):
            data = json.loads(line)["data"]
            path = names.get(os.fsdecode(_bytes(data["path"]))[2:])
            if path is not None:
                of_file.append(_match(data, path))
        elif line.startswith(b'{"type":"end"'):
            if json.loads(line)["data"]["binary_offset"] is None:
                yield from of_file
            of_file = []


def _match(data: Mapping[str, Any], path: str) -> Match:
    text = _bytes(data["lines"]).removesuffix(b"\n").removesuffix(b"\r")
    start = data["submatches"][0]["start"] if data["submatches"] else 0
    return Match(path=path, line=data["line_number"], text=_excerpt(text, start))


def _excerpt(text: bytes, start: int) -> str:
    """The line, or of a very long one the part around the match."""
    if len(text) > _SHOWN_CHARACTERS:
        begin = max(0, min(start - _SHOWN_CHARACTERS // 4, len(text) - _SHOWN_CHARACTERS))
        end = begin + _SHOWN_CHARACTERS
        cut = text[begin:end].decode("utf-8", "ignore")
        return ("... " if begin else "") + cut + (" ..." if end < len(text) else "")
    return text.decode("utf-8", "backslashreplace")


def _bytes(data: Mapping[str, str]) -> bytes:
    # ripgrep writes what is not UTF-8 as base64
    return data["text"].encode() if "text" in data else base64.b64decode(data["bytes"])


def _installed() -> Path:
    """Where the `ripgrep` package puts the program."""
    user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    folders = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")), Path(user))
    programs = [folder / name for folder in folders for name in ("rg", "rg.exe")]
    return next((program for program in programs if program.is_file()), programs[0])
