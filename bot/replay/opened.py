"""A file, packed or not -> the stream of what is in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

_START: Final = 4


@contextmanager
def opened(path: Path, *, name: str) -> Iterator[BinaryIO]:
    """`name` is what errors call it. Raises OSError; reading what is packed raises BadTranscript."""
    with path.open("rb") as stream:
        start = stream.peek(_START)[:_START]
        # Most are not, and what unpacks them need not be loaded.
        if start[1:2] in {b"\x2a", b"\xb5"}:
            from bot.replay.packing import is_packed, unpacked

            if is_packed(start):
                yield unpacked(stream, file=name)
                return
        yield stream
