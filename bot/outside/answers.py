"""The shapes of GitHub's answers, as far as the door reads them; extra keys are ignored."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bot.permission import Permission
from bot.pull_request import Account, Branch, Comment, Commit, PullRequest

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]

# GitHub shows this account where the real one was deleted: https://github.com/ghost
GHOST = Account(login="ghost", id=10137, is_person=False)


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")


class Nothing(_Answer):
    """Of an answer of which only its success matters."""


class UserAnswer(_Answer):
    login: str
    id: int
    type: str

    def account(self) -> Account:
        return Account(login=self.login, id=self.id, is_person=self.type == "User")


class StandingAnswer(_Answer):
    """`permission` is admin, write, read or none; `role_name` is finer, or a custom role's name."""

    permission: str
    role_name: str = ""
    user: UserAnswer | None

    def level(self) -> Permission:
        known = {"admin": Permission.ADMIN, "write": Permission.WRITE, "read": Permission.READ}
        finer = {("write", "maintain"): Permission.MAINTAIN, ("read", "triage"): Permission.TRIAGE}
        # A custom role may be called anything: its name only makes finer what `permission` says.
        plain = known.get(self.permission, Permission.NONE)
        return finer.get((self.permission, self.role_name), plain)


class MembershipAnswer(_Answer):
    state: str


class RepositoryAnswer(_Answer):
    full_name: str
    node_id: str
    default_branch: str = ""
    has_issues: bool = True
    permissions: Mapping[str, bool] = Field(default_factory=dict)


class LabelAnswer(_Answer):
    name: str


class IssueAnswer(_Answer):
    html_url: str


class WorkflowAnswer(_Answer):
    """`state` is active, or one of several words for being turned off."""

    state: str


class SideAnswer(_Answer):
    ref: str
    sha: Sha
    repo: RepositoryAnswer | None

    def branch(self) -> Branch:
        return Branch(
            repository=None if self.repo is None else self.repo.full_name, name=self.ref, sha=self.sha
        )


class ChangedFileAnswer(_Answer):
    """`previous_filename` is there for a renamed file."""

    filename: str
    previous_filename: str | None = None


class PullRequestAnswer(_Answer):
    number: int
    title: str
    body: str | None
    user: UserAnswer | None
    state: str
    draft: bool = False
    merged: bool = False
    head: SideAnswer
    base: SideAnswer
    maintainer_can_modify: bool = False
    html_url: str

    def pull_request(self) -> PullRequest:
        return PullRequest(
            number=self.number,
            title=self.title,
            body=self.body or "",
            author=self.user.account() if self.user else GHOST,
            is_open=self.state == "open",
            is_draft=self.draft,
            is_merged=self.merged,
            head=self.head.branch(),
            base=self.base.branch(),
            maintainer_can_modify=self.maintainer_can_modify,
            url=self.html_url,
        )


class CommentAnswer(_Answer):
    id: int
    node_id: str
    body: str | None = None
    user: UserAnswer | None
    html_url: str
    created_at: datetime
    updated_at: datetime

    def comment(self) -> Comment:
        return Comment(
            id=self.id,
            node_id=self.node_id,
            body=self.body or "",
            author=self.user.account() if self.user else GHOST,
            url=self.html_url,
            created_at=self.created_at,
            updated_at=self.updated_at,
        )


class ObjectAnswer(_Answer):
    sha: Sha


class RefAnswer(_Answer):
    ref: str
    object: ObjectAnswer


class VerificationAnswer(_Answer):
    verified: bool = False


class CommitAnswer(_Answer):
    """Of the Git Data API."""

    sha: Sha
    tree: ObjectAnswer
    parents: tuple[ObjectAnswer, ...]
    message: str
    html_url: str
    verification: VerificationAnswer = Field(default_factory=VerificationAnswer)

    def commit(self) -> Commit:
        return Commit(
            sha=self.sha,
            tree=self.tree.sha,
            parents=tuple(parent.sha for parent in self.parents),
            message=self.message,
            url=self.html_url,
            verified=self.verification.verified,
        )


class InnerCommitAnswer(_Answer):
    message: str
    tree: ObjectAnswer
    verification: VerificationAnswer = Field(default_factory=VerificationAnswer)


class ListedCommitAnswer(_Answer):
    """Of the list of commits, which says the same in another arrangement."""

    sha: Sha
    html_url: str
    commit: InnerCommitAnswer
    parents: tuple[ObjectAnswer, ...]

    def as_commit(self) -> Commit:
        return Commit(
            sha=self.sha,
            tree=self.commit.tree.sha,
            parents=tuple(parent.sha for parent in self.parents),
            message=self.commit.message,
            url=self.html_url,
            verified=self.commit.verification.verified,
        )


class TreeEntryAnswer(_Answer):
    path: str
    mode: Literal["040000", "100644", "100664", "100755", "120000", "160000"]
    type: str
    sha: Sha


class TreeAnswer(_Answer):
    sha: Sha
    tree: tuple[TreeEntryAnswer, ...]
    truncated: bool = False


class BlobAnswer(_Answer):
    sha: Sha
    content: str
    encoding: str


class ListedFileAnswer(_Answer):
    """An entry of a folder's listing. `type` is file, dir, symlink or submodule."""

    name: str
    type: str
    sha: Sha


class FolderAnswer(RootModel[tuple[ListedFileAnswer, ...] | ListedFileAnswer], defer_build=True):
    """A folder's listing, or the one file that is there instead of a folder."""

    def file(self, name: str) -> str | None:
        """The blob of the plain file of that name."""
        listed = self.root if isinstance(self.root, tuple) else ()
        return next((entry.sha for entry in listed if entry.name == name and entry.type == "file"), None)


class ArtifactRunAnswer(_Answer):
    """The repository of the run's head is another one where a fork's pull request started it."""

    repository_id: int | None = None
    head_repository_id: int | None = None


class ArtifactAnswer(_Answer):
    id: int
    name: str
    expired: bool
    workflow_run: ArtifactRunAnswer | None = None


class ArtifactsAnswer(_Answer):
    artifacts: tuple[ArtifactAnswer, ...]


class ComparisonAnswer(_Answer):
    status: str


class ViewerAnswer(_Answer):
    login: str
    database_id: int | None = Field(alias="databaseId", default=None)


class MeAnswer(_Answer):
    viewer: ViewerAnswer


class EditorAnswer(_Answer):
    """GraphQL writes a bot's login without REST's `[bot]`, so accounts are told apart by `databaseId`."""

    type: str = Field(alias="__typename")
    login: str
    database_id: int | None = Field(alias="databaseId", default=None)

    def account(self) -> Account:
        return Account(login=self.login, id=self.database_id or 0, is_person=self.type == "User")


class EditedAnswer(_Answer):
    editor: EditorAnswer | None = None


class NodeAnswer(_Answer):
    """`node` is null when the comment was deleted."""

    node: EditedAnswer | None
