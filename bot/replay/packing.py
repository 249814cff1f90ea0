"""A transcript, and an index of it <-> one file that any zstd unpacks to the transcript, byte for byte.

    skippable frame   mark (32 bytes), zstd of the index      which other programs pass over
    frame             zstd of the transcript, with a checksum

The mark is over all but itself. Only whoever made it can tell that it is
true, and to anybody else the index says nothing: then the transcript is read.

Source: RFC 8878 for both kinds of frames.
"""

import io
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

from bot.errors import BadTranscript
from bot.replay.voucher import MARK_BYTES, Voucher
from bot.sentence import Sentence

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_UNPACKED: Final = 256 << 20
# What is longer is unpacked as it is read, and has no index that could be asked.
MOST_PACKED: Final = 64 << 20

_SKIPPABLE: Final = (0x184D2A50).to_bytes(4, "little")
_FRAME: Final = (0xFD2FB528).to_bytes(4, "little")
_HEAD_BYTES: Final = 8
_LEVEL: Final = 6
_HOW: Final[dict[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,
}
# As a power of two: frames that want more memory than this are not ours.
_MOST: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 25}
_MOST_INDEX: Final = 16 << 20


def is_packed(start: bytes) -> bool:
    """By the first bytes of a file."""
    return start.startswith((_SKIPPABLE, _FRAME))


def packed(content: bytes, *, index: bytes = b"", voucher: Voucher | None = None) -> bytes:
    """Without a voucher there is no index: nobody would believe it."""
    frame = zstd.compress(content, options=_HOW)
    if voucher is None:
        return frame
    short = zstd.compress(index, level=_LEVEL)
    head = _SKIPPABLE + (MARK_BYTES + len(short)).to_bytes(4, "little")
    return head + voucher.mark(head + short + frame) + short + frame


def index_in(content: bytes, voucher: Voucher) -> bytes | None:
    """The index in a whole packed file, if it is this machine's, and of the transcript beside it."""
    if not content.startswith(_SKIPPABLE):
        return None
    end, at = _HEAD_BYTES + int.from_bytes(content[4:_HEAD_BYTES], "little"), _HEAD_BYTES + MARK_BYTES
    if not at <= end <= len(content):
        return None
    if not voucher.made(content[_HEAD_BYTES:at], content[:_HEAD_BYTES] + content[at:]):
        return None
    try:
        return zstd.ZstdDecompressor().decompress(content[at:end], _MOST_INDEX)
    except zstd.ZstdError:
        return None


def unpacked(stream: BinaryIO, *, file: str) -> BinaryIO:
    """What is in a packed file, from its beginning; `seek(0)` begins again. Reading raises BadTranscript."""
    return io.BufferedReader(_Unpacking(stream, file=file), 1 << 17)


class _Unpacking(io.RawIOBase):
    def __init__(self, stream: BinaryIO, *, file: str) -> None:
        super().__init__()
        self._stream: Final = stream
        self._file: Final = file
        self._begin()

    def _begin(self) -> None:
        self._stream.seek(0)
        self._content = zstd.ZstdFile(self._stream, options=_MOST)
        self._bytes = self._lines = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if (offset, whence) != (0, io.SEEK_SET):
            raise io.UnsupportedOperation("only back to the beginning")
        self._begin()
        return 0

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        try:
            read = self._content.readinto(view)
        except (zstd.ZstdError, EOFError) as error:
            self._refuse(Sentence("from here on it can't be unpacked: the file was cut or changed"), error)
        self._bytes += read
        if self._bytes > MOST_UNPACKED:
            self._refuse(
                Sentence("it unpacks to more than %(most)s MB", most=MOST_UNPACKED >> 20),
                None,
            )
        self._lines += bytes(view[:read]).count(b"\n")
        return read

    def _refuse(self, why: str, error: Exception | None) -> None:
        raise BadTranscript(
            "%(file)s line %(line)s: %(why)s",
            file=self._file,
            line=self._lines + 1,
            why=why,
            next_step="leave the file out, bring it from its source again, or unpack it with zstd yourself",
        ) from error
