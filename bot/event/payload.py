"""The shapes of GitHub's webhook payloads, as far as the bot reads them.

GitHub adds keys whenever it likes, so extra ones are ignored here; what is read is checked.
Imported only for an event that may be for the bot: pydantic alone takes longer to load than most runs last.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[int, Field(ge=1, lt=2**63)]
Login = Annotated[str, Field(min_length=1, max_length=100)]


class Payload(BaseModel):
    """Frozen like everything that is carried on, and strict: a number written as text is no number."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)


class Account(Payload):
    login: Login
    id: Number
    type: str


class Repository(Payload):
    full_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+/[A-Za-z0-9._-]+$")]


class Head(Payload):
    sha: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class PullRequest(Payload):
    number: Number
    head: Head


class PullRequestChanged(Payload):
    action: str
    pull_request: PullRequest
    repository: Repository
    sender: Account


class Issue(Payload):
    """`pull_request` is there, and only then, when the issue is a pull request."""

    number: Number
    pull_request: dict[str, object] | None = None


class Comment(Payload):
    """`user` is null when the account was deleted in the meantime."""

    id: Number
    node_id: str
    body: str | None
    user: Account | None


class Commented(Payload):
    action: str
    issue: Issue
    comment: Comment
    repository: Repository
    sender: Account


class Dispatched(Payload):
    """What a person typed into the form stands in `inputs`, every value as text."""

    inputs: dict[str, str | bool | int | float | None] | None = None
    repository: Repository
    sender: Account
