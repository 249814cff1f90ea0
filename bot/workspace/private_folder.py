"""(Where, whose) -> a folder of its own, gone in the end with whatever is in it by then, however deep."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def private_folder(*, base: Path | None = None, owner: int | None = None) -> Iterator[Path]:
    """Nobody else may look into it. `owner` is a user's number, None for whoever asks."""
    folder = Path(tempfile.mkdtemp(prefix="dryrun-bot-", dir=base))
    try:
        if owner is not None:
            os.chown(folder, owner, owner)
        yield folder
    finally:
        with suppress(OSError):
            remove(folder)


def remove(folder: Path) -> None:
    """No link is followed, and no depth is too much: what lies deeper is brought to the top first.

    Nothing else may be changing it. Raises OSError for what can't be removed.
    """
    folder.chmod(0o700)
    top = os.open(folder, _DIRECTORY)
    try:
        while names := _emptied(top, "."):
            for name in names:
                for deeper in _emptied(top, name):
                    os.rename(f"{name}/{deeper}", f".{secrets.token_hex(16)}", src_dir_fd=top, dst_dir_fd=top)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    folder.rmdir()


def _emptied(top: int, name: str) -> list[str]:
    """Remove all but the folders in it, which are named, and can be moved and looked into then."""
    here = os.open(name, _DIRECTORY, dir_fd=top)
    try:
        folders = []
        with os.scandir(here) as items:
            for item in items:
                if item.is_dir(follow_symlinks=False):
                    os.chmod(item.name, 0o700, dir_fd=here)
                    folders.append(item.name)
                else:
                    os.unlink(item.name, dir_fd=here)
        return folders
    finally:
        os.close(here)
