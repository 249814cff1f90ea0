"""Files and folders -> the runs recorded in them. Nothing in a file is trusted, its shape least of all."""

import hashlib
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bot.dataclass import dataclass
from bot.errors import BadTranscript, BadUsage
from bot.impact import Refused, Shard
from bot.replay.foreign_run import Strangers
from bot.replay.index import IndexedRun, read_index
from bot.replay.opened import opened
from bot.replay.own_run import APPLY, OwnRun, read_own_run
from bot.replay.policy_replay import Past
from bot.replay.result import Result
from bot.replay.sight import Sights
from bot.replay.voucher import Voucher
from bot.sentence import Sentence
from bot.transcript.recording import Recording

if TYPE_CHECKING:
    from bot.replay.importers import Importer
    from bot.replay.json_stream import JsonStream

PACKED: Final = ".zst"
_PLAIN: Final = (".jsonl", ".json", ".traj")
_ENDINGS: Final = (*_PLAIN, *(ending + PACKED for ending in _PLAIN))
_OURS: Final = b'"dryrun-bot/'


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """`name` is what reports call it: relative to what was asked for, and so the same on every machine."""

    path: Path
    name: str


def files_in(paths: Iterable[Path]) -> Iterator[File]:
    """Of a folder all that may hold runs, however deep, in the order of names; links aren't followed."""
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                folders.sort()
                for name in sorted(names):
                    found = Path(folder, name)
                    if name.endswith(_ENDINGS) and not name.startswith("plan-") and not found.is_symlink():
                        yield File(path=found, name=found.relative_to(path).as_posix())
        elif path.is_file():
            yield File(path=path, name=path.name)
        else:
            raise BadUsage(
                "There is no file or folder %(path)s",
                path=path,
                next_step="name transcripts, or a folder of them",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Of a process. `shard` is the part of all runs that is wanted; with `unfinished`, killed ones count.

    `voucher` knows the indexes that were made on this machine; no other one is looked at.
    """

    shard: Shard | None
    unfinished: bool
    sights: Sights
    strangers: Strangers
    voucher: Voucher | None = None

    def pasts(self, file: File) -> Iterator[Past | Result]:
        """Every wanted run in the file; a Result for one that is refused or left out."""
        try:
            run = self._indexed(file)
            if run is not None:
                yield from self._wanted(run)
                return
            with opened(file.path, name=file.name) as stream:
                yield from self._read(stream, file)
        except (BadTranscript, OSError) as error:
            if self._is_wanted(file.name):
                why = error.what if isinstance(error, BadTranscript) else f"{file.name}: {error.strerror}"
                yield Result(run="", refused=Refused(file=file.name, why=why))

    def _read(self, stream: BinaryIO, file: File) -> Iterator[Past | Result]:
        start = stream.read(4096)
        stream.seek(0)
        if not start:
            raise BadTranscript(
                "%(name)s line 1: the file is empty", name=file.name, next_step="leave it out"
            )
        if start.startswith(b'{"_after":') or (start.startswith(b'{"') and _OURS in start):
            yield from self._own(stream, file)
        else:
            yield from self._foreign(stream, file)

    def _indexed(self, file: File) -> IndexedRun | None:
        """From an index that this machine vouches for; None where there is none, and the run must be read."""
        if self.voucher is None or not file.name.endswith(PACKED):
            return None
        from bot.replay.packing import MOST_PACKED, index_in, unpacked

        with file.path.open("rb") as stream:
            content = stream.read(MOST_PACKED + 1)
        index = index_in(content, self.voucher) if len(content) <= MOST_PACKED else None
        if index is None:
            return None

        def whole() -> OwnRun:
            stream = unpacked(io.BytesIO(content), file=file.name)
            return read_own_run(Recording(stream, file=file.name), self.sights)

        return read_index(index, self.sights, whole=whole)

    def _wanted(self, run: OwnRun | IndexedRun) -> Iterator[Past | Result]:
        if self._is_wanted(run.run_id):
            yield Result(run=run.run_id, left_out=APPLY) if run.is_apply else run

    def _own(self, stream: BinaryIO, file: File) -> Iterator[Past | Result]:
        if self.shard is not None:
            first = Recording(stream, file=file.name)
            next(first.lines())
            if not self._is_wanted(first.run_id):
                return
            stream.seek(0)
        recording = Recording(stream, file=file.name, unfinished=self.unfinished)
        try:
            run = read_own_run(recording, self.sights)
        except BadTranscript as error:
            yield Result(run=recording.run_id, refused=Refused(file=file.name, why=error.what))
            return
        yield from self._wanted(run)

    def _foreign(self, stream: BinaryIO, file: File) -> Iterator[Past | Result]:
        from bot.replay.importers import Unreadable
        from bot.replay.json_stream import JsonStream

        values = JsonStream(stream, file=file.name)
        for number, (line, value, importer) in enumerate(_shaped(values), 1):
            run_id = _foreign_id(file, number)
            if not self._is_wanted(run_id):
                continue
            try:
                run = importer.run(value)
            except Unreadable as error:
                why = f"{file.name} line {line}: {importer.name} {number}: {error}"
                yield Result(run=run_id, refused=Refused(file=file.name, why=why))
            else:
                name = run.name or f"run {number}"
                yield self.strangers.run(run, run_id=run_id, name=f"{file.name} {name}", found_in=file.name)

    def _is_wanted(self, run_id: str) -> bool:
        return self.shard is None or shard_of(run_id, self.shard.of) == self.shard.number


def shard_of(run_id: str, of: int) -> int:
    """Which of so many parts a run belongs to: the same on every machine, whatever else there is."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:8]) % of + 1


def _shaped(values: "JsonStream") -> "Iterator[tuple[int, Any, Importer]]":
    """(Line, value, who reads it). One conversation may be the whole file, a message at a time."""
    from bot.replay.importers import IMPORTERS

    messages: list[Any] = []
    first_line = 1
    for line, value in values.values():
        if isinstance(value, dict) and isinstance(value.get("role"), str) and "messages" not in value:
            first_line = first_line if messages else line
            messages.append(value)
            continue
        importer = next((one for one in IMPORTERS if one.takes(value)), None)
        if importer is None or messages:
            values.refuse(line, Sentence("no known shape of a run: %(value)s", value=_told(value)))
        yield line, value, importer
    if messages:
        yield first_line, messages, next(one for one in IMPORTERS if one.takes(messages))


def _told(value: object) -> str:
    match value:
        case dict():
            names = ", ".join(sorted(map(repr, value))[:8])
            return f"an object with the names {names}" if names else "an empty object"
        case list():
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def _foreign_id(file: File, number: int) -> str:
    return f"run-{hashlib.sha256(f'{file.name}:{number}'.encode('utf-8', 'replace')).hexdigest()[:16]}"
