"""Limits -> a process that has given up nearly everything and becomes bash: wholly, or not at all.

Runs in a process of its own, of the standard library alone and of as little of it as possible: each import is
time that every command takes longer.
"""

import _socket
import ctypes
import os
import resource
import struct

TYPE_CHECKING = False  # typing itself takes as long to import as all of the above
if TYPE_CHECKING:
    from typing import Any

# linux/landlock.h
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK = 1 << 6, 1 << 9, 1 << 10, 1 << 11
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_HANDLED = {4: (1 << 15) - 1, 5: (1 << 16) - 1}
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_READING = _EXECUTE | _READ_FILE | _READ_DIR
_WRITING = ~(_MAKE_CHAR | _MAKE_SOCK | _MAKE_FIFO | _MAKE_BLOCK | _IOCTL_DEV)
_ALL_TCP = 0b11
_ALL_SCOPES = 0b11
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_LEAST_VERSION = 4
_FIRST_WITH_SCOPES = 6

# linux/prctl.h, linux/capability.h, linux/seccomp.h, linux/close_range.h
_SET_PDEATHSIG, _SET_SECCOMP, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _CAP_AMBIENT = 1, 22, 24, 38, 47
_CLEAR_ALL = 4
_CAPABILITIES_3 = 0x20080522
_FILTER = 2
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _NEW_LISTENER = 1, 8
_CLOSE_RANGE, _CLOSE_ON_EXEC = 436, 4
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25


class Unconfined(Exception):
    """A step failed, so nothing may be run."""


def become(limits: "dict[str, Any]", command: str) -> None:
    """Never returns. What went wrong is written to the descriptor `report`, after an exclamation mark.

    It closes by itself when bash takes over. Where a sandbox is not `required`, what is missing of it is
    written after a question mark, and the command runs all the same.
    """
    report = limits["report"]
    try:
        missing = confine(limits)
        if missing:
            os.write(report, f"?{missing}\n".encode("utf-8", "replace")[:2000])
        os.execve(  # noqa: S606 - that no shell comes between is the point
            limits["bash"],
            ["bash", "--noprofile", "--norc", "-c", "--", command],
            limits["environment"],
        )
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is reported and ends here
        os.write(report, f"!{error}\n".encode("utf-8", "replace")[:2000])
        os._exit(126)


def confine(limits: "dict[str, Any]") -> str:
    """Give up, for good: files, network, other processes, privileges, and boundless use of the machine.

    Gives what could not be given up, "" if all was; raises Unconfined instead where that is `required`.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    # Python ignores these two, and what it ignores, its heirs would ignore.
    libc.signal(_SIGPIPE, 0)
    libc.signal(_SIGXFSZ, 0)
    _call(libc.prctl, _SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    _call(libc.syscall, _CLOSE_RANGE, 3, 0xFFFFFFFF, _CLOSE_ON_EXEC)
    os.setsid()
    os.umask(0o022)
    _be_the_first_to_go()
    for name, most in limits["most"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    missing = ""
    if version < _LEAST_VERSION:
        missing = f"the kernel's Landlock has version {version}; version {_LEAST_VERSION} is needed"
    elif not limits["filters"]:
        missing = "no filter of system calls is known for this machine"
    if missing and limits["required"]:
        raise Unconfined(missing)
    ruleset = None
    if version >= _LEAST_VERSION:
        ruleset = _ruleset(libc, version, limits["readable"], limits["writable"])
    _become_nobody(libc, limits["user"])
    _call(libc.prctl, _SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if ruleset is not None:
        _call(libc.syscall, _RESTRICT_SELF, ruleset, 0)
        os.close(ruleset)
    if limits["filters"]:
        # Before version 6 Landlock can't keep signals inside, so that filter lets none be sent.
        _filter(libc, limits["filters"][version >= _FIRST_WITH_SCOPES], limits["answered"])
    return missing


def _be_the_first_to_go() -> None:
    """Where the machine runs out of memory, the kernel ends the command, and not the bot."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 - see above
            file.write("1000")
    except OSError:
        return


def _become_nobody(libc: ctypes.CDLL, user: int | None) -> None:
    """Where the bot is root, a user whom nothing belongs to; and no capability, ever again."""
    # Root has them all back after an exec unless the bounding set is empty as well.
    capability = 0
    while libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    _call(libc.prctl, _CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    _call(libc.capset, struct.pack("=Ii", _CAPABILITIES_3, 0), bytes(24))
    if os.geteuid() == 0 and capability <= _highest_capability():
        raise Unconfined("root's capabilities could not be dropped")
    # A change of user forgets it.
    _call(libc.prctl, _SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def _ruleset(libc: ctypes.CDLL, version: int, readable: list[str], writable: list[str]) -> int:
    handled = _HANDLED.get(version, max(_HANDLED.values()))
    wanted = struct.pack("=QQQ", handled, _ALL_TCP, _ALL_SCOPES)
    wanted = wanted if version >= _FIRST_WITH_SCOPES else wanted[:16]
    ruleset = _call(libc.syscall, _CREATE_RULESET, wanted, len(wanted), 0)
    for path in readable:
        # Which of them a machine has differs: what isn't there needs no permission
        if os.path.exists(path):  # noqa: PTH110 - without pathlib it starts in half the time
            _permit(libc, ruleset, path, _READING & handled)
    for path in writable:
        _permit(libc, ruleset, path, _WRITING & handled)
    _permit(libc, ruleset, "/dev/null", (_READ_FILE | _WRITE_FILE | _TRUNCATE) & handled)
    return ruleset


def _permit(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not os.path.isdir(path):  # noqa: PTH112 - see above
        rights &= _OF_FILES
    _call(libc.syscall, _ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, descriptor), 0)
    os.close(descriptor)


def _highest_capability() -> int:
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:  # noqa: PTH123 - see above
        return int(file.read())


def _filter(libc: ctypes.CDLL, code: bytes, answered: int | None) -> None:
    """With `answered`, a socket, the descriptor goes there on which the filter's questions are to be read."""
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    if answered is None:
        _call(libc.prctl, _SET_SECCOMP, _FILTER, head, 0, 0)
        return
    listener = _call(libc.syscall, _SECCOMP[os.uname().machine], _SET_FILTER, _NEW_LISTENER, head)
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("=i", listener))]
    _socket.socket(fileno=answered).sendmsg([b"."], rights)
    os.close(listener)


def _call(function: "Any", *arguments: "Any") -> int:  # noqa: ANN401 - a C function and what it takes
    done = int(function(*[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]))
    if done < 0:
        number = ctypes.get_errno()
        raise Unconfined(f"the kernel refused a step of the confinement: {os.strerror(number)}")
    return done
