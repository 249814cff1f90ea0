"""A pull request as a run first sees it: itself, the tips with the policy, the comments; in one request.

What GraphQL says of them is the same moment's. Comments beyond the first hundred are asked for when needed.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from pydantic import BaseModel, Field

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import GitHubFailed
from bot.outside.answers import GHOST, ViewerAnswer
from bot.outside.rest import PAGE, Rest
from bot.outside.tips import Ref, TreeRef, tip_of
from bot.pull_request import Account, Branch, Comment, Opening, PullRequest
from bot.sentence import Sentence

_QUERY: Final = """
query Opening($owner: String!, $name: String!, $number: Int!, $path: String!) {
  viewer { login databaseId }
  repository(owner: $owner, name: $name) {
    id nameWithOwner
    default: defaultBranchRef { name ...tip }
    pullRequest(number: $number) {
      number title body url state isDraft maintainerCanModify
      author { ...account }
      headRefName headRefOid headRepository { id nameWithOwner }
      headRef { target { oid ... on Commit { tree { oid } } } }
      baseRefName baseRefOid baseRef { ...tip }
      comments(first: $PAGE) {
        nodes { id fullDatabaseId body url createdAt updatedAt author { ...account } editor { ...account } }
        pageInfo { hasNextPage }
      }
    }
  }
}
"""
_TIP: Final = (
    "target { oid ... on Commit { file(path: $path) { mode object { oid ... on Blob { text } } } } }"
)
_ACCOUNT: Final = "__typename login ... on User { databaseId } ... on Bot { databaseId }"
_DOCUMENT: Final = _QUERY.replace("...tip", _TIP).replace("...account", _ACCOUNT).replace("$PAGE", str(PAGE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """`trees` are the trees of commits, `node_ids` GraphQL's names of repositories, as told."""

    viewer: ViewerAnswer
    opening: Opening
    trees: Mapping[str, str]
    node_ids: Mapping[str, str]


class _Actor(BaseModel, defer_build=True):
    """GraphQL writes a bot's login without REST's `[bot]`."""

    type: str = Field(alias="__typename")
    login: str
    database_id: int | None = Field(alias="databaseId", default=None)

    def account(self) -> Account:
        login = f"{self.login}[bot]" if self.type == "Bot" else self.login
        return Account(login=login, id=self.database_id or 0, is_person=self.type == "User")


class _Side(BaseModel, defer_build=True):
    id: str
    name: str = Field(alias="nameWithOwner")


class _Comment(BaseModel, defer_build=True):
    node_id: str = Field(alias="id")
    database_id: int = Field(alias="fullDatabaseId")
    body: str
    url: str
    created_at: datetime = Field(alias="createdAt")
    updated_at: datetime = Field(alias="updatedAt")
    author: _Actor | None
    editor: _Actor | None

    def comment(self) -> Comment:
        return Comment(
            id=self.database_id,
            node_id=self.node_id,
            body=self.body,
            author=self.author.account() if self.author else GHOST,
            url=self.url,
            created_at=self.created_at,
            updated_at=self.updated_at,
            edited_by=self.editor.account() if self.editor else None,
            is_editor_known=True,
        )


class _Page(BaseModel, defer_build=True):
    has_next: bool = Field(alias="hasNextPage")


class _Comments(BaseModel, defer_build=True):
    nodes: tuple[_Comment, ...]
    page: _Page = Field(alias="pageInfo")


class _Pull(BaseModel, defer_build=True):
    number: int
    title: str
    body: str
    url: str
    state: str
    is_draft: bool = Field(alias="isDraft")
    maintainer_can_modify: bool = Field(alias="maintainerCanModify")
    author: _Actor | None
    head_name: str = Field(alias="headRefName")
    head_sha: str = Field(alias="headRefOid", pattern=r"^[0-9a-f]{40}$")
    head_repository: _Side | None = Field(alias="headRepository")
    head: TreeRef | None = Field(alias="headRef")
    base_name: str = Field(alias="baseRefName")
    base_sha: str = Field(alias="baseRefOid", pattern=r"^[0-9a-f]{40}$")
    base: Ref | None = Field(alias="baseRef")
    comments: _Comments

    def pull_request(self, base: str) -> PullRequest:
        head = self.head_repository.name if self.head_repository else None
        return PullRequest(
            number=self.number,
            title=self.title,
            body=self.body,
            author=self.author.account() if self.author else GHOST,
            is_open=self.state == "OPEN",
            is_draft=self.is_draft,
            is_merged=self.state == "MERGED",
            head=Branch(repository=head, name=self.head_name, sha=self.head_sha),
            base=Branch(repository=base, name=self.base_name, sha=self.base_sha),
            # As REST has it: nobody needs the permission for a branch of the repository itself.
            maintainer_can_modify=self.maintainer_can_modify and head != base,
            url=self.url,
        )


class _Default(Ref):
    name: str


class _Repository(_Side):
    default: _Default | None
    pull: _Pull | None = Field(alias="pullRequest")


class OpeningAnswer(BaseModel, defer_build=True):
    viewer: ViewerAnswer
    repository: _Repository | None


def opening(rest: Rest, name: str, number: int, *, path: str, blob: Callable[[str], bytes]) -> Told:
    """`name` is owner/name, `path` the file wanted at the tips; `blob` fetches bytes by their name."""
    owner, _, repository = name.partition("/")
    variables: dict[str, Json] = {"owner": owner, "name": repository, "number": number, "path": path}
    what = Sentence("read pull request %(number)s", number=number)
    request = rest.graphql(what, _DOCUMENT, variables, permission="pull-requests: read")
    # The event that told of it can be faster than the machine that answers.
    answer = rest.ask(replace(request, is_new=True), OpeningAnswer)
    found = answer.repository
    if found is None or found.pull is None or found.default is None:
        raise GitHubFailed(
            "GitHub could not %(what)s",
            what=what,
            next_step="check that it still exists, and that the token may see it",
        )
    pull = found.pull
    refs = {found.default.name: found.default, pull.base_name: pull.base}
    head = pull.head.target if pull.head else None
    sides = [found, pull.head_repository] if pull.head_repository else [found]
    comments = None if pull.comments.page.has_next else [node.comment() for node in pull.comments.nodes]
    return Told(
        viewer=answer.viewer,
        opening=Opening(
            pull_request=pull.pull_request(found.name),
            default_branch=found.default.name,
            tips={branch: tip_of(ref, name, branch, path, blob) for branch, ref in refs.items()},
            comments=None if comments is None else tuple(comments),
        ),
        trees={head.oid: head.tree.oid} if head and head.tree else {},
        node_ids={side.name: side.id for side in sides},
    )
