"""A program of its own: starts one confined command, holds all that comes of it to totals, and outlives it.

`sandbox` starts it beside the bot. Whatever a command starts, in whatever session, is a descendant of this
process for ever, since orphans come to it: so it can count them all, and it ends when none is left.
"""

import _socket
import ctypes
import marshal
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False  # typing itself takes as long to import as all of the above
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bot.outside.cage.deputy import Deputy

_SET_CHILD_SUBREAPER = 36
_SIGKILL = 9
_TICK_S = 0.05
_LIST = "/proc/{}/task/{}/children"


def main(
    arguments: "Sequence[str]",
    become: "Callable[[dict[str, Any], str], None]",
    deputy: "Callable[[int, dict[int, str], Sequence[str]], Deputy]",
) -> None:
    """`arguments`: the limits, marshalled, in hex; the command. The rest is `confine.become` and `Deputy`.

    To `report` goes `=CODE`, or `~WHY` where it was stopped.
    """
    limits = marshal.loads(bytes.fromhex(arguments[0]))  # noqa: S302 - from the bot, made by this very Python
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ours, theirs = _socket.socketpair()
    limits["answered"] = theirs.fileno() if limits["asked"] else None
    child = os.fork()
    if child == 0:
        become(limits, arguments[1])
    theirs.close()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    listener = _received(ours)
    answers = None if listener is None else deputy(listener, limits["asked"], limits["writable"])
    watch = _Watch(child, limits, answers)
    why = watch.until_over()
    _end_all(watch)
    said = f"~{why}" if why else f"={os.waitstatus_to_exitcode(watch.status)}"
    os.write(limits["report"], said.encode())
    os._exit(0)


def _received(ours: _socket.socket) -> int | None:
    """The descriptor on which the command's questions come; None where it has none, or came to nothing."""
    _, rights, _, _ = ours.recvmsg(1, _socket.CMSG_SPACE(4))
    return int.from_bytes(rights[0][2], sys.byteorder) if rights else None


class _Watch:
    """The command, until it ends, its time is over, a total is more than it may be, or the bot is gone."""

    def __init__(self, child: int, limits: "dict[str, Any]", deputy: "Deputy | None") -> None:
        self._deputy = deputy
        self.status = -1
        self._child = child
        self._limits = limits
        self._folders = [os.open(folder, os.O_PATH) for folder in limits["writable"]]
        self._before = [os.fstatvfs(folder) for folder in self._folders]

    def until_over(self) -> str:
        """Why it was stopped; "" if it ended by itself."""
        deadline = time.monotonic() + self._limits["seconds"]
        ended = os.pidfd_open(self._child)
        waiting = select.poll()
        waiting.register(ended, select.POLLIN)
        waiting.register(self._limits["life"], select.POLLIN)
        if self._deputy is not None:
            waiting.register(self._deputy.listener, select.POLLIN)
        tick_s, counts_at = _TICK_S, time.monotonic() + _TICK_S
        while True:
            left_s = deadline - time.monotonic()
            ready = {descriptor for descriptor, _ in waiting.poll(max(0.0, min(tick_s, left_s)) * 1000)}
            if ended in ready:
                return ""
            if self._limits["life"] in ready:
                return "the bot"
            if self._deputy is not None and ready:
                self._deputy.answer()
            if left_s <= 0:
                return "time"
            began = time.monotonic()
            if began < counts_at:
                continue
            self.reap()
            if why := self._too_much():
                return why
            # Counting takes longer the more there is to count, and is never all that this process does.
            tick_s = max(_TICK_S, 4 * (time.monotonic() - began))
            counts_at = time.monotonic() + tick_s

    def reap(self) -> bool:
        """Take leave of whatever has ended; whether anything is left."""
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if process == 0:
                return True
            if process == self._child:
                self.status = status

    def _too_much(self) -> str:
        totals = self._limits["totals"]
        memory = written = tasks = 0
        is_counted = True
        for process in descendants(os.getpid()):
            used = _status(process)
            tasks += used.get("Threads", 0)
            memory += (used.get("RssAnon", 0) + used.get("RssShmem", 0) + used.get("VmPTE", 0)) << 10
            written += max(0, wrote := _written(process))
            is_counted = is_counted and wrote >= 0
        # What has ended has left its count to whoever took leave of it, and so to us.
        written += _written(os.getpid())
        if tasks > totals["processes"]:
            return "processes"
        if memory > totals["memory"] or _free_memory() < totals["free memory"]:
            return "memory"
        # Root without SYS_PTRACE, as in a container, may not ask what another user has written.
        if not is_counted:
            written = max(written, self._taken())
        return "written" if written > totals["written"] or self._is_filling_up() else ""

    def _taken(self) -> int:
        """Bytes that are free no more, whoever took them."""
        pairs = zip(self._folders, self._before, strict=True)
        return max((old.f_bfree - os.fstatvfs(folder).f_bfree) * old.f_frsize for folder, old in pairs)

    def _is_filling_up(self) -> bool:
        """Not all that takes room is counted as written: what lies in memory, and names of empty files.

        A disk that was full before is not its fault.
        """
        totals = self._limits["totals"]
        for folder, before in zip(self._folders, self._before, strict=True):
            now = os.fstatvfs(folder)
            if now.f_bavail < before.f_bavail and now.f_bavail * now.f_frsize < totals["free disk"]:
                return True
            if now.f_favail < before.f_favail and now.f_favail < totals["free files"]:
                return True
        return False


def descendants(process: int) -> list[int]:
    """All that came of this one and still is."""
    # Few kernels keep no such list; there every process is asked for its parent.
    has_list = os.access(_LIST.format(os.getpid(), os.getpid()), os.R_OK)
    children = _children if has_list else _children_in(_parents())
    found: list[int] = []
    todo = [process]
    while todo:
        born = children(todo.pop())
        found += born
        todo += born
    return found


def _children(process: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{process}/task")  # noqa: PTH208 - only names, and no pathlib
        return [int(one) for task in tasks for one in _read(_LIST.format(process, task)).split()]
    except OSError:
        return []


def _children_in(parents: dict[int, int]) -> "Callable[[int], list[int]]":
    return lambda process: [one for one, parent in parents.items() if parent == process]


def _parents() -> dict[int, int]:
    table = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - see above
        if name.isdigit():
            try:
                table[int(name)] = int(_read(f"/proc/{name}/stat").rpartition(b")")[2].split()[1])
            except OSError:
                continue
    return table


def _end_all(watch: _Watch) -> None:
    """Until there is no child left, and so nothing that could become one."""
    while watch.reap():
        here = descendants(os.getpid())
        for process in here:
            # Or a bomb would go on making new ones while the old ones are ended.
            try:
                resource.prlimit(process, resource.RLIMIT_NPROC, (0, 0))
            except OSError:
                continue
        for process in here:
            try:
                os.kill(process, _SIGKILL)
            except OSError:
                continue
        time.sleep(0.001)


def _status(process: int) -> dict[str, int]:
    """Numbers of /proc/PROCESS/status, sizes in kB."""
    used = {}
    try:
        for row in _read(f"/proc/{process}/status").split(b"\n"):
            name, _, value = row.partition(b":\t")
            number = value.split()[:1]
            if number and number[0].isdigit():
                used[name.decode()] = int(number[0])
    except OSError:
        return {}
    return used


def _written(process: int) -> int:
    """Bytes that it caused to be written to a disk; -1 where that may not be known."""
    try:
        rows = dict(row.split(b": ") for row in _read(f"/proc/{process}/io").splitlines())
    except PermissionError:
        return -1
    except OSError:
        return 0
    return int(rows.get(b"write_bytes", 0))


def _free_memory() -> int:
    for row in _read("/proc/meminfo").splitlines():
        if row.startswith(b"MemAvailable:"):
            return int(row.split()[1]) << 10
    return 1 << 62


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
