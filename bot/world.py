"""The outside as our code sees it: Protocols only. The outside itself is in `outside/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from bot.dataclass import dataclass

if TYPE_CHECKING:
    from bot.action import Call, Json
    from bot.cost import Usage
    from bot.plan import Plan, Step
    from bot.pull_request import Account, Comment, Commit, Opening, PullRequest, Standing, Tip
    from bot.transcript import Transcript
    from bot.workspace import Change, Entry


class Clock(Protocol):
    """`now` is UTC in whole seconds; `elapsed_s` never goes back."""

    def now(self) -> datetime: ...
    def elapsed_s(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer of the model: text, or calls, or both.

    `finish` is the server's finish_reason, or "refusal". `is_estimated`: the server counted no tokens, and
    `usage` is on the high side. `lost` are earlier tries for it, not in `usage`, whose answers never came
    whole: they may have been paid for.
    """

    text: str
    calls: tuple[Call, ...]
    usage: Usage
    finish: str
    is_estimated: bool = False
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The most that one answer may take; None where nothing bounds it.

    `seconds` are for all tries together; after more than `spare` of them were lost, none may follow.
    """

    tokens: int | None = None
    seconds: float | None = None
    spare: int | None = None


AMPLE: Final = Room()


class Llm(Protocol):
    """A chat model with tools. Raises ModelFailed when there is no answer to work with."""

    @property
    def model(self) -> str: ...
    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn: ...


Stopped = Literal["time", "memory", "written", "processes", "output"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command did. `exit_code` is None when it was stopped: its time was over, or it used too much.

    `unconfined` is what the machine could not confine, where the configuration lets it run all the same.
    """

    exit_code: int | None
    output: str
    stopped_by: Stopped | None = None
    unconfined: str | None = None


class Shell(Protocol):
    """Runs a command line confined to a folder: no token, no network, no writing outside it.

    `folder` makes such a folder, for as long as it is needed. Raises NoSandbox where that can't be promised;
    a `lenient` one runs the command all the same, with as much of it as there is.
    """

    def folder(self) -> AbstractContextManager[Path]: ...
    def lenient(self) -> Shell: ...
    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran: ...


class Person(Protocol):
    """Somebody at a terminal, who is asked before a step of a live run counts.

    Asked about a command, they haven't seen what it does; if it changed files, they are asked again, with
    the step's effects.
    """

    def agrees(self, step: Step) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """One of the default branch. `file` is its text; a workflow that is turned off is not active."""

    is_active: bool
    file: bytes | None


class Lookout(Protocol):
    """What may be asked of a pull request and its repository before something is done there.

    `author` is a login. Everything raises GitHubFailed when there is no answer.
    """

    @property
    def author(self) -> str: ...
    def has_label(self, name: str) -> bool: ...
    def is_collaborator(self, login: str) -> bool: ...
    def has_issues(self) -> bool: ...
    def workflow(self, file: str) -> Workflow | None: ...


class Desk(Lookout, Protocol):
    """What may be done there. Raises ToolFailed when it was refused, OutcomeUnknown when nobody can tell."""

    def comment(self, body: str) -> str: ...
    def add_labels(self, names: Sequence[str]) -> str: ...
    def request_reviewers(self, logins: Sequence[str]) -> str: ...
    def create_issue(self, title: str, body: str, labels: Sequence[str]) -> str: ...
    def dispatch_workflow(self, file: str, inputs: Mapping[str, str]) -> str: ...


class Web(Protocol):
    """One request to a public host. Raises ToolFailed and OutcomeUnknown as a `Desk` does."""

    def send(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Beyond:
    """What lies beyond the files."""

    desk: Desk
    web: Web


class Archive(Protocol):
    """Where plan records and transcripts are kept before anything is posted."""

    def keep(self, plan: Plan) -> Path: ...
    def keep_patch(self, plan: Plan, patch: str) -> Path: ...
    def transcript(self, name: str, **facts: object) -> Transcript: ...


class Relay(Protocol):
    """What one job of a workflow leaves for the next: `leave` here, `find` there; None where nothing is."""

    def leave(self, record: bytes) -> None: ...
    def find(self) -> bytes | None: ...


Reaction = Literal["+1", "-1", "eyes", "rocket", "confused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted:
    """`comment` is the comment's node id, here and below."""

    comment: str
    reaction: Reaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Put away as outdated."""

    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded:
    """One of the bot's own comments, of which nothing changes that people see."""

    comment: str
    body: str


Courtesy: TypeAlias = Reacted | Folded | Reworded
Conclusion = Literal["success", "neutral", "failure", "action_required"]


class Repository(Protocol):
    """GitHub, for one repository. Everything raises GitHubFailed when there is no answer.

    `at`, `tip` and the like speak of full 40-digit commit names. `other` is the same door to another
    repository, `organisations` the one to where an organisation keeps its policy, with a token of its own.
    `be_courteous` tells of each courtesy whether it could be shown, and never fails.
    """

    @property
    def name(self) -> str: ...
    def other(self, name: str) -> Repository: ...
    def organisations(self, name: str) -> Repository: ...

    def me(self) -> Account: ...
    def standing(self, login: str, *, teams: Sequence[str] = ()) -> Standing: ...
    def opening(self, number: int, *, path: str) -> Opening: ...
    def pull_request(self, number: int) -> PullRequest: ...
    def changed_paths(self, number: int) -> Sequence[str]: ...
    def default_branch(self) -> str: ...
    def tips(self, branches: Sequence[str], *, path: str) -> Mapping[str, Tip]: ...
    def tip(self, branch: str) -> str: ...
    def file(self, path: str, *, at: str) -> bytes | None: ...
    def tree(self, commit: str) -> Mapping[str, Entry]: ...
    def blob(self, sha: str) -> bytes: ...
    def commit(self, sha: str) -> Commit: ...
    def commits(self, branch: str, *, most: int) -> Sequence[Commit]: ...

    def comments(self, number: int) -> Iterable[Comment]: ...
    def comment(self, number: int, body: str) -> Comment: ...
    def edit_comment(self, comment_id: int, body: str) -> Comment: ...
    def editor(self, comment: Comment) -> Account | None: ...
    def be_courteous(self, courtesies: Sequence[Courtesy]) -> Sequence[bool]: ...
    def check(self, sha: str, conclusion: Conclusion, *, title: str, summary: str, url: str) -> bool: ...
    def artifacts(self, name: str) -> Iterable[bytes]: ...
    def transcripts(self, *, most: int) -> Iterable[tuple[str, bytes]]: ...

    def make_tree(
        self, *, base_commit: str, changes: Sequence[Change], before: Mapping[str, Entry]
    ) -> str: ...
    def make_commit(self, *, tree: str, parent: str, message: str) -> Commit: ...
    def move_branch(self, branch: str, *, before: str, after: str) -> bool: ...
