"""GitHub's other API, as far as the bot needs it.

Compare-and-swap of refs, who edited a comment, folding comments away, and a few look-ups.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.demo.github.bare import is_sha
from bot.demo.github.call import Answer, Call, Route
from bot.demo.github.commit_object import read_commit
from bot.demo.github.mutation import may, minimize, react, reword, update_refs
from bot.demo.github.query import BadQuery, FieldFailed, answered, read_query
from bot.demo.github.shapes import moment
from bot.demo.github.state import Account, Comment, Issue, Pull, Repository, node_id


def graphql(call: Call) -> Answer:
    _ = call.account
    text, variables = call.field("query", needed=True), call.field("variables", dict) or {}
    try:
        operation = read_query(text)
        root = _mutations(call) if operation.kind == "mutation" else _queries(call)
        return Answer(body=answered(operation, root, variables).body)
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
        raise FieldFailed("NOT_FOUND", f"Could not resolve to a Repository with the name '{name}'.")
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
    raise FieldFailed("NOT_FOUND", f"Could not resolve to a node with the global id of '{node}'")


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
        "object": lambda given: _object(repository, str(given.get("oid"))),
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
    shown = _object(repository, leaf.sha) or _git_object(leaf.kind, leaf.sha)
    return {"__typename": "TreeEntry", "mode": int(leaf.mode, 8), "type": leaf.kind, "object": shown}


def _git_object(kind: str, sha: str) -> dict[str, Any]:
    return {
        "__typename": kind.title(),
        "__interfaces": ("GitObject", "Node"),
        "oid": sha,
        "id": node_id("B", int(sha[:12], 16)),
    }


def _object(repository: Repository, sha: str) -> dict[str, Any] | None:
    found = repository.bare.object(sha) if is_sha(sha) else None
    if found is None:
        return None
    shown, content = _git_object(found.kind, sha), found.content
    if found.kind == "blob":
        is_binary = b"\0" in content
        shown |= {
            "byteSize": len(content),
            "isBinary": is_binary,
            "isTruncated": False,
            "text": None if is_binary else content.decode("utf-8", "replace"),
        }
    return shown


def _pull_numbered(call: Call, repository: Repository, number: object) -> dict[str, Any]:
    issue = repository.issues.get(number) if isinstance(number, int) else None
    _may_read(call, repository)
    if issue is None or issue.pull is None:
        raise FieldFailed("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
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
        "__interfaces": ("Node", "Comment", "Minimizable", "Reactable"),
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

    def on_comment(
        kind: str, name: str, do: Callable[[Call, Mapping[str, Any]], tuple[Repository, Comment]]
    ) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        return lambda sent: {"__typename": kind, name: _comment(call, *do(call, sent))}

    def update(sent: Mapping[str, Any]) -> dict[str, Any]:
        update_refs(call, sent)
        return {"__typename": "UpdateRefsPayload"}

    return {
        "__typename": "Mutation",
        "updateRefs": given_input(update),
        "minimizeComment": given_input(on_comment("MinimizeCommentPayload", "minimizedComment", minimize)),
        "updateIssueComment": given_input(on_comment("UpdateIssueCommentPayload", "issueComment", reword)),
        "addReaction": given_input(on_comment("AddReactionPayload", "subject", react)),
    }


def _may_read(call: Call, repository: Repository) -> None:
    """A private repository is not there for whoever may not read it; a token needs its permission."""
    if not call.sees(repository):
        raise FieldFailed("NOT_FOUND", "Could not resolve to a node.")
    token = call.token
    if token and token.permissions is not None and token.is_for(repository):
        may(call, repository, "pullRequest")


ROUTES = (Route("POST", "/graphql", graphql),)
