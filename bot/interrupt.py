"""A person's Ctrl-C: once it came, nothing new begins, whatever became of the exception that told of it.

It is raised wherever the program happens to be. In the middle of a library it may come out as that library's
own failure, or not at all: pydantic makes a mistake in a schema of it, Python 3.11 one in a class.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _Noted:
    has_come = False


def note() -> None:
    """From here on. Where they are ignored, as in what a shell starts in the background, they still are."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _came)


def has_come() -> bool:
    return _Noted.has_come


def heed() -> None:
    """Raises KeyboardInterrupt where one has come and got lost."""
    if _Noted.has_come:
        raise KeyboardInterrupt


@contextmanager
def heeded() -> Iterator[None]:
    """What fails in here after an interrupt is that interrupt."""
    try:
        yield
    except Exception as failed:
        if _Noted.has_come:
            raise KeyboardInterrupt from failed
        raise


def _came(number: int, frame: FrameType | None) -> None:
    _Noted.has_come = True
    signal.default_int_handler(number, frame)
