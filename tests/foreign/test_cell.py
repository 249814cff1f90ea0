"""What is left behind by somebody else's code ends with its look: each row once got out."""

import _thread
import atexit
import ctypes
import gc
import os
import queue
import signal
import socket
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree

from bot.dispatcher import Dispatcher
from bot.errors import ToolFailed
from bot.foreign import restraint
from bot.foreign.cell import look
from bot.outside.search import Ripgrep
from bot.workspace.overlay import Overlay

# As a module of theirs would have them from its import on.
START_THREAD = _thread.start_new_thread
CREAT = ctypes.CDLL(None).creat
MOVE = ctypes.memmove
KEPT: list[Any] = []


class Bomb:
    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def __del__(self) -> None:
        self.act()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "effect"


@pytest.fixture
def jobs() -> "Iterator[queue.Queue[Any]]":
    """Of a thread that was there before."""
    waiting: queue.Queue[Any] = queue.Queue()

    def work() -> None:
        while (job := waiting.get()) is not None:
            job()

    thread = threading.Thread(target=work)
    thread.start()
    yield waiting
    waiting.put(None)
    thread.join()


def _profiled(act: Callable[[], object]) -> None:
    sys.setprofile(lambda *_: act() and None)


def _alarmed(act: Callable[[], object]) -> None:
    signal.signal(signal.SIGALRM, lambda *_: act() and None)
    signal.setitimer(signal.ITIMER_REAL, 0.05)


def _patched(act: Callable[[], object]) -> None:
    review = Dispatcher.review
    Dispatcher.review = lambda *given: (act(), review(*given))[1]  # type: ignore[method-assign, assignment]


def _let_go(act: Callable[[], object]) -> None:
    vars(restraint)["_held"].attempts = None
    act()


LEFT: dict[str, Callable[[Callable[[], object]], object]] = {
    "at exit": atexit.register,
    "when something is collected": lambda act: KEPT.append(Bomb(act)),
    "when a class of theirs is finalised": lambda act: KEPT.append(weakref.finalize(Bomb, act)),
    "at each collection": lambda act: gc.callbacks.append(lambda *_: act() and None),
    "in a thread that was started as before": lambda act: START_THREAD(act, ()),
    "at each call": _profiled,
    "by a timer": _alarmed,
    "in the dispatcher itself": _patched,
    "with the restraint undone": _let_go,
}


@pytest.mark.parametrize("leave", LEFT.values(), ids=LEFT)
def test_nothing_is_left_behind(file: Path, leave: Callable[[Callable[[], object]], object]) -> None:
    review, hooks = Dispatcher.review, list(gc.callbacks)
    look(lambda _: leave(lambda: file.write_text("x")) and None, None)
    time.sleep(0.1)
    gc.collect()
    assert (Dispatcher.review, gc.callbacks, KEPT) == (review, hooks, [])
    assert not file.exists()


def test_a_thread_that_was_there_before_does_nothing_for_it(file: Path, jobs: "queue.Queue[Any]") -> None:
    look(lambda _: jobs.put(lambda: file.write_text("x")), None)
    done = threading.Event()
    jobs.put(done.set)
    assert done.wait(10)
    assert not file.exists()


def test_what_was_open_before_is_closed_to_it(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, (tmp_path / "held").open("wb", buffering=0) as held:
        assert "Bad file descriptor" in str(look(lambda _: held.write(b"x"), None).failed)
        assert "Bad file descriptor" in str(look(lambda _: theirs.send(b"x"), None).failed)
        look(lambda _: os.write(1, b"::error::x\n"), None)
        ours.settimeout(0)
        with pytest.raises(BlockingIOError):
            ours.recv(1)
    assert (tmp_path / "held").read_bytes() == b""


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_native_code_is_refused_by_the_kernel(file: Path) -> None:
    import pygit2

    assert look(lambda _: CREAT(os.fsencode(file), 0o644), None).value == -1
    assert "failed to make directory" in str(look(lambda _: pygit2.init_repository(str(file)), None).failed)
    assert not file.exists()


ENDS: dict[str, tuple[Callable[[Any], object], str]] = {
    "an exit past everything": (lambda _: os._exit(0), "it ended without an answer"),
    "a crash": (lambda _: MOVE(0, b"x", 1), "it ended without an answer"),
    "an interrupt": (lambda _: _raised(KeyboardInterrupt()), "KeyboardInterrupt"),
    "what no handler expects": (lambda _: _raised(GeneratorExit()), "GeneratorExit"),
    "an endless answer": (lambda _: "x" * (80 << 20), "it ended without an answer"),
    "more memory than there is": (lambda _: len(bytes(6 << 30)), "MemoryError"),
    "a hang": (lambda _: time.sleep(60), "it was still at it after 1 seconds"),
}


def _raised(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(("act", "said"), ENDS.values(), ids=ENDS)
def test_however_it_ends_this_process_goes_on(act: Callable[[Any], object], said: str) -> None:
    seen = look(act, None, timeout_s=1 if "still" in said else 30)
    assert seen.failed == said


def test_an_object_of_theirs_comes_out_as_plain_json() -> None:
    class Word(str):
        __slots__ = ()

    seen = look(lambda _: [Word("w"), {1: (2.5, None)}, object], None)
    assert seen.value == ["w", {"1": [2.5, None]}, str(object)]
    assert type(seen.value[0]) is str  # type: ignore[index]


def test_its_workspace_is_the_one_that_stays_here() -> None:
    tree = MemoryTree({"a.md": "alpha\n", "b/c.md": "beta\n"})
    overlay = Overlay(tree, Ripgrep())

    def act(workspace: Any) -> object:
        workspace.write("new.sh", b"\x00\xff", executable=True)
        workspace.delete("a.md")
        with pytest.raises(ToolFailed):
            workspace.read("a.md")
        return [
            workspace.paths(),
            workspace.is_folder("b"),
            workspace.entry("a.md"),
            workspace.entry("new.sh").mode,
            list(workspace.read("new.sh")),
        ]

    seen = look(act, overlay)
    assert seen.value == [["b/c.md", "new.sh"], True, None, "100755", [0, 255]]
    assert [change.path for change in overlay.changes()] == ["a.md", "new.sh"]


def test_no_descriptor_and_no_process_is_left_here() -> None:
    def held() -> tuple[int, set[str]]:
        tasks = Path("/proc/self/task").iterdir()
        children = {child for task in tasks for child in (task / "children").read_text().split()}
        return len(list(Path("/dev/fd").iterdir())), children

    before = held()
    for _ in range(3):
        look(lambda _: None, None)
        look(lambda _: os._exit(1), None)
    assert held() == before
