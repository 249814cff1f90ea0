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

# linux/landlock.h, linux/prctl.h
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_SCOPE_SIGNAL: Final = 0b10
_FIRST_WITH_SCOPES: Final = 6
_SET_PDEATHSIG, _SET_NO_NEW_PRIVS = 1, 38


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
    """In a Landlock domain of its own a process may not trace or read any outside it, not even as root.

    What the domain itself forbids, making device files, nobody misses: the walls are what it is for.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    _done(libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    version = _done(libc.syscall(_CREATE_RULESET, None, ctypes.c_long(0), ctypes.c_long(1)))
    wanted = struct.pack("=Q", _MAKE_CHAR | _MAKE_BLOCK)
    if version >= _FIRST_WITH_SCOPES:
        wanted = struct.pack("=QQQ", _MAKE_CHAR | _MAKE_BLOCK, 0, _SCOPE_SIGNAL)
    ruleset = _done(libc.syscall(_CREATE_RULESET, wanted, ctypes.c_long(len(wanted)), ctypes.c_long(0)))
    _done(libc.syscall(_RESTRICT_SELF, ctypes.c_long(ruleset), ctypes.c_long(0)))
    os.close(ruleset)


def _done(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"can't be kept apart from this bot: {os.strerror(number)}")
    return int(result)


if __name__ == "__main__":
    main(sys.argv)
