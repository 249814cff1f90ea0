"""An environment with keys in it -> this program anew, with them in its memory alone.

What a process was started with can be read in /proc/PID/environ for as long as it runs, whatever it has since
taken out of its variables. So the program hands all of them to itself over a pipe, and starts itself again
with the few that libraries look for.
"""

import fcntl
import json
import os
import site
import sys
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from bot.errors import BadUsage

# What is not named here may be somebody's key, whatever it is called.
_KEPT: Final = frozenset(
    (
        "PATH HOME USER LOGNAME LANG LC_ALL LC_MESSAGES LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH "
        "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE "
        "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy"
    ).split()
)
# Linux lets everybody have pipes of this size.
_MOST_BYTES: Final = 1 << 20
_F_SETPIPE_SZ: Final = getattr(fcntl, "F_SETPIPE_SZ", None)


def begin_again(
    environ: Mapping[str, str], arguments: Sequence[str], *, program: Sequence[str] | None = None
) -> NoReturn:
    """Become `python -I -m bot ARGUMENTS... --environment-from N`, in a process of the same number.

    Not quite isolated where the program may be in the person's own site-packages, which -I leaves out.
    """
    if program is None:
        isolated = ("-E", "-P") if site.ENABLE_USER_SITE else ("-I",)
        program = (*isolated, "-m", "bot")
    reads = _pipe_of(json.dumps(dict(environ)).encode("ascii"))
    os.set_inheritable(reads, True)  # noqa: FBT003 - os takes no keyword
    kept = {name: value for name, value in environ.items() if name in _KEPT}
    command = [sys.executable, *program, *arguments, "--environment-from", str(reads)]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, command, kept)  # noqa: S606 - that no shell comes between is the point


def handed_over(descriptor: int) -> Mapping[str, str]:
    """What `begin_again` was given. It can be read once."""
    try:
        with os.fdopen(descriptor, "rb") as pipe:
            environ = json.loads(pipe.read())
    except (OSError, ValueError) as error:
        raise BadUsage(
            "Nothing was handed over in the descriptor %(descriptor)s",
            descriptor=descriptor,
            next_step="leave --environment-from to the program itself",
        ) from error
    return {str(name): str(value) for name, value in environ.items()}


def _pipe_of(text: bytes) -> int:
    """The end to read from, of a pipe that holds all of it: there is nobody else to empty it."""
    reads, writes = os.pipe()
    with os.fdopen(writes, "wb", buffering=0) as pipe:
        os.set_blocking(writes, False)
        try:
            if _F_SETPIPE_SZ is not None and len(text) < _MOST_BYTES:
                fcntl.fcntl(writes, _F_SETPIPE_SZ, max(len(text), 1 << 16))
            is_whole = pipe.write(text) == len(text)
        except OSError:
            is_whole = False
    if not is_whole:
        os.close(reads)
        raise BadUsage(
            "The environment has %(text)s bytes, more than can be kept out of sight",
            text=len(text),
            next_step="give the job fewer or shorter environment variables",
        )
    return reads
