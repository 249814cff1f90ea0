"""What a confined command can do, and above all what it can't: each denial tried for real."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import NoSandbox
from bot.outside import sandbox
from bot.outside.sandbox import Bounds, LandlockShell
from bot.world import Ran

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    return made


def run(folder: Path, command: str, *, timeout_s: float = 20, shell: LandlockShell | None = None) -> Ran:
    return (shell or LandlockShell()).run(command, folder=folder, timeout_s=timeout_s)


def python(folder: Path, program: str) -> Ran:
    return run(folder, f"python3 - <<'END'\n{program}\nEND")


DONE = {
    "the exit code is the command's": ("exit 7", 7, ""),
    "both outputs are one": ("echo one; echo two >&2", 0, "one\ntwo\n"),
    "it stands in the folder": ("touch here && ls", 0, "here\n"),
    "pipes and here-documents work": ("sort <<< $'b\\na' | tr a-z A-Z", 0, "A\nB\n"),
    "it may write to its own temporary folder": ("f=$(mktemp) && echo x > $f && cat $f", 0, "x\n"),
    "its home is its own and empty": ("cd && ls -A && test $HOME = $TMPDIR", 0, ""),
    "it may make folders, links and programs": (
        "mkdir a && ln -s a b && echo 'echo ran' > a/p && chmod +x a/p && b/p && mv a c && rm b && ls",
        0,
        "ran\nc\n",
    ),
    "it may start and stop processes of its own": ("sleep 60 & kill $! && wait $!; echo $?", 0, "143\n"),
    "a time limit of its own works": ("timeout 0.2 sleep 60; echo $?", 0, "124\n"),
    "a reader that goes away ends its writer": ("yes | head -1; echo ${PIPESTATUS[0]}", 0, "y\n141\n"),
    "a signal is a code as in a shell": ("kill -9 $$", 137, ""),
    "it has nothing to read": ("read line; echo $?", 0, "1\n"),
    "nothing is read before it": ("shopt -q login_shell; echo $? $0 $-", 0, "1 bash hBc\n"),
}


@pytest.mark.parametrize(("command", "code", "output"), DONE.values(), ids=DONE)
def test_ordinary_work_is_done(folder: Path, command: str, code: int, output: str) -> None:
    assert run(folder, command) == Ran(exit_code=code, output=output)


def test_a_program_of_python_works_with_files_threads_and_children(folder: Path) -> None:
    ran = python(
        folder,
        "import subprocess, threading, socket, asyncio, sqlite3\n"
        "open('x', 'w').write('1')\n"
        "t = threading.Thread(target=print, args=['thread']); t.start(); t.join()\n"
        "print(subprocess.run(['cat', 'x'], capture_output=True).stdout)\n"
        "a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9))\n"
        "async def main(): return 'loop'\n"
        "print(asyncio.run(main()))\n"
        "print(sqlite3.connect('db').execute('select 1').fetchone())\n",
    )
    assert ran == Ran(exit_code=0, output="thread\nb'1'\nb'pair'\nloop\n(1,)\n")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    made = tmp_path / "outside"
    made.mkdir()
    (made / "plan.json").write_text("secret")
    return made


FILES = {
    "reading beside the folder": "cat {outside}/plan.json",
    "reading beside it through a link": "ln -s {outside}/plan.json l && cat l",
    "reading beside it through a path": "cat ../outside/plan.json",
    "listing beside it": "ls {outside}",
    "writing beside it": "echo x > {outside}/new",
    "appending beside it": "echo x >> {outside}/plan.json",
    "cutting a file short": "truncate -s 0 {outside}/plan.json",
    "deleting beside it": "rm -f {outside}/plan.json",
    "moving out": "echo x > f && mv f {outside}/f",
    "moving in": "mv {outside}/plan.json .",
    "linking in": "ln {outside}/plan.json .",
    "making a folder beside it": "mkdir {outside}/d",
    "reading the passwords": "cat /etc/shadow",
    "reading a home": "ls /root",
    "writing into the system": "echo x > /usr/local/bin/evil",
    "writing into the temporary folder of all": "echo x > /tmp/evil-of-a-sandbox",
    "listing the temporary folder of all": "ls /tmp",
    "writing into shared memory": "echo x > /dev/shm/evil",
    "reading a disk": "head -c 1 /dev/vda",
    "the kernel's settings": "cat /proc/sys/kernel/hostname",
    "the kernel's devices": "ls /sys/class",
    "control groups": "ls /sys/fs/cgroup",
}


@pytest.mark.parametrize("command", FILES.values(), ids=FILES)
def test_no_file_but_its_own_is_reached(folder: Path, outside: Path, command: str) -> None:
    ran = run(folder, command.format(outside=outside))
    assert ran.exit_code != 0
    assert "secret" not in ran.output
    assert (outside / "plan.json").read_text() == "secret"
    assert [path.name for path in outside.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("command", ["mkfifo p", "mknod d c 1 3", "mknod d b 8 0"])
def test_nothing_is_made_that_git_cannot_hold(folder: Path, command: str) -> None:
    assert run(folder, command).exit_code != 0
    assert list(folder.iterdir()) == []


def test_no_socket_file_is_made(folder: Path) -> None:
    assert python(folder, "import socket; socket.socket(socket.AF_UNIX).bind('s')").exit_code != 0
    assert list(folder.iterdir()) == []


@pytest.fixture
def server() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


SOCKETS = {
    "TCP": "socket.create_connection(('127.0.0.1', {port}), 5)",
    "TCP, listening": "socket.create_server(('127.0.0.1', 0))",
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
    "IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "raw": "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
    "packets": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "the kernel": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "the host of a virtual machine": "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "other processes": "socket.socket(socket.AF_UNIX).connect('{unix}')",
    "other processes without a file": "socket.socket(socket.AF_UNIX).connect('\\0abstract')",
    "datagrams": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '{unix}')",
    "a pair that is led elsewhere": "socket.socketpair()[0].connect('{unix}')",
    "names": "socket.getaddrinfo('github.com', 443)",
}


@pytest.mark.parametrize("call", SOCKETS.values(), ids=SOCKETS)
def test_nothing_is_reached_over_a_socket(folder: Path, tmp_path: Path, server: int, call: str) -> None:
    place = tmp_path / "unix"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(place))
        listening.listen()
        ran = python(folder, f"import socket\n{call.format(port=server, unix=place)}\nprint('reached')")
    assert ran.exit_code == 1
    assert "reached" not in ran.output
    assert "error" in ran.output.lower()


def test_a_socket_asked_of_io_uring_is_not_given(folder: Path) -> None:
    ran = python(
        folder,
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.syscall(425, 8, ctypes.create_string_buffer(200)), ctypes.get_errno())",
    )
    assert ran.output == "-1 1\n"


PROCESSES = {
    "the parent's environment": "cat /proc/{parent}/environ",
    "the parent's memory": "head -c 1 /proc/{parent}/mem",
    "its own status": "cat /proc/self/status",
    "the list of processes": "ls /proc",
    "stopping the parent": "kill -STOP {parent}",
    "killing the parent": "kill -KILL {parent}",
    "killing everybody": "kill -KILL -- -1",
    "killing its own group": "kill -KILL 0",
    "limits of the parent": "prlimit --pid {parent} --cpu=1",
    "a new user namespace": "unshare --user true",
    "a new network namespace": "unshare --net true",
    "another's namespace": "nsenter --target {parent} --mount true",
    "another root": "chroot . /bin/true",
    "a mount": "mount -t tmpfs none .",
    "the clock": "date -s @0",
    "the host's name": "hostname evil",
    "becoming somebody else": "setpriv --reuid 12345 --clear-groups true || exit 1",
    "the kernel's log": "dmesg",
    "shared memory": "ipcmk --shmem 1",
    "a message queue": "ipcmk --queue",
}


@pytest.mark.parametrize("command", PROCESSES.values(), ids=PROCESSES)
def test_no_other_process_and_no_privilege_is_reached(folder: Path, command: str) -> None:
    if shutil.which(command.split(maxsplit=1)[0]) is None:
        pytest.skip(f"there is no {command.split(maxsplit=1)[0]} here")
    ran = run(folder, command.format(parent=os.getpid()))
    assert ran.exit_code not in {0, 127}


CALLS = {
    "ptrace": "libc.ptrace(16, {parent}, 0, 0)",
    "process_vm_readv": "libc.process_vm_readv({parent}, None, 0, None, 0, 0)",
    "pidfd_getfd": "libc.syscall(438, os.pidfd_open({parent}), 0, 0)",
    "keyctl": "libc.syscall(250, 0, -3, 0)",
    "bpf": "libc.syscall(321, 0, 0, 0)",
    "perf_event_open": "libc.syscall(298, 0, 0, -1, -1, 0)",
    "userfaultfd": "libc.syscall(323, 0)",
    "setsid": "libc.setsid()",
    "setpgid": "libc.setpgid(0, 0)",
    "signals by a descriptor": "libc.fcntl(1, 8, {parent})",
    "an unknown call": "libc.syscall(1000)",
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are x86-64's")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_kernel_is_not_asked_round_a_corner(folder: Path, call: str) -> None:
    program = f"import ctypes, os\nlibc = ctypes.CDLL(None)\nprint({call.format(parent=os.getpid())})"
    assert python(folder, program).output == "-1\n"


def test_nothing_of_the_jobs_environment_is_there(folder: Path) -> None:
    program = (
        "from pathlib import Path; from bot.outside.sandbox import LandlockShell; import sys;"
        "print(LandlockShell().run('env; export -p', folder=Path(sys.argv[1]), timeout_s=20).output)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env={
            "GITHUB_TOKEN": "secret-token",
            "BASH_ENV": "/dev/null",
            "LD_PRELOAD": "",
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert "secret-token" not in said
    names = {line.split("=")[0] for line in said.splitlines() if not line.startswith("declare")} - {""}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "PWD", "SHLVL", "_"}


def test_no_descriptor_of_ours_is_there(folder: Path, outside: Path) -> None:
    with (outside / "plan.json").open() as ours:
        os.set_inheritable(ours.fileno(), True)  # noqa: FBT003 - its only argument
        ran = python(
            folder,
            "import os\n"
            "def is_open(number):\n"
            "    try: os.fstat(number)\n"
            "    except OSError: return False\n"
            "    return True\n"
            "print([number for number in range(3, 256) if is_open(number)])",
        )
    assert ran.output == "[]\n"


def test_privileges_are_gone_for_root_too(folder: Path) -> None:
    ran = python(
        folder,
        "import ctypes, struct\nlibc = ctypes.CDLL(None)\nheld = ctypes.create_string_buffer(24)\n"
        "libc.capget(struct.pack('=Ii', 0x20080522, 0), held)\n"
        "print(held.raw == bytes(24), libc.prctl(39, 0, 0, 0, 0))",
    )
    assert ran.output == "True 1\n"


def test_a_time_that_is_over_ends_everything_that_was_started(folder: Path) -> None:
    marker = f"86{os.getpid()}"
    start = time.monotonic()
    ran = run(folder, f"echo begun; (sleep {marker} &); nohup sleep {marker} & sleep {marker}", timeout_s=1.0)
    assert ran == Ran(exit_code=None, output="begun\n")
    assert time.monotonic() - start < 10
    assert not is_running(marker)


def test_what_is_left_in_the_background_ends_with_the_command(folder: Path) -> None:
    marker = f"87{os.getpid()}"
    assert run(folder, f"sleep {marker} & disown; echo done").output == "done\n"
    assert not is_running(marker)


def is_running(marker: str) -> bool:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker in place.read_bytes().decode("utf-8", "replace").split("\0"):
                return True
        except OSError:
            continue
    return False


def test_a_flood_of_output_is_cut_in_the_middle(folder: Path) -> None:
    shell = LandlockShell(bounds=Bounds(output_bytes=1000))
    ran = run(folder, "echo first; yes | head -c 50000000; echo last", shell=shell)
    assert ran.exit_code == 0
    assert ran.output.startswith("first\ny\n")
    assert ran.output.endswith("y\nlast\n")
    assert "[49999011 bytes left out here]" in ran.output
    assert len(ran.output) < 1100


BOUNDS = {
    "memory": ("python3 -c 'bytearray(1 << 30)'", "MemoryError"),
    "the size of a file": ("head -c 20000000 /dev/zero > big; wc -c < big", "10485760"),
    "a processor": ("ulimit -t; ulimit -c", "21\n0"),
}


@pytest.mark.parametrize(("command", "said"), BOUNDS.values(), ids=BOUNDS)
def test_a_command_has_bounds(folder: Path, command: str, said: str) -> None:
    shell = LandlockShell(bounds=Bounds(memory_bytes=512 << 20, file_bytes=10 << 20))
    assert said in run(folder, command, shell=shell).output


def test_bounds_cannot_be_raised_again(folder: Path) -> None:
    shell = LandlockShell(bounds=Bounds(file_bytes=10 << 20))
    ran = run(folder, "ulimit -f unlimited || ulimit -Hf", shell=shell)
    assert "10240" in ran.output


def test_its_own_temporary_folder_is_gone_afterwards(folder: Path) -> None:
    ran = run(folder, "echo $HOME; mkdir -p $HOME/a/b; touch $HOME/a/b/c; chmod 0 $HOME/a")
    assert not Path(ran.output.strip()).exists()


def test_more_may_be_made_readable_and_is_found_first(folder: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "tool").write_text("#!/bin/sh\necho ours\n")
    (tools / "tool").chmod(0o755)
    assert run(folder, "tool", shell=LandlockShell(path=[tools])).output == "ours\n"
    assert run(folder, f"echo x > {tools}/new", shell=LandlockShell(path=[tools])).exit_code == 1
    assert run(folder, f"cat {tools}/tool", shell=LandlockShell(readable=[tools / "tool"])).exit_code == 0
    assert run(folder, f"cat {tools}/tool").exit_code == 1


def test_a_command_is_one_argument_whatever_is_in_it(folder: Path) -> None:
    assert run(folder, "echo '--version' $(echo a; echo b)").output == "--version a b\n"
    assert run(folder, "-x").exit_code == 127


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoSandbox, match="There is no folder"):
        run(tmp_path / "nowhere", "true")


def test_the_program_that_confines_lies_beside(tmp_path: Path) -> None:
    assert Path(sandbox.__file__).with_name("confine.py").is_file()
