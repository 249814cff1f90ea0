"""A shell for command lines that nobody trusts: Landlock, a seccomp filter and limits, or no shell at all.

A command reads and runs what the system has, reads and writes one folder and a private temporary one, and
reaches nothing else: no network, no socket, no other process, no /proc, no home, nothing of the environment.
"""

import json
import os
import platform
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from bot.errors import NoSandbox
from bot.outside.syscalls import AUDIT_ARCH, program
from bot.world import Ran

_SYSTEM: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    # Where GitHub's runners keep the languages that setup actions install
    "/opt/hostedtoolcache",
    # Of /etc only what programs need and everybody may know
    *(f"/etc/{name}" for name in ("alternatives", "ca-certificates", "ssl", "ld.so.cache", "ld.so.conf")),
    *(f"/etc/{name}" for name in ("ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release")),
    *(f"/etc/{name}" for name in ("passwd", "group", "protocols", "services")),
    *(f"/dev/{name}" for name in ("zero", "full", "random", "urandom")),
)
_PATH: Final = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_NEXT_STEP: Final = (
    "run on Linux 6.7 or newer (GitHub's ubuntu-24.04 is), on x86-64 or aarch64, and where no other sandbox "
    "forbids Landlock"
)
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one command may use. `processes` counts beside those that the user runs already."""

    memory_bytes: int = 8 << 30
    file_bytes: int = 512 << 20
    processes: int = 512
    output_bytes: int = 40_000


class LandlockShell:
    """`readable` are more folders to read and run from; in those of `path` commands are looked for first.

    Only kernels that can confine all of it are used, so a result never depends on how much was confined.
    """

    def __init__(
        self, *, readable: Sequence[Path] = (), path: Sequence[Path] = (), bounds: Bounds | None = None
    ) -> None:
        self._readable: Final = tuple(str(one) for one in (*readable, *path))
        self._path: Final = ":".join([*(str(one) for one in path), *_PATH])
        self._bounds: Final = bounds or Bounds()

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        """Both outputs as one text, cut in the middle if long. Raises NoSandbox instead of confining less."""
        if sys.platform != "linux" or platform.machine() not in AUDIT_ARCH:
            raise NoSandbox(
                f"Commands can't be confined on {sys.platform}, {platform.machine()}", next_step=_NEXT_STEP
            )
        if not folder.is_dir():
            raise NoSandbox(f"There is no folder {folder} to run commands in", next_step="report this")
        with tempfile.TemporaryDirectory(prefix="dryrun-command-", ignore_cleanup_errors=True) as own:
            reads, writes = os.pipe()
            with os.fdopen(reads, "rb") as report:
                try:
                    process = self._start(command, folder, own, timeout_s, writes)
                finally:
                    os.close(writes)
                ran = _watched(process, timeout_s, self._bounds.output_bytes)
                # Empty when bash took over: the descriptor closed by itself
                said = report.read().decode("utf-8", "replace")
        if said:
            raise NoSandbox(f"Commands can't be confined here: {said}", next_step=_NEXT_STEP)
        return ran

    def why_not(self) -> str | None:
        """Why commands can't be confined on this machine; None if they can."""
        try:
            with tempfile.TemporaryDirectory(prefix="dryrun-command-") as folder:
                self.run(":", folder=Path(folder), timeout_s=30)
        except NoSandbox as missing:
            return missing.what
        return None

    def _start(
        self, command: str, folder: Path, own: str, timeout_s: float, report: int
    ) -> subprocess.Popen[bytes]:
        bash = next((name for name in ("/bin/bash", "/usr/bin/bash") if Path(name).exists()), None)
        if bash is None:
            raise NoSandbox("There is no bash to run commands with", next_step="install bash")
        limits = {
            "bash": bash,
            "readable": [*_SYSTEM, *self._readable],
            "writable": [str(folder.resolve()), own],
            "environment": self._environment(own),
            "most": self._most(timeout_s),
            "filters": [program(platform.machine(), may_signal=may).hex() for may in (False, True)],
            "report": report,
        }
        confine = Path(__file__).with_name("confine.py")
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(confine), json.dumps(limits), command],
            cwd=folder,
            env=self._environment(own),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(report,),
            start_new_session=True,
        )

    def _environment(self, own: str) -> Mapping[str, str]:
        return {"PATH": self._path, "HOME": own, "TMPDIR": own, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}

    def _most(self, timeout_s: float) -> Mapping[str, int]:
        bounds = self._bounds
        return {
            "CPU": int(timeout_s) + 1,
            "AS": bounds.memory_bytes,
            "FSIZE": bounds.file_bytes,
            "NPROC": bounds.processes + _threads_of(os.geteuid()),
            "CORE": 0,
        }


@dataclass(slots=True, kw_only=True)
class _Output:
    """The beginning and the end of a stream."""

    most: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    seen: int = 0

    def add(self, chunk: bytes) -> None:
        self.seen += len(chunk)
        room = self.most // 2 - len(self.head)
        self.head += chunk[: max(0, room)]
        self.tail += chunk[max(0, room) :]
        del self.tail[: -(self.most - self.most // 2)]

    def text(self) -> str:
        left_out = self.seen - len(self.head) - len(self.tail)
        gap = f"\n[{left_out} bytes left out here]\n".encode() if left_out else b""
        return (bytes(self.head) + gap + bytes(self.tail)).decode("utf-8", "replace")


def _watched(process: subprocess.Popen[bytes], timeout_s: float, most: int) -> Ran:
    """Wait for the command, then kill whatever it left behind: all of it is in one process group for ever."""
    output = _Output(most=most)
    deadline = time.monotonic() + timeout_s
    assert process.stdout is not None  # noqa: S101 - it was asked for
    with process:
        ended = os.pidfd_open(process.pid)
        try:
            is_over = _read(process.stdout, ended, output, deadline)
        finally:
            os.close(ended)
            # The leader is still unreaped, so its number can't stand for another group yet
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        while chunk := os.read(process.stdout.fileno(), _CHUNK):
            output.add(chunk)
        code = process.wait()
    return Ran(exit_code=(code if code >= 0 else 128 - code) if is_over else None, output=output.text())


def _read(stream: IO[bytes], ended: int, output: _Output, deadline: float) -> bool:
    """Take in output until the command ends; False if its time is over first."""
    with selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        ready.register(ended, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in ready.select(left):
                if key.fd == ended:
                    return True
                if chunk := os.read(key.fd, _CHUNK):
                    output.add(chunk)
                else:
                    ready.unregister(stream)
    return False


def _threads_of(user: int) -> int:
    """What RLIMIT_NPROC counts already."""
    count = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):
                if process.stat().st_uid == user:
                    count += len(os.listdir(process / "task"))  # noqa: PTH208 - only how many there are
    return count
