"""One request to GitHub and its answer: quoted, paged, waited for, and told in words when it fails.

PyGithub's Requester sends, and its objects are left alone: they complete themselves with further requests,
and trust answers that are checked here. Nothing is sent twice that could have its effect twice: see `look`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar
from urllib.parse import quote

from pydantic import TypeAdapter

from bot import __version__
from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import GitHubFailed, GitHubForbade
from bot.outside.fault import Fault, Kind, broken_requests, fault_of, graphql_fault
from bot.outside.patience import Patience
from bot.sentence import Sentence
from bot.settings import Secret

if TYPE_CHECKING:
    from github.Requester import Requester

T = TypeVar("T")
L = TypeVar("L")

_Read: TypeAlias = Callable[[Mapping[str, Any], Any], T]

PAGE: Final = 100
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`what` completes "GitHub could not ..."; `permission` is the line that a workflow needs for it.

    `has_parts`: of GraphQL's answer the errors of single fields are wanted too, so all of it is read.
    """

    what: Sentence
    permission: str
    verb: str = "GET"
    path: str
    query: Mapping[str, str | int] = field(default_factory=dict)
    body: Mapping[str, Json] | None = None
    is_new: bool = False
    has_parts: bool = False


def _nowhere() -> None:
    """For a request that may simply be sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """GitHub over HTTP, with one token."""

    requester: "Requester"
    patience: Patience

    def ask(self, request: Request, shape: type[T]) -> T:
        """The answer in `shape`. Raises GitHubFailed: what was asked, what came back, and the next step."""
        answer = self.settle(request, shape)
        if isinstance(answer, Fault):
            raise github_failed(request, answer)
        return answer

    def settle(
        self, request: Request, shape: type[T], *, look: Callable[[], L | None] = _nowhere
    ) -> T | L | Fault:
        """The answer, or the fault that was left after all patience.

        `look` says whether the effect is there already: asked whenever an answer was lost, and then the
        request is not sent again.
        """
        adapter = TypeAdapter(shape)
        return self._patiently(request, lambda _, answer: adapter.validate_python(answer), look=look)

    def redirect(self, request: Request) -> str | Fault:
        """Where GitHub sends us on to. The address is not visited: it may be another host's."""
        return self._patiently(request, lambda headers, _: str(headers["location"]), look=_nowhere)

    def pages(self, request: Request, item: type[T], *, most: int | None = None) -> Iterator[T]:
        """Every item of a listing, page after page, fetched as far as they are taken."""
        page, taken, size = 1, 0, min(PAGE, most or PAGE)
        while True:
            query = {**request.query, "per_page": size, "page": page}
            items = self.ask(replace(request, query=query), list[item])  # type: ignore[valid-type]
            yield from items[: None if most is None else most - taken]
            taken += len(items)
            if len(items) < size or (most is not None and taken >= most):
                return
            page += 1

    def _patiently(self, request: Request, read: _Read[T], *, look: Callable[[], L | None]) -> T | L | Fault:
        waited_s, tries = 0.0, 0
        while True:
            answer = self._once(request, read)
            if not isinstance(answer, Fault):
                return answer
            tries += 1
            pause_s = self.patience.pause_s(answer, tries=tries, waited_s=waited_s, is_new=request.is_new)
            if pause_s is not None:
                self.patience.sleep(pause_s)
                waited_s += pause_s
            if answer.kind is Kind.SERVER and (found := look()) is not None:
                return found
            if pause_s is None:
                return answer

    def _once(self, request: Request, read: _Read[T]) -> T | Fault:
        broken = broken_requests()
        try:
            headers, answer = self.requester.requestJsonAndCheck(
                request.verb, request.path, parameters=dict(request.query), input=request.body
            )
            if request.path == self.requester.graphql_url:
                if answer.get("errors") and not (request.has_parts and _is_in_parts(answer)):
                    return graphql_fault(answer["errors"])
                answer = answer if request.has_parts else answer["data"]
            return read(headers, answer)
        except broken as error:
            return fault_of(error, now=self.patience.now())

    def graphql(
        self, what: Sentence, document: str, variables: Mapping[str, Json], *, permission: str
    ) -> Request:
        """A request for GitHub's GraphQL door; its answer is the `data`."""
        return Request(
            what=what,
            permission=permission,
            verb="POST",
            path=self.requester.graphql_url,
            body={"query": document, "variables": variables},
        )


def _is_in_parts(answer: Mapping[str, Any]) -> bool:
    """Whether each error says which field of the document it is of: the other fields were answered."""
    data, paths = answer.get("data"), [error.get("path") for error in answer["errors"]]
    return isinstance(data, dict) and all(isinstance(path, list) and path[:1] for path in paths)


def rest(token: Secret, *, api_url: str, patience: Patience | None = None) -> Rest:
    """Raises GitHubFailed for a token that no header can carry: the client would say it in its error."""
    import github

    if not _TOKEN.fullmatch(token.reveal()):
        raise GitHubFailed(
            "The token for GitHub is empty, or holds a space, a line break or a letter that none has",
            next_step="set it again, and nothing else with it",
        )
    client = github.Github(
        auth=github.Auth.Token(token.reveal()),
        base_url=api_url,
        user_agent=f"dryrun-bot/{__version__}",
        timeout=30,
        # Waiting and trying again is Patience's: PyGithub's own retries repeat a POST without a look.
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
        api_version="2022-11-28",
    )
    return Rest(requester=client.requester, patience=patience or Patience())


def path_of(*segments: str | int) -> str:
    """`/a/b/c`, each segment quoted, those with `/` in them (branches, files) part by part.

    Raises GitHubFailed for `.`, `..` and empty parts: an HTTP client would resolve them to another address.
    """
    parts = [part for segment in segments for part in str(segment).split("/")]
    if any(part in {"", ".", ".."} for part in parts):
        raise GitHubFailed(
            "GitHub can't be asked for %(parts)s: a part of it is empty, or made of dots",
            parts=repr("/".join(parts)),
            next_step="correct the name, if it stands in the configuration",
        )
    # What is not Unicode is no name that GitHub has: it becomes one that it doesn't have either.
    return "".join("/" + quote(part, safe="", errors="replace") for part in parts)


def github_failed(request: Request, fault: Fault) -> GitHubFailed:
    kind = GitHubForbade if fault.kind is Kind.FORBIDDEN else GitHubFailed
    what = Sentence("GitHub could not %(what)s (%(fault)s)", what=request.what, fault=fault.told)
    return kind(what, next_step=_next_step(request, fault))


def _next_step(request: Request, fault: Fault) -> Sentence:
    match fault.kind:
        case Kind.TOKEN:
            return Sentence(
                "check the token in GITHUB_TOKEN: it is wrong, or has expired as a job's does with the job"
            )
        case Kind.FORBIDDEN:
            return Sentence(
                "give the job `%(permission)s` under `permissions:`; but a run for a fork's "
                "pull_request event gets a token that can only read",
                permission=request.permission,
            )
        case Kind.MISSING:
            return Sentence(
                "check that it still exists and that the token may see it (`%(permission)s`)",
                permission=request.permission,
            )
        case Kind.LIMITED:
            return Sentence(
                "wait %(limit)s seconds for GitHub's rate limit to end, and run the job again",
                limit=f"{fault.wait_s:.0f}",
            )
        case Kind.SERVER:
            return Sentence(
                "run the job again in a few minutes; https://www.githubstatus.com tells how GitHub is"
            )
        case Kind.REFUSED:
            return Sentence("read GitHub's message, and run the job again once its cause is gone")
