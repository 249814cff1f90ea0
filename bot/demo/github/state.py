"""What the embedded GitHub knows: accounts, tokens, repositories, pull requests, comments.

Git's own part (objects, refs) is in each repository's `Bare`; everything here is in memory,
changes behind one lock, and is gone when the server stops.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime
from typing import Final, Literal

from bot.dataclass import dataclass
from bot.demo.github.bare import Bare

ROLES: Final = ("none", "read", "triage", "write", "maintain", "admin")
Reacted = Literal["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """`type` is User, Bot or Organization; a GitHub App's login ends in `[bot]`."""

    id: int
    login: str
    type: str = "User"

    @property
    def email(self) -> str:
        return f"{self.id}+{self.login}@users.noreply.github.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A person's may what the person may; one with `permissions` is a workflow's, for one repository."""

    account: Account
    permissions: Mapping[str, str] | None = None
    repository: str | None = None

    def is_for(self, repository: "Repository") -> bool:
        """Whether it is a workflow's token, and of this repository."""
        return (self.repository or "").lower() == repository.full_name.lower()

    def sees(self, repository: "Repository") -> bool:
        """What it may not see is answered as if it were not there."""
        return not repository.private or self.is_for(repository) or repository.reaches(self.account, "read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    id: int
    content: str
    author: Account
    at: datetime


@dataclass(slots=True, kw_only=True)
class Comment:
    """`editor` is who changed it last, None while nobody did; `minimized` why it is folded away, if it is."""

    id: int
    number: int
    body: str
    author: Account
    created_at: datetime
    updated_at: datetime
    editor: Account | None = None
    minimized: str | None = None
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return node_id("IC", self.id)


@dataclass(slots=True, kw_only=True)
class Pull:
    """The half of an issue that makes it a pull request. `head_repository` None: the fork is gone."""

    head_repository: "Repository | None"
    head_owner: Account
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str
    draft: bool = False
    maintainer_can_modify: bool = True
    merge_commit_sha: str | None = None
    mergeable: bool | None = None
    merged_at: datetime | None = None
    merged_by: Account | None = None
    reviewers: list[Account] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of a conversation: a comment by id, a commit by sha, or a force-push away from a sha."""

    what: Literal["comment", "commit", "forced"]
    name: str
    at: datetime


@dataclass(slots=True, kw_only=True)
class Issue:
    """`timeline` is in the order things happened, which times to the second don't tell."""

    id: int
    number: int
    title: str
    body: str | None
    author: Account
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    closed_by: Account | None = None
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    timeline: list[Happening] = field(default_factory=list)
    pull: Pull | None = None

    @property
    def state(self) -> str:
        return "open" if self.closed_at is None else "closed"


@dataclass(slots=True, kw_only=True)
class Check:
    """A check run. `output` is title, summary, text as they were sent."""

    id: int
    name: str
    head_sha: str
    status: str
    conclusion: str | None
    external_id: str
    details_url: str | None
    output: dict[str, str | None]
    started_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    id: int
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: Account
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    id: int
    name: str
    zip: bytes
    created_at: datetime
    run_id: int
    head_sha: str
    head_branch: str
    expired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """A workflow that somebody started by hand."""

    workflow: str
    ref: str
    inputs: dict[str, str]
    actor: Account


@dataclass(slots=True, kw_only=True)
class Repository:
    """`roles` are by lower-case login. `verified` are commits that GitHub made and signed itself.

    `turned_off` are files of workflows.
    """

    id: int
    owner: Account
    name: str
    bare: Bare
    created_at: datetime
    pushed_at: datetime
    description: str | None = None
    default_branch: str = "main"
    private: bool = False
    parent: "Repository | None" = None
    roles: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    checks: dict[int, Check] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    artifacts: dict[int, Artifact] = field(default_factory=dict)
    verified: set[str] = field(default_factory=set)
    has_issues: bool = True
    turned_off: set[str] = field(default_factory=set)
    dispatches: list[Dispatch] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def role(self, account: Account) -> str:
        if account.id == self.owner.id:
            return "admin"
        return self.roles.get(account.login.lower(), "none" if self.private else "read")

    def reaches(self, account: Account, role: str) -> bool:
        return ROLES.index(self.role(account)) >= ROLES.index(role)

    def branch(self, name: str) -> str | None:
        return self.bare.ref(f"refs/heads/{name}")

    def comments_on(self, number: int) -> list[Comment]:
        return [comment for comment in self.comments.values() if comment.number == number]


@dataclass(slots=True, kw_only=True)
class State:
    """Everything, by name. Logins and repository names are compared without case, as GitHub does."""

    now: Callable[[], datetime]
    accounts: dict[str, Account] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    repositories: dict[str, Repository] = field(default_factory=dict)
    teams: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    last_id: int = 1_000_000

    def new_id(self) -> int:
        """Higher than all before, whatever it is for."""
        self.last_id += 1
        return self.last_id

    def account(self, login: str) -> Account | None:
        return self.accounts.get(login.lower())

    def repository(self, full_name: str) -> Repository | None:
        return self.repositories.get(full_name.lower())

    def lent_branches(self, account: Account, fork: Repository) -> set[str]:
        """Branches of a fork that a maintainer of its parent may push to, as their pull requests allow."""
        base = fork.parent
        if base is None or not base.reaches(account, "write"):
            return set()
        pulls = [issue.pull for issue in base.issues.values() if issue.pull and issue.state == "open"]
        return {
            pull.head_ref for pull in pulls if pull.head_repository is fork and pull.maintainer_can_modify
        }

    def comment(self, node: str) -> tuple[Repository, Comment] | None:
        for repository in self.repositories.values():
            for comment in repository.comments.values():
                if comment.node_id == node:
                    return repository, comment
        return None


def node_id(kind: str, number: int) -> str:
    """Opaque to everybody, as GitHub's are: a prefix that names the kind, and the number packed."""
    return f"{kind}_{base64.urlsafe_b64encode(b'kwDO' + number.to_bytes(8, 'big')).decode().rstrip('=')}"
