"""(A confined process's call, its own folders) -> its file gets that mode or those times, or it does not.

Landlock guards neither, and where the bot is no root, the runner's files are the command's own as far as the
kernel knows. So the kernel asks here (seccomp_unotify(2)), and what may be done is done on a descriptor that
was opened here, whatever the process does to its path meanwhile.
"""

import ctypes
import errno
import fcntl
import os
import struct

TYPE_CHECKING = False  # typing itself takes as long to import as all of the above
if TYPE_CHECKING:
    from collections.abc import Sequence

# linux/seccomp.h: struct seccomp_notif, struct seccomp_notif_resp, and the ioctls that take them
_ASKED = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_AT_FDCWD = -100
_NO_FOLLOW, _EMPTY_PATH = 0x100, 0x1000
_LONGEST_PATH = 4096
# Two struct timespec
_TIMES_BYTES = 32


class Deputy:
    """`calls` says what the numbers of the calls stand for, `folders` are resolved paths."""

    def __init__(self, listener: int, calls: dict[int, str], folders: "Sequence[str]") -> None:
        self.listener = listener
        self._calls = calls
        self._folders = tuple(folder.encode("utf-8", "surrogateescape") for folder in folders)
        self._libc = ctypes.CDLL(None, use_errno=True)

    def answer(self) -> None:
        """One call that waits; nothing, if whoever asked is gone by now."""
        asked = bytearray(_ASKED.size)
        try:
            fcntl.ioctl(self.listener, _RECEIVE, asked, True)  # noqa: FBT003 - its only form
        except OSError:
            return
        number, process, _, call, _, _, *arguments = _ASKED.unpack(asked)
        try:
            self._do(number, process, self._calls[call], arguments)
            error = 0
        except OSError as failed:
            error = failed.errno or errno.EPERM
        try:
            fcntl.ioctl(self.listener, _SEND, bytearray(_ANSWER.pack(number, 0, -error, 0)), True)  # noqa: FBT003
        except OSError:
            return

    def _do(self, number: int, process: int, call: str, arguments: list[int]) -> None:
        folder, path, value, flags = _taken_apart(call, arguments)
        times = None
        if call == "utimensat":
            times = _memory(process, value, _TIMES_BYTES) if value else None
        target = self._opened(process, folder, path, flags)
        try:
            # Now it is known that it was this process, and no later one of the same number.
            fcntl.ioctl(self.listener, _IS_VALID, struct.pack("=Q", number))
            self._check_is_its_own(target)
            place = f"/proc/self/fd/{target}"
            if call != "utimensat":
                os.chmod(place, value & 0o7777)  # noqa: PTH101 - no pathlib here
            elif self._libc.utimensat(_AT_FDCWD, place.encode(), times, 0) < 0:
                raise OSError(ctypes.get_errno(), "utimensat")
        finally:
            os.close(target)

    def _opened(self, process: int, folder: int, path: int, flags: int) -> int:
        name = _text(process, path) if path else b""
        here = f"/proc/{process}/cwd" if folder == _AT_FDCWD else f"/proc/{process}/fd/{folder}"
        if not path or (not name and flags & _EMPTY_PATH):
            return os.open(here, os.O_PATH | os.O_CLOEXEC)
        if not name:
            raise OSError(errno.ENOENT, "no path")
        whole = name if name.startswith(b"/") else here.encode() + b"/" + name
        return os.open(whole, os.O_PATH | os.O_CLOEXEC | (os.O_NOFOLLOW if flags & _NO_FOLLOW else 0))

    def _check_is_its_own(self, target: int) -> None:
        real = os.readlink(f"/proc/self/fd/{target}".encode())  # noqa: PTH115 - no pathlib here
        if not any(real == own or real.startswith(own + b"/") for own in self._folders):
            raise OSError(errno.EPERM, "not its own")


def _taken_apart(call: str, arguments: list[int]) -> tuple[int, int, int, int]:
    """Folder's descriptor, path's address, mode or times' address, flags."""
    first, second, third, fourth = arguments[:4]
    match call:
        case "chmod":
            return _AT_FDCWD, first, second, 0
        case "fchmod":
            return _signed(first), 0, second, 0
        case "fchmodat":
            return _signed(first), second, third, 0
        case _:
            return _signed(first), second, third, fourth


def _signed(number: int) -> int:
    return int(struct.unpack("=i", struct.pack("=I", number & 0xFFFFFFFF))[0])


def _memory(process: int, address: int, size: int) -> bytes:
    descriptor = os.open(f"/proc/{process}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(descriptor, size, address)
    finally:
        os.close(descriptor)


def _text(process: int, address: int) -> bytes:
    """Up to its zero byte; read page by page, since the next page may not be there."""
    text = b""
    while len(text) < _LONGEST_PATH and b"\0" not in text:
        at = address + len(text)
        text += _memory(process, at, 4096 - at % 4096)
    if b"\0" not in text:
        raise OSError(errno.ENAMETOOLONG, "no end")
    return text.partition(b"\0")[0]
