"""A program of its own, of the standard library alone: sets itself apart, then becomes an MCP server.

`mcp_servers` starts it as `python -I -S launch.py NAMES COMMAND...`. The server keeps the variables of these
names and no others, can't look into this bot's memory or environment, and ends with it.
"""

import ctypes
import json
import os
import signal
import struct
import sys
from collections.abc import Sequence
from typing import Final

# linux/landlock.h, linux/prctl.h, linux/capability.h
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_SCOPE_SIGNAL: Final = 0b10
_FIRST_WITH_SCOPES: Final = 6
_SET_PDEATHSIG, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _CAP_AMBIENT = 1, 24, 38, 47
_CLEAR_ALL: Final = 4
# linux/capability.h: CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON, CAP_BPF, CAP_CHECKPOINT_RESTORE
_TELLING: Final = (19, 21, 38, 39, 40)
_CAPABILITIES_3: Final = 0x20080522


def main(arguments: Sequence[str]) -> None:
    kept, command = json.loads(arguments[1]), list(arguments[2:])
    environment = {name: value for name, value in os.environ.items() if name in kept}
    # Python ignores it, and what it ignores, its heirs would ignore.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        if sys.platform == "linux":
            set_apart()
        os.execvpe(command[0], command, environment)  # noqa: S606 - that no shell comes between is the point
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        os._exit(126)


def set_apart() -> None:
    """Not even as root may it look into the bot, which has made itself unreadable to all but a tracer.

    In a Landlock domain of its own a process may trace none outside it, nor signal it. What the domain itself
    forbids, making device files, nobody misses: the walls are what it is for.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    _done(libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if os.geteuid() == 0:
        for capability in _TELLING:
            _done(libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0))
        _inherit_nothing(libc)
    version = _done(libc.syscall(_CREATE_RULESET, None, ctypes.c_long(0), ctypes.c_long(1)))
    wanted = struct.pack("=Q", _MAKE_CHAR | _MAKE_BLOCK)
    if version >= _FIRST_WITH_SCOPES:
        wanted = struct.pack("=QQQ", _MAKE_CHAR | _MAKE_BLOCK, 0, _SCOPE_SIGNAL)
    ruleset = _done(libc.syscall(_CREATE_RULESET, wanted, ctypes.c_long(len(wanted)), ctypes.c_long(0)))
    _done(libc.syscall(_RESTRICT_SELF, ctypes.c_long(ruleset), ctypes.c_long(0)))
    os.close(ruleset)


def _inherit_nothing(libc: ctypes.CDLL) -> None:
    """Root's capabilities after an exec are those that are bounded or inherited."""
    _done(libc.prctl(_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0))
    head = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_3, 0))
    sets = ctypes.create_string_buffer(24)
    _done(libc.capget(head, sets))
    effective, permitted, _, more_effective, more_permitted, _ = struct.unpack("=6I", sets.raw[:24])
    kept = struct.pack("=6I", effective, permitted, 0, more_effective, more_permitted, 0)
    _done(libc.capset(head, kept))


def _done(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"can't be kept apart from this bot: {os.strerror(number)}")
    return int(result)


if __name__ == "__main__":
    main(sys.argv)
