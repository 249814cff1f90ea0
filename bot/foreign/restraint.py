"""While it holds, Python code in this thread can look and not touch: nothing written, started, or called up.

Python's own audit hooks tell of every such attempt before it happens, whatever library makes it; once set,
a hook can't be taken away again. So it knows by name what was tried. Native code that goes around Python's
own functions it does not see: what that does is the kernel's to refuse (see `walls`).
"""

import _thread
import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cache
from typing import Final

from bot.dataclass import dataclass


@dataclass(slots=True)
class Attempts:
    """What was tried while the restraint held, each in a few words; a caught refusal is among them too."""

    words: list[str] = field(default_factory=list)
    may: tuple[str, ...] = ()


@contextlib.contextmanager
def restrained(*, is_import: bool = False) -> Iterator[Attempts]:
    """Each attempt raises PermissionError where it is made. What is printed meanwhile goes nowhere.

    An import may do what many libraries find out about a machine with: load native code, make a socket that
    goes nowhere, start a thread, set a variable of this process.
    """
    _install()
    attempts = Attempts(may=_OF_IMPORTS if is_import else ())
    before, _held.attempts = getattr(_held, "attempts", None), attempts
    # Else an import would write its bytecode, and that would be an attempt.
    wrote, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield attempts
    finally:
        _held.attempts = before
        sys.dont_write_bytecode = wrote


@cache
def _install() -> None:
    sys.addaudithook(_hook)
    if sys.version_info < (3, 13):
        # Of these it tells nothing by itself, and a thread could do later what is refused now.
        telling = _telling(_thread.start_new_thread)
        vars(_thread)["start_new_thread"] = vars(threading)["_start_new_thread"] = telling


def _telling(start: Callable[..., int]) -> Callable[..., int]:
    def started(*given: object) -> int:
        sys.audit("_thread.start_new_thread", *given)
        return start(*given)

    return started


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    attempts = getattr(_held, "attempts", None)
    if attempts is None or not _is_touch(event, arguments) or event.startswith(attempts.may):
        return
    shown = ", ".join(
        _short(argument) for argument in arguments[:2] if isinstance(argument, str | bytes | list)
    )
    attempts.words.append(f"{event} ({shown})" if shown else event)
    raise PermissionError(f"{attempts.words[-1]}: a dry run touches nothing")


def _is_touch(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "open":
        path, _, flags = arguments
        return isinstance(flags, int) and bool(flags & _WRITING) and path not in _NOWHERE
    return event in _EVENTS or event.startswith(_FAMILIES)


def _short(argument: object) -> str:
    text = str(argument)
    return text if len(text) <= 80 else f"{text[:80]}…"


_held: Final = threading.local()
_OF_IMPORTS: Final = (
    "ctypes.",
    "socket.__new__",
    "socket.bind",
    "socket.gethostname",
    "_thread.",
    "os.putenv",
    "os.unsetenv",
    "sys.addaudithook",
)
_NOWHERE: Final = frozenset({os.devnull, os.fsencode(os.devnull)})
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# https://docs.python.org/3/library/audit_events.html
_FAMILIES: Final = ("socket.", "subprocess.", "ctypes.", "shutil.", "pty.", "syslog.", "webbrowser.")
_EVENTS: Final = frozenset(
    """
    os.chdir os.chflags os.chmod os.chown os.exec os.fork os.forkpty os.kill os.killpg os.link os.lockf
    os.mkdir os.posix_spawn os.putenv os.remove os.removexattr os.rename os.rmdir os.setxattr os.spawn
    os.startfile os.symlink os.system os.truncate os.unsetenv os.utime resource.prlimit resource.setrlimit
    signal.pthread_kill sqlite3.connect sys.addaudithook tempfile.mkdtemp tempfile.mkstemp
    _thread.start_new_thread _thread.start_joinable_thread
    """.split()
)
