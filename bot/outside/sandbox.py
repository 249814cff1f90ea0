"""A shell for command lines that nobody trusts: Landlock, a seccomp filter, another user, totals; or none.

A command reads and runs what the system has, reads and writes one folder and a private temporary one, and
reaches nothing else: no network, no socket, no other process, no /proc, no home, nothing of the environment.
Whatever it starts ends with it.
"""

import io
import marshal
import os
import platform
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import cache
from pathlib import Path
from typing import Final, cast

from bot.dataclass import dataclass
from bot.errors import NoSandbox
from bot.outside.cage.syscalls import ASKED, AUDIT_ARCH, OLD_ASKED, program
from bot.outside.command_output import CommandOutput
from bot.sentence import Sentence
from bot.workspace.folder import Folder
from bot.workspace.private_folder import private_folder
from bot.world import Ran, Stopped

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
_NEXT_STEP: Final = Sentence(
    "run on Linux 6.7 or newer (GitHub's ubuntu-24.04 is), on x86-64 or aarch64, and where no other sandbox "
    "forbids Landlock"
)
_PROGRAMS: Final = Path(__file__).with_name("cage")
_CHUNK: Final = 1 << 16
# Nobody's: no system gives it away, and it fits into the 65,536 that a container's namespace mostly has.
_CAGED_USER: Final = 64_813
_STOPS: Final = frozenset({"time", "memory", "written", "processes", "output"})
# Beyond its own deadline; then the warden is not believed any more.
_GRACE_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one command may use with all that it starts, and what is left to others whatever is counted.

    `output_bytes` is how much of its output is kept; `said_bytes` how much there may be.
    """

    memory_bytes: int = 8 << 30
    written_bytes: int = 8 << 30
    file_bytes: int = 2 << 30
    processes: int = 512
    output_bytes: int = 1 << 20
    said_bytes: int = 1 << 30
    free_memory_bytes: int = 128 << 20
    free_disk_bytes: int = 512 << 20
    free_files: int = 1_000


class LandlockShell:
    """`readable` are more folders to read and run from; in those of `path` commands are looked for first.

    Only kernels that can confine all of it are used, so a result never depends on how much was confined;
    where a sandbox is not `required`, a command runs with what there is, and `Ran.unconfined` says so.
    `interpreter` and `programs` are for a user who can't get at those of this bot.
    """

    def __init__(
        self,
        *,
        readable: Sequence[Path] = (),
        path: Sequence[Path] = (),
        bounds: Bounds | None = None,
        required: bool = True,
        interpreter: str = sys.executable,
        programs: Path = _PROGRAMS,
    ) -> None:
        self._readable: Final = tuple(str(one) for one in (*readable, *path))
        self._path: Final = ":".join([*(str(one) for one in path), *_PATH])
        self._bounds: Final = bounds or Bounds()
        self._required = required
        found = f"import sys; sys.path.append({str(programs)!r}); import confine, deputy, warden"
        become = f"{found}; warden.main(sys.argv[1:], confine.become, deputy.Deputy)"
        self._warden: Final = (interpreter, "-I", "-S", "-B", "-c", become)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A new one that commands may be run in; whatever they leave there goes with it."""
        user = caged_user()
        bases = (Path(tempfile.gettempdir()), Path("/var/tmp"))  # noqa: S108 - a private folder in it
        base = next((one for one in bases if user is None or _is_open_to_all(one)), bases[0])
        with private_folder(base=base, owner=user) as made:
            yield made

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        """Both outputs as one text, cut in the middle if long. Raises NoSandbox instead of confining less.

        Where the bot is root, what is in `folder` belongs to the commands' own user afterwards.
        """
        if sys.platform != "linux":
            raise NoSandbox(
                "Commands can't be confined on %(platform)s", platform=sys.platform, next_step=_NEXT_STEP
            )
        if not folder.is_dir():
            raise NoSandbox(
                "There is no folder %(folder)s to run commands in", folder=folder, next_step="report this"
            )
        user = caged_user()
        if user is not None:
            _hand_over(folder, user)
        with private_folder(base=folder.parent if user is not None else None, owner=user) as own:
            return self._run(command, folder, own, timeout_s, user)

    def lenient(self) -> "LandlockShell":
        """The same, but where the machine can't confine all of it, with what there is."""
        other = copy(self)
        other._required = False  # noqa: SLF001 - of its own class
        return other

    def why_not(self) -> str | None:
        """Why commands can't be confined on this machine; None if they can."""
        try:
            with self.folder() as folder:
                self.run(":", folder=folder, timeout_s=30)
        except NoSandbox as missing:
            return missing.what
        return None

    def _run(self, command: str, folder: Path, own: Path, timeout_s: float, user: int | None) -> Ran:
        reads, report = os.pipe()
        life, alive = os.pipe()
        output = CommandOutput(most=self._bounds.output_bytes)
        with os.fdopen(reads, "rb", buffering=0) as said, os.fdopen(alive, "wb") as living:
            try:
                limits = self._limits(folder, own, timeout_s, user) | {"report": report, "life": life}
                words = (*self._warden, marshal.dumps(limits).hex(), command)
                process = _start(words, limits, folder)
            finally:
                os.close(report)
                os.close(life)
            try:
                ended = _taken_in(process, said, output, timeout_s + _GRACE_S, self._bounds.said_bytes)
            finally:
                # Whatever happens here: now the warden ends what is left, and then itself.
                living.close()
                process.wait()
        return _ran(ended, output, most=self._bounds.said_bytes)

    def _limits(self, folder: Path, own: Path, timeout_s: float, user: int | None) -> dict[str, object]:
        bash = next((name for name in ("/bin/bash", "/usr/bin/bash") if Path(name).exists()), None)
        if bash is None:
            raise NoSandbox("There is no bash to run commands with", next_step="install bash")
        bounds = self._bounds
        return {
            "bash": bash,
            "readable": [*_SYSTEM, *self._readable],
            "writable": [str(folder.resolve()), str(own)],
            "environment": self._environment(str(own)),
            "required": self._required,
            "user": user,
            "seconds": timeout_s,
            "most": {
                "CPU": int(timeout_s) + 1,
                "FSIZE": bounds.file_bytes,
                "NPROC": bounds.processes + (_threads_of(os.geteuid()) if user is None else 0),
                "CORE": 0,
            },
            "totals": {
                "memory": bounds.memory_bytes,
                "written": bounds.written_bytes,
                "processes": bounds.processes,
                "free memory": bounds.free_memory_bytes,
                "free disk": bounds.free_disk_bytes,
                "free files": bounds.free_files,
            },
            "filters": _filters(asks=user is None),
            "asked": _asked() if user is None else {},
        }

    def _environment(self, own: str) -> Mapping[str, str]:
        """Nothing of the job's, and whatever makes the same command do the same thing twice."""
        return {
            "PATH": self._path,
            "HOME": own,
            "TMPDIR": own,
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "CI": "true",
            "SOURCE_DATE_EPOCH": "946684800",
            "PYTHONHASHSEED": "0",
            # Compiled files hold the times of their sources.
            "PYTHONDONTWRITEBYTECODE": "1",
        }


def caged_user() -> int | None:
    """Whom commands run as where the bot is root; None where it is somebody, or can be nobody else."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    # In a namespace that knows but one user, root is that one.
    for row in Path("/proc/self/uid_map").read_text("ascii").splitlines():
        first, _, count = (int(one) for one in row.split())
        if first <= _CAGED_USER < first + count:
            return _CAGED_USER
    return None


@cache
def _filters(*, asks: bool) -> tuple[bytes, ...]:
    """Without signals and with them; nothing for a machine whose calls have other numbers."""
    machine = platform.machine()
    return tuple(
        program(machine, may_signal=may, asks=asks) for may in (False, True) if machine in AUDIT_ARCH
    )


@cache
def _asked() -> Mapping[int, str]:
    """Which calls the filter asks about, by their numbers here."""
    at = 0 if platform.machine() == "x86_64" else 1
    old = OLD_ASKED if at == 0 else {}
    return {numbers[at]: name for name, numbers in ASKED.items()} | {old[name]: name for name in old}


def _start(words: Sequence[str], limits: Mapping[str, object], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        cwd=folder,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=(cast("int", limits["report"]), cast("int", limits["life"])),
        start_new_session=True,
    )


def _taken_in(
    process: subprocess.Popen[bytes],
    said: io.FileIO,
    output: CommandOutput,
    timeout_s: float,
    most: int,
) -> str:
    """What the warden reports, who is the last to go; all that the command says meanwhile is in `output`."""
    assert process.stdout is not None  # noqa: S101 - it was asked for
    report = b""
    with process.stdout as stream, selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        ready.register(said, selectors.EVENT_READ)
        while output.seen <= most and (events := ready.select(timeout_s)):
            for key, _ in events:
                chunk = os.read(key.fd, _CHUNK)
                if key.fileobj is said:
                    report += chunk
                else:
                    output.add(chunk)
                if not chunk:
                    ready.unregister(key.fileobj)
            if said not in ready.get_map():
                while chunk := os.read(stream.fileno(), _CHUNK):
                    output.add(chunk)
                break
    return report.decode("utf-8", "replace")


def _ran(ended: str, output: CommandOutput, *, most: int) -> Ran:
    """From what the warden and the command's own process reported, line by line."""
    code: int | None = None
    stopped: Stopped | None = "output" if output.seen > most else None
    missing: str | None = None
    for line in ended.splitlines():
        mark, what = line[:1], line[1:]
        if mark == "!":
            raise NoSandbox("Commands can't be confined here: %(what)s", what=what, next_step=_NEXT_STEP)
        if mark == "?":
            missing = what
        elif mark == "=" and stopped is None:
            # As a shell says it: 128 and the signal's number.
            code = int(what) if int(what) >= 0 else 128 - int(what)
        elif mark == "~" and what in _STOPS:
            stopped = cast("Stopped", what)
    if code is None and stopped is None:
        raise NoSandbox("What watches over commands ended before they did", next_step="run the job again")
    return Ran(exit_code=code, output=output.text(), stopped_by=stopped, unconfined=missing)


def _hand_over(folder: Path, user: int) -> None:
    if not _is_open_to_all(folder.resolve().parent):
        raise NoSandbox(
            "Commands run as a user of their own, who can't get to %(folder)s",
            folder=folder,
            next_step="set TMPDIR to a folder that everybody may enter, or don't run the bot as root",
        )
    if folder.stat().st_uid != user:
        Folder(folder).give(user)


def _is_open_to_all(folder: Path) -> bool:
    with suppress(OSError):
        return all(one.stat().st_mode & 0o001 for one in (folder, *folder.resolve().parents))
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
