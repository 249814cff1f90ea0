"""Where one job leaves what the next one takes up: a file in the output folder, which an artifact carries."""

import os
import stat
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import BadHandover
from bot.handover import MOST_BYTES, too_long
from bot.outside.archive import write_whole
from bot.phase import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRelay:
    """`folder` holds one file for each phase that leaves something: `plan.json`, `perform.json`."""

    folder: Path
    phase: Phase

    def leave(self, record: bytes) -> None:
        write_whole(self.folder / f"{self.phase}.json", record)

    def find(self) -> bytes | None:
        """What the phase before this one left; None where it left nothing. Raises BadHandover."""
        try:
            return self._read(f"{self.phase.before}.json")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadHandover(
                "What the job before this one left can't be read: %(why)s",
                why=error.strerror,
                next_step="look at that job's log, and write the command again",
            ) from error

    def _read(self, name: str) -> bytes:
        """No link is followed, on the way or at its end, and no pipe waited for."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        folder = os.open(self.folder, flags | os.O_DIRECTORY)
        try:
            descriptor = os.open(name, flags | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "it is not a plain file", name)
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise too_long()
        return content
