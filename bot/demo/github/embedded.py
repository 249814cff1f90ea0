"""GitHub on this machine: a server on loopback over real bare repositories, and the people who use it.

`with GitHub(folder) as github:` starts it; what people do is a method, what a workflow is told is an `Event`.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.demo.github import graphql, smart_http
from bot.demo.github.bare import NO_SHA, Bare, RefUpdate
from bot.demo.github.call import Answer, Call, Urls
from bot.demo.github.misbehaviour import Fault
from bot.demo.github.push import Files, commit_files, merge_commit, push
from bot.demo.github.routes import (
    artifacts,
    checks,
    git_objects,
    issues,
    people,
    pulls,
    repositories,
    workflows,
)
from bot.demo.github.server import Exchange, Hub, Server
from bot.demo.github.state import ROLES, Account, Artifact, Comment, Issue, Repository, State, Token
from bot.demo.github.webhook import (
    Event,
    comment_event,
    dispatch_event,
    pull_request_event,
    workflow_environment,
)

_ROUTES = (
    *(
        route
        for area in (artifacts, checks, git_objects, issues, people, pulls, workflows)
        for route in area.ROUTES
    ),
    *repositories.ROUTES,
    *repositories.LAST_ROUTES,
    *graphql.ROUTES,
    *smart_http.ROUTES,
)
# What a workflow of ours asks for in its `permissions:`.
WORKFLOW_PERMISSIONS: Mapping[str, str] = {
    "actions": "read",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "write",
}


def utc_now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


class GitHub:
    """Repositories live under `folder`, all else in memory. `now` is the server's clock."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = utc_now, port: int = 0) -> None:
        self.folder = folder
        self.state = State(now=now)
        self._hub = Hub(state=self.state, routes=_ROUTES)
        self._server = Server(self._hub, port=port)
        self.actions = Account(id=41898282, login="github-actions[bot]", type="Bot")
        self.state.accounts[self.actions.login] = self.actions

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()
        for repository in self.state.repositories.values():
            repository.bare.close()

    @property
    def url(self) -> str:
        """For GITHUB_API_URL and GITHUB_SERVER_URL alike; GraphQL is at `/graphql` below it."""
        return self._server.url

    @property
    def urls(self) -> Urls:
        return Urls(api=self.url, html=self.url)

    @property
    def log(self) -> list[Exchange]:
        """Every request since the start, or since the list was cleared."""
        return self._hub.log

    def misbehave(self, fault: Fault) -> Fault:
        """Counts requests from now on; `behave` ends it."""
        with self._hub.lock:
            self._hub.faults.append(fault)
        return fault

    def behave(self) -> None:
        with self._hub.lock:
            self._hub.faults.clear()

    # People

    def account(self, login: str, *, type: str = "User") -> Account:  # noqa: A002 - GitHub's word for it
        """The account of this name, made when it is new."""
        found = self.state.account(login)
        if found is None:
            found = Account(id=1000 + len(self.state.accounts), login=login, type=type)
            self.state.accounts[login.lower()] = found
        return found

    def allow(self, repository: Repository, login: str, role: str) -> Account:
        """`role` none takes the collaborator away again."""
        if role not in ROLES:
            raise ValueError(f"{role!r} is none of {ROLES}")
        account = self.account(login)
        repository.roles.pop(login.lower(), None)
        if role != "none":
            repository.roles[login.lower()] = role
        return account

    def token(self, login: str) -> str:
        """A person's: may what the person may."""
        secret = f"ghp_embedded{len(self.state.tokens):028d}"
        self.state.tokens[secret] = Token(account=self.account(login))
        return secret

    def workflow_token(
        self, repository: Repository, permissions: Mapping[str, str] = WORKFLOW_PERMISSIONS
    ) -> str:
        """A GITHUB_TOKEN: acts as github-actions[bot], on one repository, and may what `permissions` say."""
        secret = f"ghs_embedded{len(self.state.tokens):028d}"
        self.state.tokens[secret] = Token(
            account=self.actions, permissions=dict(permissions), repository=repository.full_name
        )
        return secret

    def team(self, org: str, slug: str, members: Iterable[str]) -> None:
        self.state.teams[org.lower(), slug.lower()] = {login.lower() for login in members}

    # Repositories

    def repository(
        self, full_name: str, files: Files, *, private: bool = False, description: str | None = None
    ) -> Repository:
        """A new one with these files in its first commit on main, by its owner."""
        owner, _, name = full_name.partition("/")
        repository = self._new_repository(self.account(owner), name)
        repository.private, repository.description = private, description
        self.push(repository, "main", files, message="Start", by=owner)
        return repository

    def fork(self, parent: Repository, owner: str) -> Repository:
        """All branches of `parent`, in a repository of `owner`."""
        repository = self._new_repository(self.account(owner), parent.name)
        repository.parent, repository.private = parent, parent.private
        repository.bare.git("fetch", "--quiet", str(parent.bare.folder), "+refs/heads/*:refs/heads/*")
        return repository

    def _new_repository(self, owner: Account, name: str) -> Repository:
        now = self.state.now()
        repository = Repository(
            id=self.state.new_id(),
            owner=owner,
            name=name,
            bare=Bare(self.folder / f"{owner.login}/{name}.git").make(),
            created_at=now,
            pushed_at=now,
        )
        self.state.repositories[repository.full_name.lower()] = repository
        return repository

    def remove(self, repository: Repository) -> None:
        """Pull requests from it keep their commits and lose their head repository."""
        with self._hub.lock:
            del self.state.repositories[repository.full_name.lower()]
            repository.bare.close()
            for other in self.state.repositories.values():
                for issue in other.issues.values():
                    if issue.pull and issue.pull.head_repository is repository:
                        issue.pull.head_repository = None
                        issue.closed_at = issue.closed_at or self.state.now()

    def push(
        self,
        repository: Repository,
        branch: str,
        changes: Files,
        *,
        message: str,
        by: str,
        onto: str | None = None,
    ) -> str:
        """One commit with these changes (None deletes) on a branch; with `onto` on that commit, by force."""
        with self._hub.lock:
            tip = onto or repository.branch(branch) or repository.branch(repository.default_branch)
            by_whom = self.account(by)
            sha = commit_files(self.state, repository, changes, parent=tip, message=message, by=by_whom)
            self.move(repository, branch, sha)
        return sha

    def move(self, repository: Repository, branch: str, sha: str | None) -> None:
        """Force a branch to a commit, or delete it, as a force-push does; open pull requests follow."""
        update = RefUpdate(ref=f"refs/heads/{branch}", before=None, after=sha or NO_SHA)
        with self._hub.lock:
            if not push(self.state, repository, [update]):
                raise ValueError(f"git refused to move {branch!r} to {sha}")

    # Pull requests and what is said on them

    def open_pull(
        self,
        repository: Repository,
        head: str,
        *,
        by: str,
        title: str,
        body: str = "",
        base: str = "main",
        draft: bool = False,
    ) -> Issue:
        """`head` is a branch, or `owner:branch` of a fork."""
        sent = {"title": title, "body": body, "head": head, "base": base, "draft": draft}
        made = self._as(by, "POST", f"/repos/{repository.full_name}/pulls", sent)
        return repository.issues[made["number"]]

    def open_issue(self, repository: Repository, *, by: str, title: str, body: str = "") -> Issue:
        sent = {"title": title, "body": body}
        made = self._as(by, "POST", f"/repos/{repository.full_name}/issues", sent)
        return repository.issues[made["number"]]

    def comment(self, repository: Repository, number: int, *, by: str, body: str) -> Comment:
        path = f"/repos/{repository.full_name}/issues/{number}/comments"
        return repository.comments[self._as(by, "POST", path, {"body": body})["id"]]

    def edit_comment(self, repository: Repository, comment: Comment, *, by: str, body: str) -> None:
        self._as(by, "PATCH", f"/repos/{repository.full_name}/issues/comments/{comment.id}", {"body": body})

    def delete_comment(self, repository: Repository, comment: Comment, *, by: str) -> None:
        self._as(by, "DELETE", f"/repos/{repository.full_name}/issues/comments/{comment.id}", None)

    def close(self, repository: Repository, issue: Issue, *, by: str) -> None:
        self._as(by, "PATCH", f"/repos/{repository.full_name}/pulls/{issue.number}", {"state": "closed"})

    def reopen(self, repository: Repository, issue: Issue, *, by: str) -> None:
        self._as(by, "PATCH", f"/repos/{repository.full_name}/pulls/{issue.number}", {"state": "open"})

    def merge(self, repository: Repository, issue: Issue, *, by: str) -> str:
        """With a merge commit; raises ValueError where the branches conflict."""
        with self._hub.lock:
            pull = issue.pull
            ours = repository.branch(pull.base_ref) if pull else None
            if pull is None or ours is None or issue.state == "closed":
                raise ValueError(f"#{issue.number} cannot be merged")
            sha = merge_commit(self.state, repository, ours=ours, theirs=pull.head_sha)
            if sha is None:
                raise ValueError(f"#{issue.number} conflicts with {pull.base_ref}")
            issue.closed_at = pull.merged_at = self.state.now()
            pull.merged_by, pull.merge_commit_sha = self.account(by), sha
            self.move(repository, pull.base_ref, sha)
        return sha

    def upload_artifact(
        self, repository: Repository, name: str, zipped: bytes, *, run_id: int = 1
    ) -> Artifact:
        """As actions/upload-artifact would have, in a run of a workflow."""
        branch = repository.default_branch
        artifact = Artifact(
            id=self.state.new_id(),
            name=name,
            zip=zipped,
            created_at=self.state.now(),
            run_id=run_id,
            head_sha=repository.branch(branch) or NO_SHA,
            head_branch=branch,
        )
        repository.artifacts[artifact.id] = artifact
        return artifact

    def _as(self, login: str, method: str, path: str, body: Mapping[str, Any] | None) -> Any:  # noqa: ANN401 - JSON
        """What the person does through the same routes as everybody, without a line in the log."""
        call = Call(
            state=self.state,
            token=Token(account=self.account(login)),
            urls=self.urls,
            method=method,
            path=path,
            headers={},
            query={},
            body=None if body is None else dict(body),
        )
        with self._hub.lock:
            said: Answer = self._hub.answer(call)
        if said.status >= 400:
            raise ValueError(f"{login} may not {method} {path}: {said.status} {said.body!r}")
        return said.body

    # What a workflow is told

    def pull_request_event(
        self,
        repository: Repository,
        issue: Issue,
        action: str,
        *,
        by: str | None = None,
        before: str | None = None,
    ) -> Event:
        actor = self.account(by) if by else issue.author
        return pull_request_event(repository, issue, self.urls, action=action, actor=actor, before=before)

    def comment_event(
        self, repository: Repository, comment: Comment, action: str = "created", *, by: str | None = None
    ) -> Event:
        actor = self.account(by) if by else None
        return comment_event(repository, comment, self.urls, action=action, actor=actor)

    def dispatch_event(self, repository: Repository, inputs: Mapping[str, str], *, by: str) -> Event:
        return dispatch_event(repository, self.urls, inputs=inputs, actor=self.account(by))

    def environment(
        self, event: Event, folder: Path, *, attempt: int = 1, triggering: str | None = None
    ) -> dict[str, str]:
        """The GITHUB_* and RUNNER_* variables of a run for this event; `folder` must be there."""
        actor = self.account(triggering) if triggering else None
        return workflow_environment(
            event, self.urls, folder=folder, run_id=self.state.new_id(), attempt=attempt, triggering=actor
        )
