"""Many files through one kind of work, on all cores: results come as they are done, and memory stays flat."""

import gc
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Protocol

from bot.dataclass import dataclass
from bot.replay.result import Result
from bot.replay.source import File

if TYPE_CHECKING:
    from concurrent.futures import Future

_AT_ONCE: Final = 32
# No less than what the front door asks for: what a start has made would be looked through here, once.
_SELDOM: Final = (200_000, 20, 100)
# Starting a process takes about as long as this many files.
_FEW_FILES: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of one file."""

    file: File
    results: tuple[Result, ...]


class Worker(Protocol):
    """Made once in each process."""

    def results(self, file: File) -> Iterator[Result]: ...


class Work(Protocol):
    """What another process is sent, and can make a worker of."""

    def worker(self) -> Worker: ...


def done(files: Iterable[File], work: Work, *, processes: int | None = None) -> Iterator[Done]:
    """In no order. `processes` None: as many as there are cores, and none besides this for a few files."""
    waiting = iter(files)
    first = list(islice(waiting, _FEW_FILES))
    count = processes or (1 if len(first) < _FEW_FILES else os.cpu_count() or 1)
    every = chain(first, waiting)
    if count > 1:
        yield from _spread(every, work, processes=count)
    else:
        worker = work.worker()
        with _seldom_collecting():
            for file in every:
                yield Done(file=file, results=tuple(worker.results(file)))


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """What is kept of equal actions has no circles, and to look for some takes a quarter of the time."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _spread(files: Iterator[File], work: Work, *, processes: int) -> Iterator[Done]:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    # Not by fork: whoever calls may have threads.
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(work,)) as pool:
        running: set[Future[list[Done]]] = set()
        try:
            while chunk := list(islice(files, _AT_ONCE)):
                running.add(pool.submit(_chunk, chunk))
                if len(running) >= 3 * processes:
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for one in finished:
                        yield from one.result()
            while running:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for one in finished:
                    yield from one.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def done_in_threads(files: Iterable[File], work: Work, *, threads: int) -> Iterator[Done]:
    """For work that mostly waits for somebody else's answer. In no order, as it is done."""
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    worker = work.worker()
    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[Done]] = set()
        waiting = iter(files)
        try:
            while True:
                for file in islice(waiting, threads - len(running)):
                    running.add(pool.submit(_one, worker, file))
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in finished)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _one(worker: Worker, file: File) -> Done:
    return Done(file=file, results=tuple(worker.results(file)))


_HERE: Final[list[Worker]] = []


def _begin(work: Work) -> None:
    gc.set_threshold(*_SELDOM)
    _HERE[:] = [work.worker()]


def _chunk(files: Sequence[File]) -> list[Done]:
    return [Done(file=file, results=tuple(_HERE[0].results(file))) for file in files]
