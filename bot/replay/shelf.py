"""Transcripts as a folder keeps them: each whole one packed, with an index; what is not whole, as it came."""

import io
from pathlib import Path

from bot.errors import BadTranscript
from bot.outside.archive import write_whole
from bot.replay.index import index_of
from bot.replay.own_run import read_own_run
from bot.replay.packing import index_in, is_packed, packed, unpacked
from bot.replay.sight import Sights
from bot.replay.source import PACKED
from bot.replay.voucher import Voucher
from bot.transcript.recording import Recording


def proven_and_packed(content: bytes, *, name: str, voucher: Voucher | None) -> bytes:
    """Raises BadTranscript for one that is not whole, or not what it says: nobody vouches for that."""
    run = read_own_run(Recording(io.BytesIO(content), file=name), Sights())
    return packed(content, index=index_of(run), voucher=voucher)


def kept(file: Path, content: bytes, *, voucher: Voucher | None) -> bool:
    """Put a transcript to the others, packed if it is whole; False if it is there already."""
    target = file.with_name(file.name + PACKED)
    if _content(target) == content or _content(file) == content:
        return False
    try:
        new = proven_and_packed(content, name=file.name, voucher=voucher)
    except BadTranscript:
        write_whole(file, content)
    else:
        write_whole(target, new)
    return True


def _content(file: Path) -> bytes | None:
    """What is in it; None where there is none that could be read."""
    try:
        content = file.read_bytes()
        return unpacked(io.BytesIO(content), file=file.name).read() if is_packed(content) else content
    except (OSError, BadTranscript):
        return None


def pack(file: Path, *, name: str, voucher: Voucher | None) -> bool:
    """The packed file takes the place of the plain one, or of one that nobody here vouches for.

    False for one that is so already, or holds something else. Raises BadTranscript and OSError.
    """
    content = file.read_bytes()
    if was_packed := is_packed(content):
        if voucher is None or index_in(content, voucher) is not None:
            return False
        content = unpacked(io.BytesIO(content), file=name).read()
    if not content.startswith(b'{"_after":'):
        return False
    write_whole(
        file if was_packed else file.with_name(file.name + PACKED),
        proven_and_packed(content, name=name, voucher=voucher),
    )
    if not was_packed:
        file.unlink()
    return True


def unpack(file: Path, *, name: str) -> bool:
    """The plain file takes the place of the packed one. False for a file that isn't packed."""
    content = file.read_bytes()
    if not is_packed(content) or not file.name.endswith(PACKED):
        return False
    write_whole(
        file.with_name(file.name.removesuffix(PACKED)), unpacked(io.BytesIO(content), file=name).read()
    )
    file.unlink()
    return True
