"""One request as a handler meets it, and what it may answer.

Who may do what is decided here, before a handler runs.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cache
from typing import Any, TypeAlias
from urllib.parse import unquote, urlencode

from bot.dataclass import dataclass
from bot.demo.github.state import Account, Issue, Repository, State, Token

Body: TypeAlias = "dict[str, Any] | list[Any] | bytes | None"

_DOCS = "https://docs.github.com/rest"
_PER_PAGE, _MOST_PER_PAGE = 30, 100


class Refused(Exception):
    """An error answer in GitHub's own words and shape."""

    def __init__(self, status: int, message: str, errors: Sequence[object] = ()) -> None:
        super().__init__(message)
        body: dict[str, object] = {"message": message}
        if errors:
            body["errors"] = list(errors)
        self.answer = Answer(status=status, body=body | {"documentation_url": _DOCS, "status": str(status)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`body` is JSON, or bytes as they are, or None for no body at all."""

    status: int = 200
    body: Body = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Urls:
    """Where this server is: `api` with the prefix the client used, `html` as a browser has it."""

    api: str
    html: str

    def repository(self, repository: Repository) -> str:
        return f"{self.api}/repos/{repository.full_name}"

    def page(self, repository: Repository) -> str:
        return f"{self.html}/{repository.full_name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    state: State
    token: Token | None
    urls: Urls
    method: str
    path: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    raw: bytes = b""
    parts: Mapping[str, str] = field(default_factory=dict)

    @property
    def account(self) -> Account:
        if self.token is None:
            raise Refused(401, "Requires authentication")
        return self.token.account

    @property
    def repository(self) -> Repository:
        found = self.state.repository(f"{self.parts['owner']}/{self.parts['repo']}")
        if found is None or not self.sees(found):
            raise Refused(404, "Not Found")
        return found

    def sees(self, repository: Repository) -> bool:
        return self.token.sees(repository) if self.token else not repository.private

    @property
    def issue(self) -> Issue:
        found = self.repository.issues.get(self.number("number"))
        if found is None:
            raise Refused(404, "Not Found")
        return found

    def number(self, part: str) -> int:
        text = self.parts[part]
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise Refused(404, "Not Found")
        return int(text)

    def field(self, name: str, kind: type | tuple[type, ...] = str, *, needed: bool = False) -> Any:  # noqa: ANN401 - JSON of that kind
        """One field of the JSON body. A wrong type is GitHub's 422, as is a missing field that is needed."""
        if not isinstance(self.body, dict):
            raise Refused(422, "Invalid request.\n\nFor 'links/0/schema', nil is not an object.")
        value = self.body.get(name)
        if value is None and needed:
            raise Refused(422, f'Invalid request.\n\n"{name}" wasn\'t supplied.')
        is_wrong_bool = isinstance(value, bool) and kind is not bool
        if value is not None and (is_wrong_bool or not isinstance(value, kind)):
            wanted = kind.__name__ if isinstance(kind, type) else "/".join(one.__name__ for one in kind)
            raise Refused(422, f"Invalid request.\n\nFor 'properties/{name}', {value!r} is not a {wanted}.")
        return value

    def paged(self, items: Sequence[Any], *, key: str | None = None) -> Answer:
        """A page of a list, with GitHub's Link header; with `key` wrapped and counted, as some lists are."""
        size = min(max(_whole(self.query.get("per_page"), _PER_PAGE), 1), _MOST_PER_PAGE)
        page = max(_whole(self.query.get("page"), 1), 1)
        last = max(-(-len(items) // size), 1)
        turns = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = {"next", "last"} if page < last else set()
        wanted |= {"prev", "first"} if page > 1 else set()
        links = [
            f'<{self.urls.api}{self.path}?{urlencode(dict(self.query) | {"page": str(number)})}>; rel="{rel}"'
            for rel, number in turns.items()
            if rel in wanted
        ]
        shown = list(items[(page - 1) * size : page * size])
        body: Body = {"total_count": len(items), key: shown} if key else shown
        return Answer(body=body, headers={"Link": ", ".join(links)} if links else {})


def grants(permissions: Mapping[str, str], need: str) -> bool:
    """Whether a workflow's token has what `need` says, such as contents:write."""
    name, _, level = need.partition(":")
    held = "read" if name == "metadata" else permissions.get(name, "none")
    return held in ("write", level)


@dataclass(frozen=True, slots=True)
class Route:
    """`{name}` is one part of the path, `{name+}` any number of them.

    A workflow's token needs one of `needs` ("contents:write"); a person needs `role` on the repository.
    """

    method: str
    path: str
    handler: Callable[[Call], Answer]
    _: KW_ONLY
    needs: tuple[str, ...] = ("metadata:read",)
    role: str = "read"

    def matches(self, method: str, path: str) -> Mapping[str, str] | None:
        found = _pattern(self.path).fullmatch(path) if method == self.method else None
        return {name: unquote(text) for name, text in found.groupdict().items()} if found else None

    def answer(self, call: Call, parts: Mapping[str, str]) -> Answer:
        call = replace(call, parts=parts)
        if "repo" in parts:
            self._admit(call)
        return self.handler(call)

    def _admit(self, call: Call) -> None:
        repository, token = call.repository, call.token
        if token is None:
            if self.method != "GET":
                raise Refused(401, "Requires authentication")
            return
        if token.permissions is None:
            is_lent = self.role == "write" and call.state.lent_branches(token.account, repository)
            if not (repository.reaches(token.account, self.role) or is_lent):
                raise Refused(403 if not repository.private else 404, "Must have push access to repository")
            return
        is_elsewhere = not token.is_for(repository)
        if is_elsewhere and self.method == "GET" and not repository.private:
            return
        if is_elsewhere or not any(grants(token.permissions, need) for need in self.needs):
            raise Refused(403, "Resource not accessible by integration")


@cache
def _pattern(path: str) -> re.Pattern[str]:
    """Of a route's path: a hundred routes are tried for a request."""
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", re.sub(r"\{(\w+)\+\}", r"(?P<\1>.+)", path)))


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"[0-9]{1,9}", text) else default
