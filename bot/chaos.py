"""Failures on purpose: which rehearsed calls fail, and in what words. A hash decides, so always the same.

The words are those of the real thing: what GitHub, a gateway, a file system or a shell says when it fails.
"""

import errno
import hashlib
import json
import os
from collections import Counter
from dataclasses import field
from decimal import Decimal
from typing import Final

from bot.action import Action, Kind, canonical
from bot.dataclass import dataclass
from bot.errors import ToolFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """`rate` is the part of all calls that fail, 0 to 1; each try of the same call is decided anew."""

    rate: Decimal
    seed: int

    def __str__(self) -> str:
        return f"rate {self.rate}, seed {self.seed}"

    def failure(self, action: Action, *, attempt: int, is_command: bool) -> str | None:
        """What the tool answers instead of an answer, or None; `attempt` counts equal calls from 1."""
        decides = hashlib.sha256(canonical([self.seed, action.id, attempt])).digest()
        if Decimal(int.from_bytes(decides[:8])) >= self.rate * 2**64:
            return None
        kinds = _COMMAND if is_command else _SERVICE if action.kind is Kind.EXTERNAL else _FILES
        return kinds[decides[8] % len(kinds)].replace("{path}", json.dumps(_path(action)))


@dataclass(frozen=True, slots=True)
class Failures:
    """The failures of one run, which counts how often each call was made."""

    chaos: Chaos
    _made: Counter[str] = field(default_factory=Counter)

    def strike(self, action: Action, *, is_command: bool) -> None:
        """Raises ToolFailed where the tool is to fail this time."""
        self._made[action.id] += 1
        said = self.chaos.failure(action, attempt=self._made[action.id], is_command=is_command)
        if said is not None:
            raise ToolFailed(said)


def _path(action: Action) -> str:
    path = action.arguments.get("path")
    return path if isinstance(path, str) else "."


def _errno(number: int) -> str:
    return f"[Errno {number}] {os.strerror(number)}: {{path}}"


_FILES: Final = (
    _errno(errno.EACCES),
    _errno(errno.EIO),
    _errno(errno.ENOSPC),
    "TimeoutError: the file system did not answer within 30 seconds",
)
_COMMAND: Final = (
    "[exit code 1]\nbash: line 1: fork: retry: Resource temporarily unavailable",
    "[exit code 1]\nerror: failed to write to the cache: Permission denied (os error 13)",
    "[exit code 137]\nKilled",
    "[stopped after 120 seconds]\n",
)
# GitHub's own bodies: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
_LIMITED: Final = json.dumps(
    {
        "message": "You have exceeded a secondary rate limit. Please wait a few minutes and try again.",
        "documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
        "status": "429",
    }
)
_UNAVAILABLE: Final = '{"message": "Service Unavailable"}'
_GATEWAY: Final = (
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    "<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>"
)
_SERVICE: Final = (
    f"status 429 (retry-after 60): {_LIMITED}",
    f"status 502: {_GATEWAY}",
    f"status 503: {_UNAVAILABLE}",
    "ReadTimeout: no answer within 30 seconds; whether it took effect is not known",
)
