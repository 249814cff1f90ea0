"""Where plan records and transcripts are kept: a folder of the bot's own, outside the repository.

The action uploads the folder as an artifact; a record comes back from the plan comment, or from there.
"""

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import BadUsage, naming
from bot.plan import Plan
from bot.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderArchive:
    """`folder` is made when first used. Records appear whole or not at all; transcripts hold no secret."""

    folder: Path
    redact: Callable[[str], str] = str

    def keep(self, plan: Plan) -> Path:
        """`plan-<digest>.json`; keeping the same plan again changes nothing."""
        file = self.folder / f"plan-{plan.digest}.json"
        write_whole(file, plan.to_bytes())
        return file

    def keep_patch(self, plan: Plan, patch: str) -> Path:
        """`plan-<digest>.patch`, for people to push what the bot may not."""
        file = self.folder / f"plan-{plan.digest}.patch"
        write_whole(file, patch.encode("utf-8"))
        return file

    def transcript(self, name: str, **facts: object) -> Transcript:
        """`name` says which run it is of: a file name's letters. Another one of that name is replaced."""
        file = self.folder / f"transcript-{name}.jsonl"
        return Transcript.begin(file, redact=self.redact, occasion=name, **facts)


def check_asked(file: Path) -> None:
    """Raises BadUsage for a name that a person gave and that no file can be written to.

    What is there and is no plain file stays what it is. Replaced, a device would be gone for everybody on
    the machine; followed, a link that came with a repository could lead to any file of the person's.
    """
    parent = next((one for one in file.absolute().parents if one.exists()), None)
    if file.is_dir() or parent is None or not parent.is_dir() or not os.access(parent, os.W_OK):
        raise BadUsage("%(file)s can't be written", file=file, next_step="name another file")
    if os.path.lexists(file) and not stat.S_ISREG(file.lstat().st_mode):
        raise BadUsage(
            "%(file)s is a link, a device or a pipe, and is left as it is",
            file=file,
            next_step="name a plain file",
        )


def write_asked(file: Path, content: bytes) -> None:
    """`write_whole` for a file that a person named. Raises BadUsage where it can't be written."""
    check_asked(file)
    try:
        write_whole(file, content)
    except OSError as error:
        raise BadUsage(
            "%(file)s can't be written: %(why)s",
            file=file,
            why=error.strerror,
            next_step="name a file in a folder that is yours",
        ) from error


def write_whole(file: Path, content: bytes) -> None:
    """Write beside it and rename, so that a killed run leaves the old file or the new one.

    For everybody to read: the step that uploads it may run as somebody else than a container's root.
    """
    with naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".writing-")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                os.fchmod(descriptor, 0o644)
                stream.write(content)
            Path(temporary).replace(file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
