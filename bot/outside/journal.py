"""Changes to a person's files, all of them or none: what was there is noted first, and put back if need be.

An interrupt waits until all is written. After a kill in between, the next run finds the note and takes the
half that was done back. What somebody else has changed since is never touched.
"""

import fcntl
import os
import re
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from bot import interrupt
from bot.dataclass import dataclass
from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.archive import write_whole
from bot.sentence import Sentence
from bot.workspace import Change, Entry, Mode, parents
from bot.workspace.folder import Folder

_LEFT_BEHIND: Final = re.compile(r"\.dryrun-[0-9a-f]{16}")
_WAITING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """Paths that are as they were before, and those that somebody changed since and that were left alone."""

    restored: tuple[str, ...]
    left: tuple[str, ...]


def _name(spelled: str) -> str:
    return os.fsdecode(bytes.fromhex(spelled))


# A file's name may be no text.
_Path = Annotated[str, BeforeValidator(_name), PlainSerializer(lambda path: os.fsencode(path).hex())]


class _Row(BaseModel):
    """`folders` are the parents that were there; `permissions` are the file's own, None where it is made."""

    model_config = ConfigDict(
        frozen=True, defer_build=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64"
    )

    path: _Path
    before: Entry | None
    after: Entry | None
    content: bytes
    permissions: int | None
    folders: tuple[_Path, ...]


class _Note(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    schema_: Literal["dryrun-bot/journal/1"] = Field(alias="schema", default="dryrun-bot/journal/1")
    rows: tuple[_Row, ...]


class Journal:
    """`private` is a folder that no work tree shows, where only an empty lock stays once all is written.

    `has_written` tells whoever is interrupted on which side of the changes that was.
    """

    def __init__(self, private: Path, root: Path) -> None:
        self._private: Final = private
        self._file: Final = private / "journal.json"
        self._root: Final = root
        self._folder: Final = Folder(root)
        self.has_written = False

    @property
    def is_open(self) -> bool:
        """Whether a run was killed while it wrote."""
        return self._file.exists()

    def why_not(self, changes: Sequence[Change]) -> Sentence | None:
        """The first path that is no longer as it was when the change was made up."""
        for change in changes:
            path = change.path
            # A folder may be there: the files in it may be among those that go.
            is_odd = (
                change.before is None and self._folder.is_there(path) and not self._folder.is_folder(path)
            )
            if is_odd or self._folder.entry(path) != change.before:
                return Sentence("%(path)s was changed by somebody else meanwhile", path=path)
        return None

    def commit(self, changes: Sequence[Change]) -> None:
        """Raises CheckoutFailed, with everything as it was, if one of them can't be written.

        After an interrupt that nobody has heeded none is.
        """
        with self._locked(), _interrupts_waiting():
            interrupt.heed()
            self._take_back()
            if why := self.why_not(changes):
                raise CheckoutFailed("Nothing was changed: %(why)s", why=why, next_step="start again")
            note = _Note(rows=tuple(self._row(change) for change in changes))
            write_whole(self._file, note.model_dump_json(by_alias=True).encode())
            try:
                for change in sorted(changes, key=lambda change: change.after is not None):
                    self._make(change)
            except BaseException as failed:
                self._take_back()
                if not isinstance(failed, ToolFailed):
                    raise
                raise CheckoutFailed(
                    "Nothing was changed, for not all could be: %(failed)s",
                    failed=failed,
                    next_step="check the permissions and the disk, and start again",
                ) from failed
            self._file.unlink()
            self.has_written = True

    def take_back(self) -> TakenBack | None:
        """What a killed run had begun to write; None where there is nothing to do."""
        if not self.is_open:
            return None
        with self._locked(), _interrupts_waiting():
            return self._take_back()

    def _take_back(self) -> TakenBack | None:
        if not self.is_open:
            return None
        rows = _read(self._file.read_bytes(), self._file)
        restored: list[str] = []
        left: list[str] = []
        # What was made has to go before what was deleted can be back: a file may have become a folder.
        for row in sorted(rows, key=lambda row: row.before is not None):
            self._sweep(row)
            now = self._folder.entry(row.path)
            if now == row.after and now != row.before:
                self._restore(row)
            if self._folder.entry(row.path) == row.before:
                restored.append(row.path)
            else:
                left.append(row.path)
        self._file.unlink()
        return TakenBack(restored=tuple(sorted(restored)), left=tuple(sorted(left)))

    def _row(self, change: Change) -> _Row:
        permissions = None
        if change.before is not None:
            permissions = stat.S_IMODE((self._root / change.path).lstat().st_mode)
        return _Row.model_construct(
            path=change.path,
            before=change.before,
            after=change.after,
            content=change.content_before or b"",
            permissions=permissions,
            folders=tuple(parent for parent in parents(change.path) if self._folder.is_folder(parent)),
        )

    def _make(self, change: Change) -> None:
        if change.after is None:
            self._folder.delete(change.path)
        else:
            executable = change.after.mode is Mode.EXECUTABLE
            self._folder.write(change.path, change.content_after or b"", executable=executable)

    def _restore(self, row: _Row) -> None:
        if row.before is None:
            self._folder.delete(row.path)
        else:
            self._folder.write(row.path, row.content, executable=row.before.mode is Mode.EXECUTABLE)
            if row.permissions is not None:
                (self._root / row.path).chmod(row.permissions)
        for folder in row.folders:
            self._folder.make_folder(folder)

    def _sweep(self, row: _Row) -> None:
        """The unfinished file of a write that was killed."""
        parent = (self._root / row.path).parent
        if parent.is_dir():
            for found in parent.iterdir():
                if _LEFT_BEHIND.fullmatch(found.name):
                    found.unlink()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Two runs at once would take each other's halves back. The lock goes with the process."""
        self._private.mkdir(parents=True, exist_ok=True)
        with (self._private / "lock").open("ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise CheckoutFailed(
                    "Another run is writing to this repository at this moment", next_step="try again"
                ) from error
            yield


@contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Signals that end a program come true afterwards: writing takes no time that somebody could wait for."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in _WAITING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in came:
            os.kill(os.getpid(), late)


def _read(record: bytes, file: Path) -> tuple[_Row, ...]:
    try:
        return _Note.model_validate_json(record).rows
    except ValidationError as error:
        raise CheckoutFailed(
            "The note of an interrupted run, %(file)s, can't be read",
            file=file,
            next_step="look at git status, and remove the note",
        ) from error
