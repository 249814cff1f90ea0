"""Being told to end: Ctrl-C, a runner's cancellation, a closed terminal. Once it came, nothing new begins.

All of them come as KeyboardInterrupt, and everything is taken back on the way. It is raised wherever the
program happens to be. In the middle of a library it may come out as that library's own failure, or not at
all: pydantic makes a mistake in a schema of it, Python 3.11 one in a class.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

# Windows has no terminal that hangs up.
_ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
# A terminal and whoever started us may both pass one Ctrl-C on, and an impatient hand presses twice.
_ONE_WISH_S: Final = 0.5


class _Noted:
    """`number` is the first signal's."""

    number: int | None = None
    at_s = 0.0


def note() -> None:
    """From here on. Where they are ignored, as in what a shell starts in the background, they still are."""
    for number in _ENDING:
        if signal.getsignal(number) in {signal.default_int_handler, signal.SIG_DFL}:
            signal.signal(number, _came)


def no_more() -> None:
    """All is taken back: another one ends the program wherever it is, but for the same wish once more."""
    for number in _ENDING:
        if signal.getsignal(number) is _came:
            signal.signal(number, _came_after_all)


def has_come() -> bool:
    return _Noted.number is not None


def exit_code() -> int:
    """As a shell has it: 128 and the number of the signal, that of Ctrl-C where a key was read as one."""
    return 128 + (_Noted.number or signal.SIGINT)


def told() -> str:
    """One sentence on what ended the program."""
    if _Noted.number in {None, signal.SIGINT}:
        return "Interrupted."
    return f"Interrupted by {signal.Signals(_Noted.number).name}."


def heed() -> None:
    """Raises KeyboardInterrupt where one has come and got lost."""
    if has_come():
        raise KeyboardInterrupt


@contextmanager
def heeded() -> Iterator[None]:
    """What fails in here after an interrupt is that interrupt."""
    try:
        yield
    except Exception as failed:
        if has_come():
            raise KeyboardInterrupt from failed
        raise


def _came(number: int, _: FrameType | None) -> None:
    if _is_same_wish():
        # What is being taken back must not be left half done for it.
        return
    if _Noted.number is None:
        _Noted.number, _Noted.at_s = number, time.monotonic()
    raise KeyboardInterrupt


def _came_after_all(number: int, _: FrameType | None) -> None:
    if not _is_same_wish():
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _is_same_wish() -> bool:
    return _Noted.number is not None and time.monotonic() - _Noted.at_s < _ONE_WISH_S
