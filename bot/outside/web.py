"""One HTTPS request to a public host, sent once, to the very address that was looked at.

A name that leads to this machine or to its network is refused, whatever name server says so, and so is a
redirect to anywhere else.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urljoin

from bot import __version__
from bot.dataclass import dataclass
from bot.errors import OutcomeUnknown, ToolFailed
from bot.tools.http_request import address

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

_MOST_REDIRECTS: Final = 3
_MOST_BYTES: Final = 1_000_000


def addresses_of(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def is_public(spelled: str) -> bool:
    """Whether it is an address of the whole internet's, and none that carries another one inside."""
    number = ipaddress.ip_address(spelled.partition("%")[0])
    if isinstance(number, ipaddress.IPv6Address):
        carries = number.ipv4_mapped or any(number in network for network in _CARRYING)
        return number.is_global and not number.is_multicast and not carries
    return number.is_global and not number.is_multicast


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicWeb:
    """`timeout_s` holds for the whole of one request."""

    resolve: Callable[[str, int], Sequence[str]] = addresses_of
    is_public: Callable[[str], bool] = is_public
    trust: ssl.SSLContext | None = None
    timeout_s: float = 30.0

    def send(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> str:
        """What the server said of it, in a few words: its text is nobody's to show."""
        where = address(url)
        for _ in range(_MOST_REDIRECTS + 1):
            status, location = self._once(method, where, headers, body)
            if location is None or method not in {"GET", "HEAD"} or status not in _REDIRECTS:
                return _told(status)
            onward = address(urljoin(where.geturl(), location))
            if (onward.hostname, onward.port) != (where.hostname, where.port):
                return f"status {status}; the redirect to another host was not followed"
            where = onward
        raise ToolFailed(f"redirected more than {_MOST_REDIRECTS} times")

    def _once(
        self, method: str, where: SplitResult, headers: Mapping[str, str], body: str | None
    ) -> tuple[int, str | None]:
        import urllib3

        host, port = str(where.hostname), where.port or 443
        pool = urllib3.HTTPSConnectionPool(
            self._address(host, port),
            port,
            server_hostname=host,
            assert_hostname=host,
            ssl_context=self.trust,
            timeout=urllib3.Timeout(connect=10, read=self.timeout_s),
            retries=False,
        )
        own = {"Host": where.netloc, "User-Agent": f"dryrun-bot/{__version__}"}
        path = (where.path or "/") + (f"?{where.query}" if where.query else "")
        errors = urllib3.exceptions
        try:
            answer = pool.urlopen(
                method,
                path,
                body=None if body is None else body.encode(),
                headers={**headers, **own},
                redirect=False,
                assert_same_host=False,
                preload_content=False,
            )
            self._drain(answer)
        except (errors.NewConnectionError, errors.ConnectTimeoutError, errors.SSLError) as error:
            raise ToolFailed(f"{host} can't be reached: {_short(error)}") from error
        except (errors.HTTPError, OSError) as error:
            raise OutcomeUnknown(f"{host} gave no whole answer: {_short(error)}") from error
        finally:
            pool.close()
        return answer.status, answer.headers.get("location")

    def _address(self, host: str, port: int) -> str:
        """One of its addresses; all of them have to be public, or somebody is playing with the name."""
        try:
            found = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise ToolFailed(f"there is no host {host}: {error}") from error
        if not found or not all(map(self.is_public, found)):
            raise ToolFailed(f"{host} leads to an address that is not public")
        return found[0]

    def _drain(self, answer: "BaseHTTPResponse") -> None:
        """To the end, for a server that is cut off may undo its work; but not for ever."""
        ends, left = time.monotonic() + self.timeout_s, _MOST_BYTES
        for piece in answer.stream(16_384):
            left -= len(piece)
            if left < 0 or time.monotonic() > ends:
                return


def _told(status: int) -> str:
    if status >= 500:
        raise OutcomeUnknown(f"the server answered with status {status}")
    if status >= 400:
        raise ToolFailed(f"the server refused it: status {status}")
    return f"status {status}"


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_CARRYING: Final = tuple(ipaddress.ip_network(one) for one in ("64:ff9b::/96", "2001::/32", "2002::/16"))
