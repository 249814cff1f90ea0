"""The bot on standby: a Python that has loaded all of it, and becomes `python -m bot` whenever a test asks.

What a test gets is a process of its own: the real front door with these words, this environment, folder and
streams. What it doesn't pay for is the start of an interpreter and its imports, which take ten times what
most commands do. That a start does the same is for the tests that start one: `test_start`, `test_main` and,
where a module speaks of a command, one there.

Run as a program, this file is that Python: it listens on the socket whose number it is given.
"""

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, Self

ROOT = Path(__file__).parent.parent
_MOST_BYTES = 1 << 20
# What a run loads when it first wants it.
_LATE = """
    anyio.streams.tls genai_prices.data genai_prices.validation github httpcore2 httpx2 jinja2.sandbox
    jsonschema multiprocessing openai.resources.chat.chat pygit2 rfc8785 rich.console rich.table
    tree_sitter_bash truststore
"""
_lock = threading.Lock()


class Running:
    """One bot that was asked for; as much of a Popen as tests need."""

    def __init__(self, door: socket.socket) -> None:
        self._door = door
        self.pid = int(door.recv(32))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._door], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float = 100) -> int:
        """As of a Popen: what ended it, below zero for a signal."""
        if self.returncode is None:
            if not select.select([self._door], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("bot", timeout)
            self.returncode = int(self._door.recv(32))
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send_signal(signal.SIGKILL)
        self.wait()
        self._door.close()


def started(
    words: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[int, int, int],
    is_of_its_own_session: bool = False,
) -> Running:
    """`streams` are descriptors for stdin, stdout and stderr; the caller still closes its own."""
    odd = {name for name in env if name.startswith("PYTHON")} - {"PYTHONPATH"}
    assert not odd, f"{odd} are for an interpreter that starts"
    asked = {
        "words": list(words),
        "cwd": str(cwd),
        "env": dict(env),
        "is_of_its_own_session": is_of_its_own_session,
    }
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, _lock:
        socket.send_fds(_standby(), [json.dumps(asked).encode()], [theirs.fileno(), *streams])
    return Running(ours)


def bot(
    *words: str, cwd: Path, env: Mapping[str, str], stdin: str = "", timeout: float = 100
) -> "subprocess.CompletedProcess[str]":
    """As subprocess.run of `python -m bot`, with a pipe in each of the three places."""
    (theirs_in, ours_in), (ours_out, theirs_out), (ours_err, theirs_err) = (os.pipe() for _ in range(3))
    with (
        open(ours_out, encoding="utf-8") as out,  # noqa: PTH123 - descriptors
        open(ours_err, encoding="utf-8") as err,  # noqa: PTH123
        open(ours_in, "w", encoding="utf-8") as into,  # noqa: PTH123
        ThreadPoolExecutor(2) as readers,
    ):
        try:
            running = started(words, cwd=cwd, env=env, streams=(theirs_in, theirs_out, theirs_err))
        finally:
            for one in (theirs_in, theirs_out, theirs_err):
                os.close(one)
        with running:
            told = [readers.submit(stream.read) for stream in (out, err)]
            with suppress(BrokenPipeError):
                into.write(stdin)
                into.close()
            code = running.wait(timeout)
        return subprocess.CompletedProcess(["bot", *words], code, told[0].result(), told[1].result())


@cache
def _standby() -> socket.socket:
    """Started when it is first asked for, and ended with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )

    @atexit.register
    def end() -> None:
        ours.close()
        process.wait()

    return ours


def _serve(asked: socket.socket) -> dict[str, Any]:
    """Returns in each child, with what it was asked for; ends with whoever asks."""
    doors: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ready, _, _ = select.select([asked, *doors], [], [])
        for one in ready:
            if one is not asked:
                pid, door = doors.pop(one)
                os.close(one)
                with door, suppress(OSError):
                    door.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
                continue
            message, descriptors, _, _ = socket.recv_fds(asked, _MOST_BYTES, 4)
            if not message:
                sys.exit()
            door = socket.socket(fileno=descriptors[0])
            if (pid := os.fork()) == 0:
                for other in (asked, door, *(door for _, door in doors.values())):
                    other.detach()
                _take(descriptors[1:])
                return dict(json.loads(message))
            door.send(str(pid).encode())
            doors[os.pidfd_open(pid)] = (pid, door)
            for descriptor in descriptors[1:]:
                os.close(descriptor)


def _take(streams: Sequence[int]) -> None:
    """For its own, and nothing else of what was open."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    os.closerange(3, 1 << 16)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        old = getattr(sys, name)
        is_of_lines = name == "stderr" or os.isatty(number)
        new = open(  # noqa: SIM115 - as an interpreter opens it
            number,
            mode,
            buffering=1 if is_of_lines and mode == "w" else -1,
            encoding=old.encoding,
            errors=old.errors,
            closefd=False,
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def _load() -> None:
    import gc
    import importlib
    import pkgutil

    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    import bot

    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name != "bot.__main__":
            importlib.import_module(module.name)
    for name in _LATE.split():
        importlib.import_module(name)
    _make_what_is_kept()
    gc.collect()
    gc.freeze()


def _make_what_is_kept() -> None:
    """What a process makes at its first use of it, and has from then on."""
    from pydantic import BaseModel

    from bot.outside.llm import _trusted
    from bot.words.secret_shape import shapes

    shapes()
    _trusted()
    models = BaseModel.__subclasses__()
    for model in models:
        models += model.__subclasses__()
        if model.__module__.startswith("bot."):
            model.model_rebuild()


def _become(asked: dict[str, Any]) -> NoReturn:
    if asked["is_of_its_own_session"]:
        os.setsid()
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.path[0] = asked["cwd"]
    sys.argv = ["bot", *asked["words"]]
    try:
        runpy.run_module("bot", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        # What an interpreter does before it takes itself apart, which costs more than most commands.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(ended.code if isinstance(ended.code, int) else ended.code is not None)
    raise AssertionError("the front door ends with an exit code")


if __name__ == "__main__":
    _load()
    _become(_serve(socket.socket(fileno=int(sys.argv[1]))))
