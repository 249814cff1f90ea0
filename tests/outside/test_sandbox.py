"""What a confined command can do, and above all what it can't: each denial tried for real."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import NoSandbox
from bot.outside.sandbox import Bounds, LandlockShell
from bot.workspace.folder import Folder
from bot.world import Ran

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    with LandlockShell().folder() as made:
        yield made


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


@pytest.mark.parametrize("command", ["mkfifo p", "mknod d c 1 3", "mknod d b 8 0"])
def test_nothing_is_made_that_git_cannot_hold(folder: Path, command: str) -> None:
    assert run(folder, command).exit_code != 0
    assert list(folder.iterdir()) == []


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
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "PWD", "SHLVL", "_"} | {
        "TZ",
        "CI",
        "SOURCE_DATE_EPOCH",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
    }


def test_no_descriptor_of_ours_is_there(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("secret")
    with (tmp_path / "plan.json").open() as ours:
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
    assert ran == Ran(exit_code=None, output="begun\n", stopped_by="time")
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


def test_more_may_be_made_readable_and_is_found_first(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        _find_and_read(folder, Path(name))


def _find_and_read(folder: Path, tools: Path) -> None:
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


def test_a_folder_that_the_commands_own_user_can_not_reach_is_said(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("where the bot is not root, commands run as its own user")
    closed = tmp_path / "closed"
    (closed / "files").mkdir(parents=True)
    closed.chmod(0o700)
    with pytest.raises(NoSandbox, match="Commands run as a user of their own, who can't get to"):
        run(closed / "files", "true")


def test_where_the_bot_is_root_commands_are_somebody_else_and_what_lies_there_is_theirs(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("where the bot is not root, commands run as its own user")
    Folder(folder).write("ours", b"x", executable=False)
    ran = run(folder, "test $(id -u) -ne 0 && test $(id -g) -ne 0 && id -G && echo y >> ours && ls -l ours")
    assert ran.exit_code == 0
    assert "root" not in ran.output
    assert (folder / "ours").read_text() == "xy\n"


TWICE = {
    "a set's order": "python3 -c 'print({*\"abcdefgh\"})'",
    "the time zone": "date -d @0",
    "how things are sorted": "printf 'a\\nB\\n_\\n' | sort",
    "no compiled files": "echo 'x = 1' > m.py; python3 -c 'import m'; ls",
}


@pytest.mark.parametrize("command", TWICE.values(), ids=TWICE)
def test_the_same_command_says_the_same_twice(folder: Path, command: str) -> None:
    assert run(folder, command) == run(folder, command)
