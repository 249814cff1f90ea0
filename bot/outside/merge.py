"""Three versions of a file -> one, by git's own three-way merge of lines."""

import tempfile
from pathlib import Path

from bot.outside.git import Git


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """None where both sides changed the same lines, or the file is not text."""
    with tempfile.TemporaryDirectory(prefix="dryrun-merge-") as scratch:
        folder = Path(scratch)
        for name, content in (("ours", ours), ("base", base), ("theirs", theirs)):
            (folder / name).write_bytes(content)
        return Git(folder).says("merge-file", "--stdout", "--quiet", "ours", "base", "theirs")
