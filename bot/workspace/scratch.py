"""A private temporary folder that holds bytes to be searched, under names that owe nothing to their paths."""

import hashlib
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from bot.workspace import Place
from bot.workspace.folder import Folder


class Scratch:
    """Made when first needed, gone with the object. What was put in before is not written again."""

    def __init__(self) -> None:
        self._made: Path | None = None
        self._end: Callable[[], object] | None = None
        self._blobs: Final[dict[str, str]] = {}

    def has(self, path: str, blob: str) -> bool:
        return self._blobs.get(path) == blob

    def put(self, path: str, blob: str, content: bytes) -> None:
        Folder(self._folder()).write(_name(path), content, executable=False)
        self._blobs[path] = blob

    def place(self, paths: Iterable[str]) -> Place:
        """Where the files are that were put in under these paths."""
        return Place(folder=str(self._folder()), names={_name(path): path for path in paths})

    def close(self) -> None:
        if self._end is not None:
            self._end()
        self._made = self._end = None
        self._blobs.clear()

    def _folder(self) -> Path:
        if self._made is None:
            import shutil
            import tempfile

            self._made = Path(tempfile.mkdtemp(prefix="dryrun-"))
            # Nobody owns an overlay's end, so the folder goes with the object, and at exit at the latest.
            self._end = weakref.finalize(self, shutil.rmtree, self._made, ignore_errors=True)
        return self._made


def _name(path: str) -> str:
    # Hostile, overlong and merely differently cased paths can't meet each other as file names this way.
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()
