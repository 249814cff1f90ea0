"""Some of many runs: always the same ones, whatever else there is, and no matter where they lie."""

import hashlib
import heapq
from collections.abc import Iterable

from bot.replay.source import File
from bot.replay.whole_file import WholeFile


def sample_of(files: Iterable[File], number: int) -> list[File]:
    """By the ids of the runs; files that hold none of our own count by their names."""
    ranked = ((_rank(file), file.name, file.path) for file in files)
    return [File(path=path, name=name) for _, name, path in heapq.nsmallest(number, ranked)]


def _rank(file: File) -> str:
    return hashlib.sha256((WholeFile(file).run_id() or file.name).encode("utf-8", "replace")).hexdigest()
