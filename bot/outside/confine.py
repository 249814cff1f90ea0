"""A program of its own, of the standard library alone: confines itself, then becomes bash.

`sandbox` starts it as `python -I -S confine.py LIMITS COMMAND`. Every step must succeed, or nothing is run.
What went wrong is written to the descriptor `report`, which closes by itself when bash takes over.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

# linux/landlock.h
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK = 1 << 6, 1 << 9, 1 << 10, 1 << 11
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_HANDLED: Final = {4: (1 << 15) - 1, 5: (1 << 16) - 1}
_OF_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_READING: Final = _EXECUTE | _READ_FILE | _READ_DIR
_WRITING: Final = ~(_MAKE_CHAR | _MAKE_SOCK | _MAKE_FIFO | _MAKE_BLOCK | _IOCTL_DEV)
_ALL_TCP: Final = 0b11
_ALL_SCOPES: Final = 0b11
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_LEAST_VERSION: Final = 4
_FIRST_WITH_SCOPES: Final = 6

# linux/prctl.h, linux/capability.h, linux/seccomp.h
_SET_PDEATHSIG, _SET_SECCOMP, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _CAP_AMBIENT = 1, 22, 24, 38, 47
_CLEAR_ALL: Final = 4
_CAPABILITIES_3: Final = 0x20080522
_FILTER: Final = 2


class Unconfined(Exception):
    """A step failed, so nothing may be run."""


def main(arguments: Sequence[str]) -> None:
    limits: dict[str, Any] = json.loads(arguments[1])
    os.set_inheritable(limits["report"], False)  # noqa: FBT003 - its only argument
    # Python ignores these two, and what it ignores, its heirs would ignore
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        confine(limits)
        os.execve(  # noqa: S606 - that no shell comes between is the point
            limits["bash"],
            ["bash", "--noprofile", "--norc", "-c", "--", arguments[2]],
            limits["environment"],
        )
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is reported and ends here
        os.write(limits["report"], f"{error}".encode("utf-8", "replace")[:2000])
        os._exit(126)


def confine(limits: dict[str, Any]) -> None:
    """Give up, for good: files, network, other processes, privileges, and boundless use of the machine."""
    libc = ctypes.CDLL(None, use_errno=True)
    _call(libc.prctl, _SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.umask(0o022)
    for name, most in limits["most"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < _LEAST_VERSION:
        raise Unconfined(f"the kernel's Landlock has version {version}; version {_LEAST_VERSION} is needed")
    ruleset = _ruleset(libc, version, limits["readable"], limits["writable"])
    _call(libc.prctl, _SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _drop_capabilities(libc)
    _call(libc.syscall, _RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    # Before version 6 Landlock can't keep signals inside, so that filter lets none be sent
    _filter(libc, bytes.fromhex(limits["filters"][version >= _FIRST_WITH_SCOPES]))


def _ruleset(libc: ctypes.CDLL, version: int, readable: Iterable[str], writable: Iterable[str]) -> int:
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


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    # Root has them all back after an exec unless the bounding set is empty as well
    capability = 0
    while libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    _call(libc.prctl, _CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    _call(libc.capset, struct.pack("=Ii", _CAPABILITIES_3, 0), bytes(24))
    if os.geteuid() == 0 and capability <= _highest_capability():
        raise Unconfined("root's capabilities could not be dropped")


def _highest_capability() -> int:
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:  # noqa: PTH123 - see above
        return int(file.read())


def _filter(libc: ctypes.CDLL, code: bytes) -> None:
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    _call(libc.prctl, _SET_SECCOMP, _FILTER, head, 0, 0)


def _call(function: Any, *arguments: Any) -> int:  # noqa: ANN401 - a C function and what it takes
    done = int(function(*[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]))
    if done < 0:
        number = ctypes.get_errno()
        raise Unconfined(f"the kernel refused a step of the confinement: {os.strerror(number)}")
    return done


if __name__ == "__main__":
    main(sys.argv)
