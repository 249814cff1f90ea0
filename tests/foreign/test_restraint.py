import contextlib
import ctypes
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.foreign.restraint import restrained


def _raw_connect() -> None:
    with socket.socket() as one:
        one.connect(("127.0.0.1", 9))


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


EFFECTS: dict[str, Callable[[Path], Any]] = {
    "write": lambda folder: (folder / "x").write_text("x"),
    "append": lambda folder: (folder / "there").open("a"),
    "low-level open": lambda folder: os.open(folder / "x", os.O_CREAT | os.O_WRONLY),
    "make a folder": lambda folder: (folder / "new").mkdir(),
    "delete": lambda folder: (folder / "there").unlink(),
    "rename": lambda folder: (folder / "there").rename(folder / "gone"),
    "link": lambda folder: (folder / "l").symlink_to("there"),
    "chmod": lambda folder: (folder / "there").chmod(0o777),
    "truncate": lambda folder: os.truncate(folder / "there", 0),
    "touch": lambda folder: os.utime(folder / "there"),
    "subprocess": lambda folder: subprocess.run(["touch", folder / "x"], check=True),
    "shell": lambda folder: vars(os)["system"](f"touch {folder}/x"),
    "popen": lambda folder: os.popen(f"touch {folder}/x").read(),
    "spawn": lambda folder: os.spawnlp(os.P_WAIT, "touch", "touch", str(folder / "x")),
    "posix_spawn": lambda folder: os.posix_spawn("/bin/touch", ["touch", str(folder / "x")], {}),
    "fork": lambda _: _fork(),
    "socket": lambda _: _raw_connect(),
    "connection": lambda _: socket.create_connection(("127.0.0.1", 9), timeout=1),
    "datagram": lambda _: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
    "a look-up of a name": lambda _: socket.getaddrinfo("localhost", 80),
    "database": lambda folder: sqlite3.connect(folder / "x"),
    "thread": lambda folder: threading.Thread(target=(folder / "x").write_text, args=("x",)).start(),
    "environment": lambda _: os.environ.__setitem__("RESTRAINT_TEST", "x"),
    "kill": lambda _: os.kill(os.getpid(), 0),
}


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_nothing_gets_out_while_it_holds(tmp_path: Path, effect: Callable[[Path], Any]) -> None:
    (tmp_path / "there").write_text("as it was")
    before = sorted(path.name for path in tmp_path.iterdir())
    with restrained() as attempts, pytest.raises((PermissionError, RuntimeError)):
        effect(tmp_path)
    assert attempts.words
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "there").read_text() == "as it was"
    assert "RESTRAINT_TEST" not in os.environ


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_a_refusal_that_is_swallowed_is_still_known(tmp_path: Path, effect: Callable[[Path], Any]) -> None:
    (tmp_path / "there").write_text("as it was")
    with restrained() as attempts, contextlib.suppress(OSError, RuntimeError):
        effect(tmp_path)
    assert attempts.words


def test_reading_importing_and_computing_go_on(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("words")
    (tmp_path / "fresh_module.py").write_text("VALUE = 7\n")
    sys.path.insert(0, str(tmp_path))
    try:
        with restrained() as attempts:
            assert (tmp_path / "there").read_text() == "words"
            assert len(list(tmp_path.iterdir())) == 2
            import fresh_module  # type: ignore[import-not-found]

            assert fresh_module.VALUE == 7
            with Path(os.devnull).open("w") as nowhere:
                nowhere.write("x")
    finally:
        sys.path.remove(str(tmp_path))
    assert attempts.words == []
    assert not (tmp_path / "__pycache__").exists()


def test_what_is_printed_goes_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    with restrained():
        print("::add-mask::x")
        print("::error::y", file=sys.stderr)
    assert capsys.readouterr() == ("", "")


def test_before_and_after_it_and_in_other_threads_everything_goes(tmp_path: Path) -> None:
    wrote = threading.Event()
    go = threading.Event()

    def other() -> None:
        go.wait(10)
        (tmp_path / "other").write_text("x")
        wrote.set()

    thread = threading.Thread(target=other)
    thread.start()
    with restrained():
        go.set()
        assert wrote.wait(10)
    thread.join()
    (tmp_path / "after").write_text("x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["after", "other"]


def test_one_inside_another_holds_until_the_outer_one_ends(tmp_path: Path) -> None:
    with restrained() as outer:
        with restrained():
            pass
        with pytest.raises(PermissionError):
            (tmp_path / "x").write_text("x")
    assert len(outer.words) == 1


OF_IMPORTS: dict[str, tuple[Callable[[Path], Any], bool]] = {
    "write": (lambda folder: (folder / "x").write_text("x"), False),
    "subprocess": (lambda folder: subprocess.run(["touch", folder / "x"], check=True), False),
    "connection": (lambda _: _raw_connect(), False),
    "a socket that goes nowhere": (lambda _: socket.socket(socket.AF_INET).close(), True),
    "native code": (lambda _: ctypes.CDLL(None), True),
    "a thread": (lambda _: threading.Thread(target=len, args=("",)).start(), True),
}


@pytest.mark.parametrize(("does", "goes"), OF_IMPORTS.values(), ids=OF_IMPORTS)
def test_an_import_may_look_at_the_machine_and_change_nothing(
    tmp_path: Path, does: Callable[[Path], Any], *, goes: bool
) -> None:
    with restrained(is_import=True) as attempts, contextlib.suppress(PermissionError):
        does(tmp_path)
    assert (attempts.words == []) is goes
    assert list(tmp_path.iterdir()) == []
