"""What is done on a pull request after its plan's commit: comment, labels, reviewers, issue, workflow run.

What would have its effect twice is sent once: where GitHub's answer was lost, nobody can tell, and says so.
The agent's words are made inert here, whatever they are.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, TypeVar

from bot.dataclass import dataclass
from bot.errors import GitHubFailed, OutcomeUnknown, ToolFailed
from bot.outside.answers import CommentAnswer, IssueAnswer, LabelAnswer, RepositoryAnswer, WorkflowAnswer
from bot.outside.fault import Fault, Kind
from bot.outside.github import GitHubRepository
from bot.outside.rest import Request, Rest, github_failed, path_of
from bot.pull_request import PullRequest
from bot.render.inert import quoted, said
from bot.sentence import Sentence
from bot.world import Workflow

T = TypeVar("T")
_FOLDER: Final = ".github/workflows"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubLookout:
    """Reads alone. `at` is the default branch's commit that the rules were read from.

    `labels` holds the repository's labels, folded as GitHub compares them, once they were asked for.
    """

    repository: GitHubRepository
    pull_request: PullRequest
    at: str
    labels: set[str] = field(default_factory=set)

    @property
    def author(self) -> str:
        return self.pull_request.author.login

    def has_label(self, name: str) -> bool:
        if not self.labels:
            # Not by its name: one with slashes or points would be another address.
            request = Request(
                what=Sentence("list the labels"),
                permission="issues: read",
                path=self.repository.root + path_of("labels"),
            )
            self.labels.update(
                label.name.casefold() for label in self.repository.door.pages(request, LabelAnswer)
            )
        return name.casefold() in self.labels

    def is_collaborator(self, login: str) -> bool:
        request = Request(
            what=Sentence("tell whether %(login)s is a collaborator", login=repr(login)),
            permission="metadata: read",
            path=self.repository.root + path_of("collaborators", login),
        )
        found = self.repository.door.settle(request, object)
        if isinstance(found, Fault) and found.kind is not Kind.MISSING:
            raise github_failed(request, found)
        return not isinstance(found, Fault)

    def has_issues(self) -> bool:
        request = Request(
            what=Sentence("read the repository"), permission="metadata: read", path=self.repository.root
        )
        return self.repository.door.ask(request, RepositoryAnswer).has_issues

    def workflow(self, file: str) -> Workflow | None:
        request = Request(
            what=Sentence("read the workflow %(file)s", file=repr(file)),
            permission="actions: read",
            path=self.repository.root + path_of("actions", "workflows", file),
        )
        found = self.repository.door.settle(request, WorkflowAnswer)
        if isinstance(found, Fault):
            if found.kind is Kind.MISSING:
                return None
            raise github_failed(request, found)
        text = self.repository.file(f"{_FOLDER}/{file}", at=self.at)
        return Workflow(is_active=found.state == "active", file=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubDesk(GitHubLookout):
    """The same, with hands."""

    def comment(self, body: str) -> str:
        # Hidden, and known to nobody before: by it a comment is found again whose answer was lost.
        name = f"<!-- dryrun-bot-step/1 {secrets.token_hex(16)} -->"
        request = self._request(
            Sentence("comment"), "pull-requests: write", "issues", self._number, "comments"
        )
        request = replace(request, body={"body": f"{name}\n{said(body, 20_000)}"})

        def look() -> CommentAnswer | None:
            comments = self._once.pages(replace(request, verb="GET", body=None), CommentAnswer)
            return next((one for one in comments if name in (one.body or "")), None)

        return self._sent(request, CommentAnswer, look=look).html_url

    def add_labels(self, names: Sequence[str]) -> str:
        request = self._request(Sentence("add labels"), "issues: write", "issues", self._number, "labels")
        self._repeatable(replace(request, body={"labels": list(names)}))
        return f"added {', '.join(names)}"

    def request_reviewers(self, logins: Sequence[str]) -> str:
        request = self._request(
            Sentence("ask for reviews"), "pull-requests: write", "pulls", self._number, "requested_reviewers"
        )
        self._repeatable(replace(request, body={"reviewers": list(logins)}))
        return f"asked {', '.join(logins)}"

    def create_issue(self, title: str, body: str, labels: Sequence[str]) -> str:
        request = self._request(Sentence("open an issue"), "issues: write", "issues")
        text = f"{said(body, 20_000)}\n\n" if body.strip() else ""
        request = replace(
            request,
            body={
                "title": quoted(title, 256),
                "body": f"{text}From pull request #{self._number}.",
                "labels": list(labels),
            },
        )
        return self._sent(request, IssueAnswer).html_url

    def dispatch_workflow(self, file: str, inputs: Mapping[str, str]) -> str:
        branch = self.repository.default_branch()
        request = self._request(
            Sentence("start %(file)s", file=file),
            "actions: write",
            "actions",
            "workflows",
            file,
            "dispatches",
        )
        self._sent(replace(request, body={"ref": branch, "inputs": dict(inputs)}), object)
        return f"started on {branch}"

    @property
    def _number(self) -> int:
        return self.pull_request.number

    @property
    def _once(self) -> Rest:
        """Waits for a limit to end, since nothing was done then; after a lost answer it gives up."""
        door = self.repository.door
        return replace(door, patience=replace(door.patience, tries=1))

    def _request(self, what: Sentence, permission: str, *path: str | int) -> Request:
        return Request(
            what=what, permission=permission, verb="POST", path=self.repository.root + path_of(*path)
        )

    def _repeatable(self, request: Request) -> None:
        answer = self.repository.door.settle(request, object)
        if isinstance(answer, Fault):
            raise _failed(request, answer)

    def _sent(self, request: Request, shape: type[T], *, look: Callable[[], T | None] = lambda: None) -> T:
        try:
            answer = self._once.settle(request, shape, look=look)
        except GitHubFailed as failed:
            # Only the look can fail so: the request was sent, and its answer lost.
            raise OutcomeUnknown(failed.what) from failed
        if isinstance(answer, Fault):
            raise _failed(request, answer)
        return answer


def _failed(request: Request, fault: Fault) -> ToolFailed:
    what = github_failed(request, fault).what
    return OutcomeUnknown(what) if fault.kind is Kind.SERVER else ToolFailed(what)
