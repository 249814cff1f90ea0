"""One look of somebody else's code, in a process of its own that ends with it: nothing but JSON comes back.

Whatever it starts, patches, or leaves for later ends with that process: threads, timers, what would run at
exit, what a collected object would do. It holds no descriptor but the one it speaks through, its walls (see
`walls`) are the kernel's, and Python's own audit hooks say what it tried.
"""

import gc
import json
import os
import resource
import signal
import socket
import time
import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from bot.action import Json, storable
from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.foreign.restraint import restrained
from bot.foreign.walls import raise_walls
from bot.workspace import Entry, Match, Mode, Workspace

MOST_SECONDS: Final = 60.0
_MOST_BYTES: Final = 64 << 20
_MOST_MEMORY: Final = 4 << 30
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the look returned; or how it failed, in one line; `tried` is the first thing it was kept from.

    `no`: it failed in words of its own choice (ToolFailed), which need no name in front.
    """

    value: Json = None
    failed: str | None = None
    no: str | None = None
    tried: str | None = None


def look(
    act: Callable[[Workspace], object], workspace: Workspace | None, *, timeout_s: float = MOST_SECONDS
) -> Seen:
    """`act` gets a workspace that asks this one, which stays here. Its result must be JSON to get out."""
    if not hasattr(os, "fork"):
        return Seen(failed="others' tools can't be held on this system; use Linux or macOS")
    ours, theirs = socket.socketpair()
    with ours:
        with warnings.catch_warnings():
            # It says that a lock could be held for ever in the child: then its time ends it.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _be_looked_through(act, theirs)
        theirs.close()
        try:
            return _attend(_Line(ours, time.monotonic() + timeout_s), workspace)
        except TimeoutError:
            return Seen(failed=f"it was still at it after {timeout_s:g} seconds")
        except (OSError, ValueError, RecursionError):
            return Seen(failed="it ended without an answer")
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _attend(line: "_Line", workspace: Workspace | None) -> Seen:
    while True:
        said = line.read()
        if "ask" not in said:
            known = {name: said.get(name) for name in ("failed", "no", "tried")}
            texts = {name: text if isinstance(text, str) else None for name, text in known.items()}
            return Seen(value=said.get("value"), **texts)
        try:
            line.write({"answer": _answered(workspace, said["ask"])})
        except ToolFailed as failed:
            line.write({"no": str(failed)})


def _answered(workspace: Workspace | None, asked: Any) -> Json:  # noqa: ANN401 - JSON of theirs
    if workspace is None:
        raise ToolFailed("there are no files to ask about here")
    match asked:
        case ["entry", str(path)]:
            entry = workspace.entry(path)
            return None if entry is None else [entry.mode.value, entry.blob]
        case ["modes", list(paths)]:
            return {path: mode.value for path, mode in workspace.modes([str(one) for one in paths]).items()}
        case ["paths"]:
            return list(workspace.paths())
        case ["is_folder", str(path)]:
            return workspace.is_folder(path)
        case ["read", str(path)]:
            return b64encode(workspace.read(path)).decode()
        case ["search", str(pattern), bool(fixed), bool(ignore_case), list(paths), int(most)]:
            here = [str(path) for path in paths]
            found = workspace.search(pattern, fixed=fixed, ignore_case=ignore_case, paths=here, most=most)
            return [[match.path, match.line, match.text] for match in found]
        case ["write", str(path), str(content), bool() | None as executable]:
            workspace.write(path, b64decode(content), executable=executable)
        case ["delete", str(path)]:
            workspace.delete(path)
        case _:
            raise ToolFailed("a workspace can't be asked that")
    return None


class _Line:
    """One JSON object a line, both ways."""

    def __init__(self, end: socket.socket, deadline: float | None = None) -> None:
        self._end: Final = end
        self._deadline: Final = deadline
        self._left = b""
        self._budget = _MOST_BYTES

    def read(self) -> Mapping[str, Any]:
        pieces = [self._left]
        while b"\n" not in pieces[-1]:
            if self._deadline is not None:
                self._end.settimeout(max(0.001, self._deadline - time.monotonic()))
            piece = self._end.recv(_CHUNK)
            self._budget -= len(piece)
            if not piece or (self._deadline is not None and self._budget < 0):
                raise OSError("nothing more comes")
            pieces.append(piece)
        line, _, self._left = b"".join(pieces).partition(b"\n")
        said = json.loads(line)
        if not isinstance(said, dict):
            raise OSError("it speaks something else")
        return said

    def write(self, what: Mapping[str, Json]) -> None:
        if self._deadline is not None:
            self._end.settimeout(max(0.1, self._deadline - time.monotonic()))
        self._end.sendall(json.dumps(storable(what)).encode() + b"\n")


def _be_looked_through(act: Callable[[Workspace], object], end: socket.socket) -> None:
    """Never returns."""
    try:
        # Python has threads no more here: what they held is nobody's to free.
        gc.disable()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _hold_nothing_but(end.fileno())
        _take_no_more_than_there_is()
        raise_walls()
        _Line(end).write(_looked(act, _Asking(_Line(end))))
    except BaseException as error:  # noqa: BLE001 - whatever it is, it ends here
        with suppress(BaseException):
            _Line(end).write({"failed": _told(error)})
    finally:
        os._exit(0)


def _looked(act: Callable[[Workspace], object], workspace: Workspace) -> dict[str, Json]:
    with restrained() as attempts:
        try:
            value = act(workspace)
            said: dict[str, Json] = {"value": json.loads(json.dumps(storable(value)))}
        except ToolFailed as failed:
            said = {"no": _text(failed)}
        except BaseException as error:  # noqa: BLE001 - their mistakes, an exit or an interrupt among them
            said = {"failed": _told(error)}
        return said | ({"tried": attempts.words[0]} if attempts.words else {})


def _told(error: BaseException) -> str:
    words = " ".join(_text(error).split())[:300]
    return f"{type(error).__name__}{f': {words}' if words else ''}"


def _text(error: BaseException) -> str:
    try:
        return str(storable(str(error)))
    except BaseException:  # noqa: BLE001 - its own way of telling is theirs as well
        return ""


def _hold_nothing_but(kept: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, 1 << 16)


def _take_no_more_than_there_is() -> None:
    """Memory: an answer too long for this machine is an error of theirs, and not this machine's end."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = _MOST_MEMORY if hard == resource.RLIM_INFINITY else min(_MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


class _Asking:
    """A workspace on the other side of the line."""

    def __init__(self, line: _Line) -> None:
        self._line: Final = line

    def _ask(self, *asked: Json) -> Any:  # noqa: ANN401 - as the method asked for
        self._line.write({"ask": list(asked)})
        said = self._line.read()
        if "no" in said:
            raise ToolFailed(str(said["no"]))
        return said["answer"]

    def entry(self, path: str) -> Entry | None:
        found = self._ask("entry", path)
        return None if found is None else Entry(mode=Mode(found[0]), blob=found[1])

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        return {path: Mode(mode) for path, mode in self._ask("modes", list(paths)).items()}

    def paths(self) -> Sequence[str]:
        return tuple(self._ask("paths"))

    def is_folder(self, path: str) -> bool:
        return bool(self._ask("is_folder", path))

    def read(self, path: str) -> bytes:
        return b64decode(self._ask("read", path))

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        found = self._ask("search", pattern, fixed, ignore_case, list(paths), most)
        return [Match(path=path, line=line, text=text) for path, line, text in found]

    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None:
        self._ask("write", path, b64encode(content).decode(), executable)

    def delete(self, path: str) -> None:
        self._ask("delete", path)
