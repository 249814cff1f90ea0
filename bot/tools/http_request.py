"""One request to a host that the policy lists. A rehearsal looks at the address and asks nobody.

Not even a name server: with a listed `*.example.com`, a name alone could carry something out.
"""

import re
from typing import Annotated, Final, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import Field

from bot.action import Kind
from bot.errors import ToolFailed
from bot.tools.tool import Arguments, Stage, Tool

_MOST_BODY: Final = 100_000
# What decides where a request goes, or whose it is, is not the agent's to say.
_OURS: Final = frozenset(
    "host content-length transfer-encoding connection upgrade te trailer expect proxy-authorization "
    "proxy-connection forwarded x-forwarded-for x-forwarded-host cookie".split()
)


class HttpRequest(Arguments):
    url: Annotated[str, Field(min_length=1, max_length=2_000)] = Field(
        description="https://, a host that the repository's policy lists, and a path."
    )
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    headers: Annotated[dict[str, str], Field(max_length=20)] = Field(default_factory=dict)
    body: Annotated[str, Field(max_length=_MOST_BODY)] | None = None


def address(url: str) -> SplitResult:
    """Raises ToolFailed, with what is wrong, for what two readers could take for two addresses."""
    if not _PLAIN.fullmatch(url):
        raise ToolFailed("the url holds characters that no address has: write them as %XX")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ToolFailed(f"the url is no address: {error}") from error
    if parts.scheme != "https":
        raise ToolFailed("the url must begin with https://")
    if "@" in parts.netloc:
        raise ToolFailed("the url must hold no user name or password")
    if not parts.hostname or not _HOST.fullmatch(parts.hostname):
        raise ToolFailed("the url has no host's name in plain letters")
    if port == 0:
        raise ToolFailed("the url has port 0, where nobody is")
    return parts


def _check(arguments: HttpRequest) -> None:
    address(arguments.url)
    if arguments.method in {"GET", "HEAD"} and arguments.body is not None:
        raise ToolFailed(f"a {arguments.method} has no body")
    for name, value in arguments.headers.items():
        if not _HEADER.fullmatch(name) or not _VALUE.fullmatch(value):
            raise ToolFailed(f"{name!r} is no header that can be sent")
        if name.lower() in _OURS:
            raise ToolFailed(f"the header {name} is not yours to set")


def _simulate(arguments: HttpRequest, _: Stage) -> str:
    _check(arguments)
    return f"{arguments.method} {arguments.url} was not sent: what it would answer is not known."


def _execute(arguments: HttpRequest, stage: Stage) -> str:
    _check(arguments)
    if stage.web is None:
        raise ToolFailed("requests can't be sent here")
    return stage.web.send(arguments.method, arguments.url, arguments.headers, arguments.body)


_PLAIN: Final = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", re.IGNORECASE)
_HEADER: Final = re.compile(r"[A-Za-z0-9-]{1,60}")
_VALUE: Final = re.compile(r"[\x20-\x7e]{0,1000}")

HTTP_REQUEST: Final = Tool(
    name="http_request",
    kind=Kind.EXTERNAL,
    description="Send one HTTPS request to a host that the repository's policy lists.",
    arguments=HttpRequest,
    execute=_execute,
    simulate=_simulate,
    after_commit=True,
)
