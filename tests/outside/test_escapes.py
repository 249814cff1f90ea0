"""Ways out of the cage, each tried for real, as root and as an ordinary user, and what refused them.

Everything that could be reached lies open: files that all may read and write, a process of the same user
with a token in its environment, servers that wait. What refuses is the cage, and nothing else.
"""

import hashlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ordinary_user import IS_ROOT, NOBODY, WHO, being, cage_for_all

from bot.outside.sandbox import Bounds, LandlockShell
from bot.workspace.private_folder import remove
from bot.world import Ran

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)

SECRET = "token-of-the-job-4711"
DENIED, NOT_PERMITTED = "Permission denied", "Operation not permitted"


@dataclass(frozen=True, kw_only=True)
class Outside:
    """`victims` are processes with the secret in their environment, by who runs them."""

    folder: Path
    victims: dict[str, int]
    tcp: int
    udp: int

    def state(self) -> dict[str, object]:
        """All that may not change: bytes, modes, owners, times."""
        found: dict[str, object] = {}
        for path in (self.folder, *sorted(self.folder.rglob("*"))):
            at = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(at.st_mode) else ""
            found[str(path)] = (at.st_mode, at.st_uid, at.st_gid, at.st_mtime_ns, content)
        return found


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    folder = Path(tempfile.mkdtemp(prefix="outside-", dir="/tmp"))
    victims: dict[str, subprocess.Popen[bytes]] = {}
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as engine,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        udp.bind(("127.0.0.1", 0))
        engine.bind(str(folder / "docker.sock"))
        engine.listen()
        abstract.bind(f"\0dryrun-{os.getpid()}")
        abstract.listen()
        (folder / "_temp").mkdir()
        (folder / ".git").mkdir()
        (folder / "_temp/event.json").write_text(SECRET)
        (folder / ".git/config").write_text(f"[http]\n\textraheader = AUTHORIZATION: basic {SECRET}\n")
        (folder / "plan.json").write_text(SECRET)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777)
            if IS_ROOT:
                # As on a runner, all of it belongs to whoever runs the bot.
                os.chown(path, NOBODY, NOBODY)
        for who in ("root", "an ordinary user"):
            with being(who):
                victims[who] = subprocess.Popen(["/bin/sleep", "600"], env={"GITHUB_TOKEN": SECRET}, cwd="/")
        yield Outside(
            folder=folder,
            victims={who: victim.pid for who, victim in victims.items()},
            tcp=tcp.getsockname()[1],
            udp=udp.getsockname()[1],
        )
        for victim in victims.values():
            assert victim.poll() is None, "a victim was killed"
            victim.kill()
            victim.wait()
    remove(folder)


def py(program: str) -> str:
    return f"python3 - <<'END'\n{program}\nEND"


def sock(expression: str) -> str:
    return py(f"import socket\n{expression}\nprint('reached')")


def call(expression: str) -> str:
    """A system call round the C library's corners: -1 and the kernel's reason."""
    return py(
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"print({expression}, os.strerror(ctypes.get_errno()))"
    )


FILES = {
    "read the event": ("cat {out}/_temp/event.json", DENIED),
    "read git's credentials": ("cat {out}/.git/config", DENIED),
    "read beside the folder through a link": ("ln -s {out}/plan.json l && cat l", DENIED),
    "read through a descriptor's name": ("cat /proc/self/root{out}/plan.json", DENIED),
    "read with a path descriptor": (
        py("import os\nf = os.open('{out}/plan.json', os.O_PATH)\nos.open(f'/proc/self/fd/{{f}}', 0)"),
        DENIED,
    ),
    "read by a handle": (call("libc.open_by_handle_at(3, 0, 0)"), f"-1 {NOT_PERMITTED}"),
    "list the runner's folder": ("ls {out}", DENIED),
    "list everybody's temporary files": ("ls /tmp", DENIED),
    "read the home of root": ("ls ~root", DENIED),
    "read the passwords": ("cat /etc/shadow", DENIED),
    "read a disk": ("head -c 1 /dev/vda /dev/sda /dev/kmsg", "cannot open"),
    "write a file": ("echo x > {out}/new", DENIED),
    "append to a file": ("echo x >> {out}/plan.json", DENIED),
    "cut a file": ("truncate -s 0 {out}/plan.json", DENIED),
    "delete a file": ("rm -f {out}/plan.json", DENIED),
    "rename a file": ("mv {out}/plan.json {out}/other.json", DENIED),
    "move a file out": ("echo x > f; mv f {out}/f", DENIED),
    "move a file in": ("mv {out}/plan.json .", DENIED),
    "link a file in": ("ln {out}/plan.json .", "Invalid cross-device link"),
    "make a folder": ("mkdir {out}/d", DENIED),
    "make a link outside": ("ln -s /etc/passwd {out}/l", DENIED),
    "swap a folder for a link while writing": (
        """mkdir d
        (for i in $(seq 300); do rm -rf d; ln -s {out} d; rm -f d; mkdir d; done) 2>/dev/null &
        for i in $(seq 300); do (echo x > d/raced) 2>>errors; done
        wait; sort -u errors""",
        DENIED,
    ),
    "write into the system": ("echo x > /usr/local/bin/evil", DENIED),
    "write into shared memory": ("echo x > /dev/shm/evil", DENIED),
    "write through /proc": ("echo x > /proc/self/mem; echo 1 > /proc/sysrq-trigger", DENIED),
    "change a mode": ("chmod 600 {out}/plan.json", NOT_PERMITTED),
    "change a mode through a link": ("ln -s {out}/plan.json m; chmod 600 m", NOT_PERMITTED),
    "change a mode by a path from above": ("cd /tmp && chmod 600 {out}/../{name}/plan.json", NOT_PERMITTED),
    "change a time": ("touch -d 2001-01-01 {out}/plan.json", DENIED),
    "change a time by its path": (
        py("import os\nos.utime('{out}/plan.json', (1, 1))"),
        NOT_PERMITTED,
    ),
    "change an owner": ("chgrp $(id -g) {out}/plan.json", NOT_PERMITTED),
    "give a file an attribute": (
        py("import os\nos.setxattr('{out}/plan.json', 'user.evil', b'x')"),
        "Operation not supported",
    ),
}
NETWORK = {
    "TCP": (sock("socket.create_connection(('127.0.0.1', {tcp}), 5)"), NOT_PERMITTED),
    "TCP, listening": (sock("socket.create_server(('127.0.0.1', 0))"), NOT_PERMITTED),
    "TCP by bash": ("echo x > /dev/tcp/127.0.0.1/{tcp}", NOT_PERMITTED),
    "UDP": (
        sock("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))"),
        NOT_PERMITTED,
    ),
    "IPv6": (sock("socket.socket(socket.AF_INET6)"), NOT_PERMITTED),
    "DNS": (sock("socket.getaddrinfo('github.com', 443)"), "gaierror"),
    "raw packets": (sock("socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"), NOT_PERMITTED),
    "the kernel's netlink": (sock("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"), NOT_PERMITTED),
    "a virtual machine's host": (sock("socket.socket(socket.AF_VSOCK)"), NOT_PERMITTED),
    "a container engine": (
        sock("socket.socket(socket.AF_UNIX).connect('{out}/docker.sock')"),
        NOT_PERMITTED,
    ),
    "an abstract socket": (
        sock("socket.socket(socket.AF_UNIX).connect('\\0dryrun-{pid}')"),
        NOT_PERMITTED,
    ),
    "datagrams of a pair": (
        sock("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '{out}/docker.sock')"),
        NOT_PERMITTED,
    ),
    "a pair led elsewhere": (sock("socket.socketpair()[0].connect('{out}/docker.sock')"), NOT_PERMITTED),
    "io_uring": (call("libc.syscall(425, 8, ctypes.create_string_buffer(200))"), f"-1 {NOT_PERMITTED}"),
    "32-bit calls": (
        py(
            "import ctypes, mmap\n"
            "code = mmap.mmap(-1, 4096, prot=7)\n"
            "code.write(bytes.fromhex('b8 66 01 00 00 cd 80 c3'))\n"
            "at = ctypes.addressof(ctypes.c_char.from_buffer(code))\n"
            "print(ctypes.CFUNCTYPE(ctypes.c_int)(at)(), 'reached')"
        ),
        "Bad system call",
    ),
}
PROCESSES = {
    "the environment of the bot": ("cat /proc/{bot}/environ", DENIED),
    "the environment of another process": ("cat /proc/{victim}/environ", DENIED),
    "the memory of the bot": ("head -c 1 /proc/{bot}/mem", DENIED),
    "the memory of another process": ("head -c 1 /proc/{victim}/mem", DENIED),
    "the environment of whoever watches": ("cat /proc/$PPID/environ", DENIED),
    "the files that another process has open": ("ls /proc/{victim}/fd", DENIED),
    "the list of processes": ("ls /proc", DENIED),
    "attaching to a process": (call("libc.ptrace(16, {victim}, 0, 0)"), f"-1 {NOT_PERMITTED}"),
    "reading its memory": (
        call("libc.process_vm_readv({victim}, None, 0, None, 0, 0)"),
        f"-1 {NOT_PERMITTED}",
    ),
    "taking its descriptor": (
        call("libc.syscall(438, os.pidfd_open({victim}), 0, 0)"),
        f"-1 {NOT_PERMITTED}",
    ),
    "stopping a process": ("kill -STOP {victim}", NOT_PERMITTED),
    "killing the bot": ("kill -KILL {bot}", NOT_PERMITTED),
    "killing whoever watches": ("kill -KILL $PPID", NOT_PERMITTED),
    "killing everybody": ("kill -KILL -- -1", NOT_PERMITTED),
    "limiting a process": (
        call("libc.syscall(302, {victim}, 0, (ctypes.c_ulong * 2)(1, 1), None)"),
        f"-1 {NOT_PERMITTED}",
    ),
    "slowing a process down": (py("import os\nos.setpriority(0, {victim}, 19)"), NOT_PERMITTED),
    "taking its processors": (py("import os\nos.sched_setaffinity({victim}, [0])"), NOT_PERMITTED),
    "signals by a descriptor": (call("libc.fcntl(1, 8, {victim})"), f"-1 {NOT_PERMITTED}"),
    "typing into a terminal": (call("libc.ioctl(0, 0x5412, b'x')"), f"-1 {NOT_PERMITTED}"),
    "keys of the user": (call("libc.syscall(250, 0, -3, 0)"), f"-1 {NOT_PERMITTED}"),
    "shared memory": (call("libc.shmget(4711, 4096, 0o1666)"), f"-1 {NOT_PERMITTED}"),
    "memory without a file": (call("libc.memfd_create(b'x', 0)"), f"-1 {NOT_PERMITTED}"),
    "a user namespace": (call("libc.unshare(0x10000000)"), f"-1 {NOT_PERMITTED}"),
    "a user namespace for a child": (call("libc.syscall(56, 0x10000011, 0, 0, 0, 0)"), f"-1 {NOT_PERMITTED}"),
    "the newer call for it": (call("libc.syscall(435, 0, 0)"), "-1 Function not implemented"),
    "a mount": (call("libc.mount(b'none', b'.', b'tmpfs', 0, None)"), f"-1 {NOT_PERMITTED}"),
    "another root": (call("libc.chroot(b'.')"), f"-1 {NOT_PERMITTED}"),
    "becoming root": (call("libc.setresuid(0, 0, 0)"), f"-1 {NOT_PERMITTED}"),
    "a program that makes root": ("su -c id </dev/null", "su: "),
    "loading into the kernel": (call("libc.syscall(321, 0, 0, 0)"), f"-1 {NOT_PERMITTED}"),
    "performance counters": (call("libc.syscall(298, 0, 0, -1, -1, 0)"), f"-1 {NOT_PERMITTED}"),
    "the clock": ("date -s @0", NOT_PERMITTED),
    "the host's name": ("hostname evil", "you must be root"),
    "a call that nobody has judged": (call("libc.syscall(1000)"), "-1 Function not implemented"),
}
ATTEMPTS = {
    **{f"file: {name}": attempt for name, attempt in FILES.items()},
    **{f"network: {name}": attempt for name, attempt in NETWORK.items()},
    **{f"process: {name}": attempt for name, attempt in PROCESSES.items()},
}


def tried(
    outside: Outside, command: str, *, who: str, bounds: Bounds | None = None, timeout_s: float = 60
) -> Ran:
    shell = cage_for_all(outside.folder.with_name(f"{outside.folder.name}-for-all"), bounds=bounds)
    with being(who), shell.folder() as folder:
        return shell.run(command, folder=folder, timeout_s=timeout_s)


@pytest.fixture(scope="module", autouse=True)
def programs(outside: Outside) -> Iterator[None]:
    place = outside.folder.with_name(f"{outside.folder.name}-for-all")
    place.mkdir(mode=0o755)
    yield
    shutil.rmtree(place)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("command", "observed"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_there_is_no_way_out(outside: Outside, who: str, command: str, observed: str) -> None:
    if "syscall(" in command and os.uname().machine != "x86_64":
        pytest.skip("the numbers are x86-64's")
    before = outside.state()
    filled = command.replace("{{", "{").replace("}}", "}")
    for name, value in {
        "out": outside.folder,
        "name": outside.folder.name,
        "victim": outside.victims[who],
        "bot": os.getpid(),
        "pid": os.getpid(),
        "tcp": outside.tcp,
        "udp": outside.udp,
    }.items():
        filled = filled.replace("{" + name + "}", str(value))
    ran = tried(outside, filled, who=who)
    assert observed in ran.output
    assert SECRET not in ran.output
    assert "reached" not in ran.output.splitlines()
    assert "uid=0" not in ran.output
    assert outside.state() == before


SURVIVALS = {
    "in the background": "sleep {marker} & disown",
    "ignoring signals": "(trap '' HUP INT TERM; sleep {marker}) & disown",
    "in a session of its own": "setsid sleep {marker} & sleep 0.1",
    "in a process group of its own": "set -m; sleep {marker} & disown",
    "forked twice, in a session of its own": (
        'python3 -c "import os\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n'
        "os.execvp('sleep', ['sleep', '{marker}'])\"; sleep 0.1"
    ),
    "with another reaper": (
        'python3 -c "import ctypes, os\nctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\n'
        "if os.fork(): os.execvp('sleep', ['sleep', '{marker}'])\nos.setsid()\n"
        "if os.fork(): os._exit(0)\nos.execvp('sleep', ['sleep', '{marker}'])\" & sleep 0.3"
    ),
    "with its output closed": "sleep {marker} >&- 2>&- <&- & disown",
    "making new ones all the time": "f() { sleep {marker} & f & }; f; sleep 0.2",
}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("command", SURVIVALS.values(), ids=SURVIVALS)
def test_nothing_survives_the_command(outside: Outside, who: str, command: str) -> None:
    marker = f"86{os.getpid()}"
    ran = tried(outside, command.replace("{marker}", marker), who=who, bounds=Bounds(processes=60))
    assert ran.exit_code is not None or ran.stopped_by == "processes"
    assert running(marker) == []


def running(marker: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker in place.read_bytes().decode("utf-8", "replace").split("\0"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


FILLINGS = {
    "the disk, with one file": ("head -c 1G /dev/zero > big; wc -c < big", None, "16777216"),
    "the disk, with many files": (
        "for i in $(seq 1000); do head -c 8M /dev/zero > $i; sync $i; done",
        "written",
        None,
    ),
    "the disk, with empty files": (
        py("import os\nn = 0\nwhile True:\n    open(f'{{n}}', 'w').close(); n += 1"),
        "written",
        None,
    ),
    "memory, in one process": (
        py("b = bytearray(b'x') * (1 << 30)\nimport time; time.sleep(30)"),
        "memory",
        None,
    ),
    "memory, in many processes": (
        "for i in $(seq 8); do python3 -c 'b = b\"x\" * (1 << 26); import time; time.sleep(30)' & done; wait",
        "memory",
        None,
    ),
    "the table of processes": (":(){ :|:& };: 2>/dev/null; sleep 2", "processes", None),
    "the output": ("yes", "output", None),
    "the time": ("exec >&- 2>&-; sleep 60", "time", None),
}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("command", "stopped", "said"), FILLINGS.values(), ids=FILLINGS)
def test_nothing_is_filled_up(
    outside: Outside, who: str, command: str, stopped: str | None, said: str | None
) -> None:
    bounds = Bounds(
        memory_bytes=256 << 20,
        written_bytes=64 << 20,
        file_bytes=16 << 20,
        free_files=os.statvfs(outside.folder).f_favail - 5_000,
        processes=60,
        said_bytes=50 << 20,
    )
    timeout_s = 1 if stopped == "time" else 60
    command = command.replace("{{", "{").replace("}}", "}") if "import" in command else command
    ran = tried(outside, command, who=who, bounds=bounds, timeout_s=timeout_s)
    # Where the kernel refuses a fork at once, the total is not even reached.
    assert ran.stopped_by == stopped or (stopped == "processes" and ran.exit_code is not None)
    assert said is None or said in ran.output


@pytest.mark.parametrize("who", WHO)
def test_a_bot_that_is_killed_takes_its_commands_along(outside: Outside, who: str) -> None:
    """The bot here is a process of its own, that is killed with a command of it running."""
    marker = f"87{os.getpid()}"
    shell = cage_for_all(outside.folder.with_name(f"{outside.folder.name}-for-all"))
    with being(who), shell.folder() as folder:
        bot = os.fork()
        if bot == 0:
            try:
                shell.run(f"setsid sleep {marker} & sleep {marker}", folder=folder, timeout_s=60)
            finally:
                os._exit(1)
        deadline = time.monotonic() + 20
        while len(running(marker)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(running(marker)) == 2
        os.kill(bot, signal.SIGKILL)
        os.waitpid(bot, 0)
        while running(marker) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert running(marker) == []
