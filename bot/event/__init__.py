"""GitHub's payload bytes -> Event. Untrusted bytes stop here.

What can't be for the bot is told apart before anything heavy is imported, so that it costs next to nothing.
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bot.dataclass import dataclass
from bot.errors import BadUsage, Reason
from bot.glance import PULL_REQUEST_EVENTS, why_not
from bot.pull_request import Account
from bot.sentence import Sentence

if TYPE_CHECKING:
    from bot.event import payload


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestEvent:
    """`head_sha` is what the event said; by now the branch may be elsewhere."""

    number: int
    action: str
    sender: Account
    head_sha: str
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentEvent:
    """A comment that was just made by a person. `body` may hold anything."""

    number: int
    comment_id: int
    node_id: str
    body: str
    author: Account
    is_pull_request: bool
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchEvent:
    """`task` is None for every task that has no trigger of its own."""

    number: int
    task: str | None
    sender: Account
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Nobody is answered; `detail` is for the log."""

    reason: Reason
    detail: str


Event: TypeAlias = PullRequestEvent | CommentEvent | DispatchEvent | Ignored


def read_event(text: bytes, *, name: str, number: int | None = None, task: str | None = None) -> Event:
    """The event called `name` by $GITHUB_EVENT_NAME; `number` and `task` are the action's own inputs.

    Raises BadUsage when the payload is not one of GitHub's.
    """
    fields = _object(text)
    if (detail := why_not(fields, name=name)) is not None:
        return Ignored(reason=Reason.NOT_FOR_US, detail=detail)
    if name == "issue_comment":
        return _comment(fields)
    if name in PULL_REQUEST_EVENTS:
        return _pull_request(fields)
    if name == "workflow_dispatch":
        return _dispatch(fields, number=number, task=task)
    return Ignored(reason=Reason.NOT_FOR_US, detail=f"the event {name!r} is not one that the bot answers")


def _comment(fields: Mapping[str, Any]) -> Event:
    from bot.event import payload

    event = _read(payload.Commented, fields)
    author = event.comment.user
    if author is None or author.type != "User" or event.sender.type != "User":
        return Ignored(reason=Reason.NOT_A_PERSON, detail="the comment is not by a person")
    return CommentEvent(
        number=event.issue.number,
        comment_id=event.comment.id,
        node_id=event.comment.node_id,
        body=event.comment.body or "",
        author=_account(author),
        is_pull_request=event.issue.pull_request is not None,
        repository=event.repository.full_name,
    )


def _pull_request(fields: Mapping[str, Any]) -> Event:
    from bot.event import payload

    event = _read(payload.PullRequestChanged, fields)
    return PullRequestEvent(
        number=event.pull_request.number,
        action=event.action,
        sender=_account(event.sender),
        head_sha=event.pull_request.head.sha,
        repository=event.repository.full_name,
    )


def _dispatch(fields: Mapping[str, Any], *, number: int | None, task: str | None) -> DispatchEvent:
    from bot.event import payload

    event = _read(payload.Dispatched, fields)
    typed = {key.replace("_", "-"): str(value) for key, value in (event.inputs or {}).items() if value}
    if number is None:
        spelled = typed.get("pull-request", "").strip().removeprefix("#")
        if not re.fullmatch(r"[1-9][0-9]{0,17}", spelled):
            raise BadUsage(
                "The workflow was started by hand for the pull request %(spelled)s, which is not a number",
                spelled=repr(spelled),
                next_step="start it again with the number of the pull request in the input `pull-request`",
            )
        number = int(spelled)
    return DispatchEvent(
        number=number,
        task=task or typed.get("task", "").strip() or None,
        sender=_account(event.sender),
        repository=event.repository.full_name,
    )


def _object(text: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(Sentence("it is not JSON: %(error)s", error=error)) from error
    if not isinstance(fields, dict):
        raise _unreadable(Sentence("it is not a JSON object"))
    return fields


P = TypeVar("P", bound="payload.Payload")


def _read(model: "type[P]", fields: Mapping[str, Any]) -> P:
    from pydantic import ValidationError

    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _unreadable(Sentence("%(where)s: %(what)s", where=where, what=first["msg"])) from error


def _unreadable(why: str) -> BadUsage:
    return BadUsage(
        "The event in $GITHUB_EVENT_PATH can't be read: %(why)s",
        why=why,
        next_step="run this as a GitHub Action, where GitHub writes that file",
    )


def _account(account: "payload.Account") -> Account:
    return Account(login=account.login, id=account.id, is_person=account.type == "User")
