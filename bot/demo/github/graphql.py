"""GitHub's other API, as far as the bot needs it.

Compare-and-swap of refs, who edited a comment, folding comments away, and a few look-ups.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.demo.github.bare import NO_SHA, RefUpdate, is_ref, is_sha
from bot.demo.github.call import Answer, Call, Route, grants
from bot.demo.github.commit_object import read_commit
from bot.demo.github.push import may_move, push, touches_workflows
from bot.demo.github.query import BadQuery, answered, read_query
from bot.demo.github.shapes import moment
from bot.demo.github.state import Account, Comment, Issue, Pull, Repository, node_id

_REASONS = ("SPAM", "ABUSE", "OFF_TOPIC", "OUTDATED", "DUPLICATE", "RESOLVED")
_SCOPES = {
    "updateRefs": ("contents:write",),
    "minimizeComment": ("issues:write", "pull_requests:write"),
    "pullRequest": ("pull_requests:read", "issues:read"),
}


class _Failed(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def graphql(call: Call) -> Answer:
    _ = call.account
    text, variables = call.field("query", needed=True), call.field("variables", dict) or {}
    try:
        operation = read_query(text)
        root = _mutations(call) if operation.kind == "mutation" else _queries(call)
        name = operation.selections[0].name if operation.selections else ""
        try:
            return Answer(body={"data": answered(operation, root, variables)})
        except _Failed as error:
            told = {"type": error.kind, "path": [name], "locations": [{"line": 1, "column": 1}]}
            return Answer(body={"data": {name: None}, "errors": [told | {"message": str(error)}]})
    except BadQuery as error:
        return Answer(body={"errors": [error.error]})


def _queries(call: Call) -> dict[str, Any]:
    account = call.account
    return {
        "__typename": "Query",
        "id": "MDU6UXVlcnk=",
        # Always a User in the schema, even where an app asks; and with the whole login.
        "viewer": _actor(account, call) | {"__typename": "User", "login": account.login},
        "repository": lambda given: _repository(call, _named(call, given)),
        "node": lambda given: _node(call, str(given.get("id"))),
        "rateLimit": {"__typename": "RateLimit", "limit": 5000, "cost": 1, "remaining": 5000, "used": 0},
    }


def _named(call: Call, given: Mapping[str, Any]) -> Repository:
    name = f"{given.get('owner')}/{given.get('name')}"
    found = call.state.repository(name)
    if found is None or not call.sees(found):
        raise _Failed("NOT_FOUND", f"Could not resolve to a Repository with the name '{name}'.")
    return found


def _node(call: Call, node: str) -> dict[str, Any]:
    found = call.state.comment(node)
    if found:
        _may_read(call, found[0])
        return _comment(call, *found)
    for repository in call.state.repositories.values():
        if node_id("R", repository.id) == node and call.sees(repository):
            return _repository(call, repository)
        for issue in repository.issues.values():
            if issue.pull and node_id("PR", issue.id) == node:
                _may_read(call, repository)
                return _pull(call, repository, issue, issue.pull)
    raise _Failed("NOT_FOUND", f"Could not resolve to a node with the global id of '{node}'")


def _actor(account: Account, call: Call) -> dict[str, Any]:
    """A bot is called by its app's name here, without the `[bot]` that REST puts behind it."""
    return {
        "__typename": account.type,
        "__interfaces": ("Actor", "Node"),
        "id": node_id("U" if account.type == "User" else account.type[:3].upper(), account.id),
        "databaseId": account.id,
        "login": account.login.removesuffix("[bot]"),
        "url": f"{call.urls.html}/{account.login.removesuffix('[bot]')}",
    }


def _repository(call: Call, repository: Repository) -> dict[str, Any]:
    return {
        "__typename": "Repository",
        "__interfaces": ("Node",),
        "id": node_id("R", repository.id),
        "databaseId": repository.id,
        "name": repository.name,
        "nameWithOwner": repository.full_name,
        "isPrivate": repository.private,
        "url": call.urls.page(repository),
        "owner": _actor(repository.owner, call),
        "defaultBranchRef": _ref(repository, f"refs/heads/{repository.default_branch}"),
        "ref": lambda given: _ref(repository, str(given.get("qualifiedName"))),
        "pullRequest": lambda given: _pull_numbered(call, repository, given.get("number")),
    }


def _ref(repository: Repository, name: str) -> dict[str, Any] | None:
    full = name if name.startswith("refs/") else f"refs/heads/{name}"
    found = repository.bare.object(full)
    if found is None:
        return None
    tree = read_commit(found.content).tree if found.kind == "commit" else ""
    target = {
        "__typename": found.kind.title(),
        "__interfaces": ("GitObject", "Node"),
        "oid": found.sha,
        "id": node_id("C", int(found.sha[:12], 16)),
        "tree": {"__typename": "Tree", "oid": tree, "id": node_id("T", int(tree[:12], 16))} if tree else None,
        "file": lambda given: _file_in(repository, read_commit(found.content).tree, str(given.get("path"))),
    }
    return {"__typename": "Ref", "name": full.split("/", 2)[2], "prefix": "refs/heads/", "target": target}


def _file_in(repository: Repository, tree: str, path: str) -> dict[str, Any] | None:
    leaf = repository.bare.leaf(tree, path)
    if leaf is None:
        return None
    found = repository.bare.object(leaf.sha)
    content = found.content if found and found.kind == "blob" else b""
    is_binary = b"\0" in content
    shown: dict[str, Any] = {
        "__typename": leaf.kind.title(),
        "__interfaces": ("GitObject", "Node"),
        "oid": leaf.sha,
        "id": node_id("B", int(leaf.sha[:12], 16)),
    }
    if leaf.kind == "blob":
        shown |= {
            "byteSize": len(content),
            "isBinary": is_binary,
            "isTruncated": False,
            "text": None if is_binary else content.decode("utf-8", "replace"),
        }
    return {"__typename": "TreeEntry", "mode": int(leaf.mode, 8), "type": leaf.kind, "object": shown}


def _pull_numbered(call: Call, repository: Repository, number: object) -> dict[str, Any]:
    issue = repository.issues.get(number) if isinstance(number, int) else None
    _may_read(call, repository)
    if issue is None or issue.pull is None:
        raise _Failed("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
    return _pull(call, repository, issue, issue.pull)


def _pull(call: Call, repository: Repository, issue: Issue, pull: Pull) -> dict[str, Any]:
    return {
        "__typename": "PullRequest",
        "__interfaces": ("Node", "Comment"),
        "id": node_id("PR", issue.id),
        "databaseId": issue.id,
        "fullDatabaseId": str(issue.id),
        "number": issue.number,
        "title": issue.title,
        "body": issue.body or "",
        "url": f"{call.urls.page(repository)}/pull/{issue.number}",
        "state": "MERGED" if pull.merged_at else issue.state.upper(),
        "createdAt": moment(issue.created_at),
        "updatedAt": moment(issue.updated_at),
        "editor": None,
        "lastEditedAt": None,
        "includesCreatedEdit": False,
        "viewerDidAuthor": issue.author.id == call.account.id,
        "isDraft": pull.draft,
        "isCrossRepository": pull.head_repository is not repository,
        "maintainerCanModify": pull.maintainer_can_modify,
        "author": _actor(issue.author, call),
        "headRefName": pull.head_ref,
        "headRefOid": pull.head_sha,
        "headRef": _ref(pull.head_repository, f"refs/heads/{pull.head_ref}")
        if pull.head_repository
        else None,
        "baseRef": _ref(repository, f"refs/heads/{pull.base_ref}"),
        "baseRefName": pull.base_ref,
        "baseRefOid": repository.branch(pull.base_ref) or pull.base_sha,
        "headRepository": _repository(call, pull.head_repository) if pull.head_repository else None,
        "comments": lambda given: _connection(
            "IssueComment",
            [_comment(call, repository, comment) for comment in repository.comments_on(issue.number)],
            given,
        ),
    }


def _comment(call: Call, repository: Repository, comment: Comment) -> dict[str, Any]:
    page = f"{call.urls.page(repository)}/pull/{comment.number}#issuecomment-{comment.id}"
    return {
        "__typename": "IssueComment",
        "__interfaces": ("Node", "Comment", "Minimizable"),
        "id": comment.node_id,
        "databaseId": comment.id,
        "fullDatabaseId": str(comment.id),
        "body": comment.body,
        "url": page,
        "author": _actor(comment.author, call),
        "editor": _actor(comment.editor, call) if comment.editor else None,
        "createdAt": moment(comment.created_at),
        "updatedAt": moment(comment.updated_at),
        "lastEditedAt": moment(comment.updated_at) if comment.editor else None,
        "includesCreatedEdit": comment.editor is not None,
        "isMinimized": comment.minimized is not None,
        "minimizedReason": comment.minimized.lower().replace("_", "-") if comment.minimized else None,
        "viewerDidAuthor": comment.author.id == call.account.id,
    }


def _connection(kind: str, nodes: list[dict[str, Any]], given: Mapping[str, Any]) -> dict[str, Any]:
    first, last, after = given.get("first"), given.get("last"), given.get("after")
    if (first is None) == (last is None):
        raise BadQuery("You must provide a `first` or `last` value to properly paginate the connection.")
    start = int(after) if isinstance(after, str) and after.isdigit() else 0
    shown = nodes[start : start + int(first)] if first is not None else nodes[-int(last or 1) :]
    end = start + len(shown)
    return {
        "__typename": f"{kind}Connection",
        "totalCount": len(nodes),
        "nodes": shown,
        "pageInfo": {
            "__typename": "PageInfo",
            "hasNextPage": first is not None and end < len(nodes),
            "hasPreviousPage": start > 0 or (first is None and len(shown) < len(nodes)),
            "startCursor": str(start) if shown else None,
            "endCursor": str(end) if shown else None,
        },
    }


def _mutations(call: Call) -> dict[str, Any]:
    def given_input(do: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Callable[[Mapping[str, Any]], Any]:
        def run(given: Mapping[str, Any]) -> dict[str, Any]:
            sent = given.get("input")
            if not isinstance(sent, Mapping):
                raise BadQuery("Variable $input of type Input! was provided invalid value")
            return do(sent) | {"clientMutationId": sent.get("clientMutationId")}

        return run

    return {
        "__typename": "Mutation",
        "updateRefs": given_input(lambda sent: _update_refs(call, sent)),
        "minimizeComment": given_input(lambda sent: _minimize(call, sent)),
    }


def _may(call: Call, repository: Repository, mutation: str, *, is_own: bool = False) -> None:
    """The same rules as for REST, told in GraphQL's words."""
    token = call.token
    if token is None or token.permissions is None:
        if not (is_own or repository.reaches(call.account, "write")):
            raise _Failed(
                "FORBIDDEN",
                f"{call.account.login} does not have the correct permissions to execute `{mutation}`",
            )
        return
    if not token.is_for(repository) or not any(grants(token.permissions, need) for need in _SCOPES[mutation]):
        raise _Failed("FORBIDDEN", "Resource not accessible by integration")


def _may_read(call: Call, repository: Repository) -> None:
    """A private repository is not there for whoever may not read it; a token needs its permission."""
    if not call.sees(repository):
        raise _Failed("NOT_FOUND", "Could not resolve to a node.")
    token = call.token
    if token and token.permissions is not None and token.is_for(repository):
        _may(call, repository, "pullRequest")


def _update_refs(call: Call, sent: Mapping[str, Any]) -> dict[str, Any]:
    wanted = sent.get("repositoryId")
    repositories = call.state.repositories.values()
    repository = next((one for one in repositories if node_id("R", one.id) == wanted), None)
    if repository is None:
        raise _Failed("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")
    names = [str(one.get("name")) for one in sent.get("refUpdates") or []]
    is_lent = all(may_move(call.state, repository, call.account, name) for name in names)
    _may(call, repository, "updateRefs", is_own=is_lent)
    updates = []
    for one in sent.get("refUpdates") or []:
        name, before, after = one.get("name", ""), one.get("beforeOid"), one.get("afterOid", "")
        if not is_ref(name) or not is_sha(after) or not (before is None or is_sha(before)):
            raise _Failed(
                "UNPROCESSABLE", f"Reference {name!r} cannot be updated: its name or an oid is not valid"
            )
        is_there = repository.bare.object(after)
        if after != NO_SHA and (is_there is None or is_there.kind != "commit"):
            raise _Failed("UNPROCESSABLE", f"Object {after} does not exist or is not a commit")
        now = repository.bare.ref(name)
        if now and after != NO_SHA and not one.get("force") and not repository.bare.is_ancestor(now, after):
            raise _Failed("UNPROCESSABLE", f"Reference {name} cannot be updated: not a fast forward")
        if call.token and call.token.permissions is not None and after != NO_SHA:
            is_workflow = touches_workflows(repository, before=now, after=after)
            if is_workflow and not grants(call.token.permissions, "workflows:write"):
                raise _Failed("FORBIDDEN", "Resource not accessible by integration")
        updates.append(RefUpdate(ref=name, before=before, after=after))
    if not push(call.state, repository, updates):
        raise _Failed("UNPROCESSABLE", "Reference cannot be updated: it is not at the expected beforeOid")
    return {"__typename": "UpdateRefsPayload"}


def _minimize(call: Call, sent: Mapping[str, Any]) -> dict[str, Any]:
    found = call.state.comment(str(sent.get("subjectId")))
    if found is None:
        raise _Failed(
            "NOT_FOUND", f"Could not resolve to a node with the global id of '{sent.get('subjectId')}'"
        )
    repository, comment = found
    _may(call, repository, "minimizeComment", is_own=comment.author.id == call.account.id)
    if sent.get("classifier") not in _REASONS:
        raise BadQuery(f"Argument 'classifier' has an invalid value ({sent.get('classifier')}).")
    comment.minimized = str(sent["classifier"])
    return {"__typename": "MinimizeCommentPayload", "minimizedComment": _comment(call, repository, comment)}


ROUTES = (Route("POST", "/graphql", graphql),)
