"""A pull request and the people around it, as GitHub told us. Every string in it may be hostile."""

from collections.abc import Mapping
from datetime import datetime

from bot.dataclass import dataclass
from bot.permission import Permission


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """`is_person` is GitHub's `type == "User"`; a login's suffix proves nothing."""

    login: str
    id: int
    is_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What GitHub says of an account at this moment: its permission, and its teams among those asked about.

    Kept for no longer than one decision: a permission can be taken away at any time.
    """

    account: Account
    permission: Permission
    teams: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """`repository` is owner/name, or None when the fork it was in is gone."""

    repository: str | None
    name: str
    sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    number: int
    title: str
    body: str
    author: Account
    is_open: bool
    is_draft: bool
    is_merged: bool
    head: Branch
    base: Branch
    maintainer_can_modify: bool
    url: str

    @property
    def is_from_fork(self) -> bool:
        return self.head.repository != self.base.repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment in the pull request's conversation (an issue comment, in GitHub's words).

    `edited_by` is who edited it last, None for nobody; where `is_editor_known` is false, it was not told.
    """

    id: int
    node_id: str
    body: str
    author: Account
    url: str
    created_at: datetime
    updated_at: datetime
    edited_by: Account | None = None
    is_editor_known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """Where a branch is, and what one file says there; None where there is no plain file of that name."""

    sha: str
    file: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A pull request as a run first sees it, all of the same moment.

    `tips` are those of the default branch and of the base. `comments` is None where they are too many to be
    told at once, and must be asked for.
    """

    pull_request: PullRequest
    default_branch: str
    tips: Mapping[str, Tip]
    comments: tuple[Comment, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """`verified` is what GitHub says of its signature; `message` is untrusted."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    message: str
    url: str
    verified: bool

    def trailers(self, name: str) -> tuple[str, ...]:
        """Values of the `Name: value` lines in the last paragraph; anybody can write one."""
        last_paragraph = self.message.replace("\r\n", "\n").rstrip().rpartition("\n\n")[2]
        pairs = (line.partition(":") for line in last_paragraph.split("\n"))
        return tuple(value.strip() for key, colon, value in pairs if colon and key.lower() == name.lower())
