"""How the embedded GitHub misbehaves when it is told to: wrong answers, lost connections, slowness.

Each fault counts the requests it matches from the moment it is set, and strikes at the nth one.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from bot.dataclass import dataclass
from bot.demo.github.call import Answer

Moment = Literal["before", "after"]


@dataclass(slots=True, kw_only=True)
class Fault:
    """`moment` before: an answer or a drop keeps the effect from happening; after: it has happened.

    `path` is a regular expression, found anywhere in the path. `answer` replaces the real one; `drop` closes
    the connection without any; `do` is called, and may change this server's state. With neither answer nor
    drop the request goes on as if nothing were. `times` None: from the nth one on, for ever.
    """

    method: str = "[A-Z]+"
    path: str = ""
    nth: int = 1
    times: int | None = 1
    moment: Moment = "before"
    answer: Answer | None = None
    drop: bool = False
    delay_s: float = 0.0
    do: Callable[[], object] | None = None
    seen: int = field(default=0, init=False)

    @property
    def has_struck(self) -> bool:
        return self.seen >= self.nth

    def strikes(self, method: str, path: str) -> bool:
        """Counts the request when it matches; asked once for each request."""
        if not (re.fullmatch(self.method, method) and re.search(self.path, path)):
            return False
        self.seen += 1
        last = None if self.times is None else self.nth + self.times - 1
        return self.seen >= self.nth and (last is None or self.seen <= last)


def error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Answer:
    body = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
    return Answer(status=status, body=body, headers=dict(headers or {}))


def bad_gateway() -> Answer:
    """GitHub's 502 is a page, not JSON."""
    return Answer(
        status=502, body=b"<html><title>Unicorn!</title></html>", headers={"Content-Type": "text/html"}
    )


def secondary_rate_limit(*, retry_after_s: int | None = 60, status: int = 403) -> Answer:
    headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return error(
        status,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        headers,
    )


def primary_rate_limit(*, reset_at: int, status: int = 403) -> Answer:
    """`reset_at` in seconds since 1970."""
    headers = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-used": "5000"}
    headers |= {"x-ratelimit-reset": str(reset_at), "x-ratelimit-resource": "core"}
    return error(status, "API rate limit exceeded for installation ID 1.", headers)
