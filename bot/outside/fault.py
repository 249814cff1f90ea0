"""What went wrong with one request to GitHub, told apart by what can be done about it.

Every exception of PyGithub, of requests and of a parser of answers becomes a Fault, and only that leaves.
"""

from collections.abc import Mapping
from enum import Enum, auto

from bot.dataclass import dataclass
from bot.sentence import Sentence


class Kind(Enum):
    """`SERVER` is GitHub's trouble or a lost connection: it may pass, and the effect may have happened."""

    SERVER = auto()
    LIMITED = auto()
    TOKEN = auto()
    FORBIDDEN = auto()
    MISSING = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """`status` is None where no answer came; `message` is untrusted; `wait_s` is what GitHub asks to wait."""

    kind: Kind
    status: int | None
    message: str
    wait_s: float = 0.0

    @property
    def told(self) -> Sentence:
        """What came back, for a bracket behind what could not be done."""
        if self.status is None:
            return Sentence("no answer: %(message)s" if self.message else "no answer", message=self.message)
        return Sentence(
            "status %(status)s: %(message)s" if self.message else "status %(status)s",
            status=self.status,
            message=self.message,
        )

    def __str__(self) -> str:
        return str(self.told)


def broken_requests() -> tuple[type[Exception], ...]:
    """What a request can raise. PyGithub asserts and looks into answers that it takes to be well-formed.

    A function, for the two clients are imported late.
    """
    import requests
    import urllib3
    from github import GithubException

    return (
        GithubException,
        requests.RequestException,
        urllib3.exceptions.HTTPError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        OSError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
    )


def fault_of(error: Exception, *, now: float) -> Fault:
    """`now` is in seconds since 1970, for GitHub names the moment at which a limit ends."""
    from github import GithubException

    if isinstance(error, GithubException):
        headers = {name.lower(): str(value) for name, value in (error.headers or {}).items()}
        return _answered(error.status, _message(error.data), headers, now=now)
    return Fault(kind=Kind.SERVER, status=None, message=_short(f"{type(error).__name__}: {error}"))


def graphql_fault(errors: object) -> Fault:
    """GraphQL answers 200 and says what is wrong in `errors`."""
    first = errors[0] if isinstance(errors, list) and errors else {}
    fields = first if isinstance(first, Mapping) else {}
    message = _short(str(fields.get("message", "")))
    match fields.get("type"):
        case "RATE_LIMITED":
            return Fault(kind=Kind.LIMITED, status=200, message=message, wait_s=_UNSAID_WAIT_S)
        case "FORBIDDEN" | "INSUFFICIENT_SCOPES":
            return Fault(kind=Kind.FORBIDDEN, status=200, message=message)
        case "NOT_FOUND":
            return Fault(kind=Kind.MISSING, status=200, message=message)
        case _ if message.startswith("Something went wrong while executing your query"):
            return Fault(kind=Kind.SERVER, status=200, message=message)
        case _:
            return Fault(kind=Kind.REFUSED, status=200, message=message)


# GitHub's advice where a secondary limit comes without a Retry-After: at least a minute.
_UNSAID_WAIT_S = 60.0


def _answered(status: int, message: str, headers: Mapping[str, str], *, now: float) -> Fault:
    limited = status in {403, 429} and (
        status == 429
        or "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in message.lower()
    )
    if limited:
        return Fault(kind=Kind.LIMITED, status=status, message=message, wait_s=_wait_s(headers, now=now))
    kinds = {401: Kind.TOKEN, 403: Kind.FORBIDDEN, 404: Kind.MISSING, 410: Kind.MISSING}
    if status >= 500 or status == 408:
        return Fault(kind=Kind.SERVER, status=status, message=message, wait_s=_number(headers, "retry-after"))
    return Fault(kind=kinds.get(status, Kind.REFUSED), status=status, message=message)


def _wait_s(headers: Mapping[str, str], *, now: float) -> float:
    if "retry-after" in headers:
        return _number(headers, "retry-after") or _UNSAID_WAIT_S
    if headers.get("x-ratelimit-remaining") == "0" and "x-ratelimit-reset" in headers:
        # One second more: nobody knows when in that second the limit ends.
        return max(_number(headers, "x-ratelimit-reset") - now, 0) + 1
    return _UNSAID_WAIT_S


def _number(headers: Mapping[str, str], name: str) -> float:
    value = headers.get(name, "")
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _message(data: object) -> str:
    if not isinstance(data, Mapping):
        return ""
    message = str(data.get("message") or "")
    errors = data.get("errors")
    details = (
        [error.get("message") for error in errors if isinstance(error, Mapping)]
        if isinstance(errors, list)
        else []
    )
    return _short("; ".join([message, *(str(detail) for detail in details if detail)]))


def _short(message: str) -> str:
    return " ".join(message.split())[:300]
