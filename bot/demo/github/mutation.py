"""What can be changed over GitHub's other API: refs, and what is said about comments.

Each takes the mutation's `input`; who may is decided here. Raises FieldFailed, in GitHub's words.
"""

from collections.abc import Mapping
from typing import Any

from bot.demo.github.bare import NO_SHA, RefUpdate, is_ref, is_sha
from bot.demo.github.call import Call, grants
from bot.demo.github.push import may_move, push, touches_workflows
from bot.demo.github.query import BadQuery, FieldFailed
from bot.demo.github.state import Comment, Reaction, Repository, node_id

_REASONS = ("SPAM", "ABUSE", "OFF_TOPIC", "OUTDATED", "DUPLICATE", "RESOLVED")
_REACTIONS = {
    "THUMBS_UP": "+1",
    "THUMBS_DOWN": "-1",
    "LAUGH": "laugh",
    "HOORAY": "hooray",
    "CONFUSED": "confused",
    "HEART": "heart",
    "ROCKET": "rocket",
    "EYES": "eyes",
}
_MOST_LETTERS = 65_536
_ON_COMMENTS = ("issues:write", "pull_requests:write")
_SCOPES = {
    "updateRefs": ("contents:write",),
    "minimizeComment": _ON_COMMENTS,
    "updateIssueComment": _ON_COMMENTS,
    "addReaction": _ON_COMMENTS,
    "pullRequest": ("pull_requests:read", "issues:read"),
}


def may(call: Call, repository: Repository, mutation: str, *, is_own: bool = False) -> None:
    """The same rules as for REST, told in GraphQL's words."""
    token = call.token
    if token is None or token.permissions is None:
        if not (is_own or repository.reaches(call.account, "write")):
            raise FieldFailed(
                "FORBIDDEN",
                f"{call.account.login} does not have the correct permissions to execute `{mutation}`",
            )
        return
    if not token.is_for(repository) or not any(grants(token.permissions, need) for need in _SCOPES[mutation]):
        raise FieldFailed("FORBIDDEN", "Resource not accessible by integration")


def update_refs(call: Call, sent: Mapping[str, Any]) -> None:
    """All of them move, or none."""
    wanted = sent.get("repositoryId")
    repositories = call.state.repositories.values()
    repository = next((one for one in repositories if node_id("R", one.id) == wanted), None)
    if repository is None:
        raise FieldFailed("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")
    names = [str(one.get("name")) for one in sent.get("refUpdates") or []]
    is_lent = all(may_move(call.state, repository, call.account, name) for name in names)
    may(call, repository, "updateRefs", is_own=is_lent)
    updates = []
    for one in sent.get("refUpdates") or []:
        name, before, after = one.get("name", ""), one.get("beforeOid"), one.get("afterOid", "")
        if not is_ref(name) or not is_sha(after) or not (before is None or is_sha(before)):
            raise FieldFailed(
                "UNPROCESSABLE", f"Reference {name!r} cannot be updated: its name or an oid is not valid"
            )
        is_there = repository.bare.object(after)
        if after != NO_SHA and (is_there is None or is_there.kind != "commit"):
            raise FieldFailed("UNPROCESSABLE", f"Object {after} does not exist or is not a commit")
        now = repository.bare.ref(name)
        if now and after != NO_SHA and not one.get("force") and not repository.bare.is_ancestor(now, after):
            raise FieldFailed("UNPROCESSABLE", f"Reference {name} cannot be updated: not a fast forward")
        if call.token and call.token.permissions is not None and after != NO_SHA:
            is_workflow = touches_workflows(repository, before=now, after=after)
            if is_workflow and not grants(call.token.permissions, "workflows:write"):
                raise FieldFailed("FORBIDDEN", "Resource not accessible by integration")
        updates.append(RefUpdate(ref=name, before=before, after=after))
    if not push(call.state, repository, updates):
        raise FieldFailed("UNPROCESSABLE", "Reference cannot be updated: it is not at the expected beforeOid")


def minimize(call: Call, sent: Mapping[str, Any]) -> tuple[Repository, Comment]:
    repository, comment = _found(call, sent.get("subjectId"))
    may(call, repository, "minimizeComment", is_own=comment.author.id == call.account.id)
    if sent.get("classifier") not in _REASONS:
        raise BadQuery(f"Argument 'classifier' has an invalid value ({sent.get('classifier')}).")
    comment.minimized = str(sent["classifier"])
    return repository, comment


def reword(call: Call, sent: Mapping[str, Any]) -> tuple[Repository, Comment]:
    repository, comment = _found(call, sent.get("id"))
    may(call, repository, "updateIssueComment", is_own=comment.author.id == call.account.id)
    body = str(sent.get("body"))
    if not body.strip() or len(body) > _MOST_LETTERS:
        raise FieldFailed(
            "UNPROCESSABLE", f"Body cannot be blank, and its maximum is {_MOST_LETTERS} characters"
        )
    comment.body, comment.editor, comment.updated_at = body, call.account, call.state.now()
    return repository, comment


def react(call: Call, sent: Mapping[str, Any]) -> tuple[Repository, Comment]:
    """A second reaction of the same kind is the first."""
    repository, comment = _found(call, sent.get("subjectId"))
    # Whoever may read a comment may react to it.
    may(call, repository, "addReaction", is_own=call.sees(repository))
    content = _REACTIONS.get(str(sent.get("content")))
    if content is None:
        raise BadQuery(f"Argument 'content' has an invalid value ({sent.get('content')}).")
    mine = {one.content for one in comment.reactions if one.author.id == call.account.id}
    if content not in mine:
        made = Reaction(id=call.state.new_id(), content=content, author=call.account, at=call.state.now())
        comment.reactions.append(made)
    return repository, comment


def _found(call: Call, node: object) -> tuple[Repository, Comment]:
    found = call.state.comment(str(node))
    if found is None:
        raise FieldFailed("NOT_FOUND", f"Could not resolve to a node with the global id of '{node}'")
    return found
