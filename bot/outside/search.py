"""ripgrep over files named one by one: no link, no ignore rule and no configuration file has a say."""

import base64
import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bot.errors import BotError, ToolFailed
from bot.workspace import Match, Place

_FIRST_FILES: Final = 1000
_GROWTH: Final = 8
_MOST_ARGUMENT_BYTES: Final = 800_000
_MOST_OUTPUT_BYTES: Final = 256 << 20
_MOST_SECONDS: Final = 120
_SHOWN_CHARACTERS: Final = 400


class Ripgrep:
    """Linear in the size of the text, whatever the pattern. Files with zero bytes are left out as binary."""

    def __init__(self, program: Path | None = None) -> None:
        self._program: Final = program or _installed()

    def search(
        self, places: Sequence[Place], pattern: str, *, fixed: bool, ignore_case: bool, most: int
    ) -> Sequence[Match]:
        """Raises ToolFailed for a bad pattern, and for one that matches too much to be handled."""
        options = _options(pattern, fixed=fixed, ignore_case=ignore_case, most=most)
        files = sorted(
            (path, at, name) for at, place in enumerate(places) for name, path in place.names.items()
        )
        deadline = time.monotonic() + _MOST_SECONDS
        found: list[Match] = []
        size = _FIRST_FILES
        start = 0
        while start < len(files) and len(found) < most:
            # In the order of paths, so that enough matches in a part are the first of all
            part = files[start : start + size]
            start, size = start + size, size * _GROWTH
            for at, place in enumerate(places):
                names = {name: path for path, where, name in part if where == at}
                for batch in _batches(names):
                    found += self._run(options, place.folder, batch, deadline)
        if not files:
            self._check(options)
        return sorted(found, key=lambda match: (match.path, match.line))[:most]

    def _run(
        self, options: Sequence[str], folder: str, names: Mapping[str, str], deadline: float
    ) -> Sequence[Match]:
        command = [str(self._program), *options, "--", *(f"./{name}" for name in names)]
        process = subprocess.Popen(  # noqa: S603 - an argument list, and every name begins with ./
            command,
            cwd=folder,
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with process:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            try:
                matches = list(_matches(process.stdout, names, deadline))
            except BaseException:
                process.kill()
                raise
        if process.returncode not in {0, 1}:
            self._check(options)
            raise ToolFailed("the search could not read some of the files")
        return matches

    def _check(self, options: Sequence[str]) -> None:
        """Raises ToolFailed with ripgrep's own words if the pattern is at fault."""
        tried = subprocess.run(  # noqa: S603 - an argument list
            [self._program, *options, "--", "-"],
            env={},
            input=b"",
            capture_output=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
        if tried.returncode not in {0, 1}:
            said = tried.stderr.decode("utf-8", "replace").removeprefix("rg: ").strip()
            raise ToolFailed(f"not a usable pattern: {said[:600]}")


def _options(pattern: str, *, fixed: bool, ignore_case: bool, most: int) -> tuple[str, ...]:
    return (
        "--json",
        "--no-config",
        "--no-ignore",
        "--hidden",
        "--crlf",
        # Files that are mapped into memory are checked for zero bytes otherwise than those that are read
        "--no-mmap",
        f"--max-count={most}",
        "--engine=default",
        "--fixed-strings" if fixed else "--no-fixed-strings",
        "--ignore-case" if ignore_case else "--case-sensitive",
        f"--regexp={pattern}",
    )


def _batches(names: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """Parts that fit on a command line."""
    batch: dict[str, str] = {}
    size = 0
    for name, path in names.items():
        # Each argument costs its bytes, a zero byte, `./` and a pointer
        size += len(os.fsencode(name)) + 11
        if size > _MOST_ARGUMENT_BYTES and batch:
            yield batch
            batch, size = {}, len(os.fsencode(name)) + 11
        batch[name] = path
    if batch:
        yield batch


def _matches(output: Any, names: Mapping[str, str], deadline: float) -> Iterator[Match]:  # noqa: ANN401 - a binary pipe
    of_file: list[Match] = []
    left = _MOST_OUTPUT_BYTES
    for line in output:
        left -= len(line)
        if left < 0:
            raise ToolFailed("the pattern matches too much; make it more specific, or search fewer files")
        if time.monotonic() > deadline:
            raise ToolFailed(f"the search took more than {_MOST_SECONDS} seconds; search fewer files")
        if line.startswith(b'{"type":"match"'):
            of_file.append(_match(json.loads(line)["data"], names))
        elif line.startswith(b'{"type":"end"'):
            if json.loads(line)["data"]["binary_offset"] is None:
                yield from of_file
            of_file = []


def _match(data: Mapping[str, Any], names: Mapping[str, str]) -> Match:
    text = _bytes(data["lines"]).removesuffix(b"\n").removesuffix(b"\r")
    start = data["submatches"][0]["start"] if data["submatches"] else 0
    return Match(
        path=names[os.fsdecode(_bytes(data["path"]))[2:]],
        line=data["line_number"],
        text=_excerpt(text, start),
    )


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
    """The program that the `ripgrep` package brings."""
    folders = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    folders.append(Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))))
    for folder in folders:
        for name in ("rg", "rg.exe"):
            if (folder / name).is_file():
                return folder / name
    raise BotError(
        f"ripgrep is not installed beside Python (looked in {folders[0]})",
        next_step="install dryrun-bot with its dependencies, the `ripgrep` package among them",
    )
