"""By a process that raised them, with nothing of Python's in the way: what the kernel itself refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = """\
import ctypes, os, signal, socket, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
folder, there = sys.argv[1], sys.argv[1] + "/there"
held = os.open(there, os.O_RDONLY)
parent = os.getppid()
from bot.foreign.walls import raise_walls
assert raise_walls()
"""
EFFECTS = {
    "a new file": "open(folder + '/new', 'w')",
    "an old file": "open(there, 'a')",
    "a truncation": "os.truncate(there, 0)",
    "a removal": "os.remove(there)",
    "a folder": "os.mkdir(folder + '/new')",
    "a name": "os.rename(there, folder + '/new')",
    "a link": "os.symlink('there', folder + '/new')",
    "a hard link": "os.link(there, folder + '/new')",
    "a pipe": "os.mkfifo(folder + '/new')",
    "a device": "os.mknod(folder + '/new')",
    "a mode": "os.chmod(there, 0o777)",
    "a mode by descriptor": "os.fchmod(held, 0o777)",
    "an owner": "os.chown(there, os.getuid(), os.getgid())",
    "times": "os.utime(there, (0, 0))",
    "an attribute": "os.setxattr(there, 'user.x', b'x')",
    "a socket": "socket.socket()",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a socket of this machine": "socket.socket(socket.AF_UNIX)",
    "a pair of sockets": "socket.socketpair()",
    "a program": "os.execv('/bin/true', ['true'])",
    "another process": "os.fork()",
    "a signal": "os.kill(parent, signal.SIGCONT)",
    "another's limits": "__import__('resource').prlimit(parent, 7, (9, 9))",
    "another's priority": "os.setpriority(os.PRIO_PROCESS, parent, 19)",
    "native code": "assert libc.creat((folder + '/new').encode(), 0o644) >= 0, OSError; raise SystemExit",
}


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_nothing_is_changed_behind_them(tmp_path: Path, effect: str) -> None:
    file = tmp_path / "there"
    file.write_text("as it was")
    before = file.stat()
    done = _ran(f"{START}{effect}\n", tmp_path)
    assert done.returncode == 1
    assert "Error" in done.stderr
    assert "raise_walls" not in done.stderr
    after = file.stat()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert file.read_text() == "as it was"
    assert (before.st_mode, before.st_mtime_ns) == (after.st_mode, after.st_mtime_ns)


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_reading_computing_and_threads_go_on(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("words")
    code = """\
said = []
thread = threading.Thread(target=lambda: said.append(open(there).read()))
thread.start(); thread.join()
open(os.devnull, 'w').write('x')
import json, email.message
print(said, os.listdir(folder), resource.getrlimit(7) and 'limits')
"""
    done = _ran(START.replace("import ctypes", "import resource, ctypes") + code, tmp_path)
    assert done.stdout == "['words'] ['there'] limits\n"


def _ran(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-B", "-c", code, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
