"""Cut GitHub's published descriptions down to what the bot and the embedded GitHub use.

    npm install @octokit/openapi@23.0.2 @octokit/graphql-schema@15.26.1 @octokit/webhooks-schemas@7.6.1
    python tests/github_description/cut.py node_modules/@octokit

writes rest.json, graphql.graphql and webhooks.json beside this file. Nothing is changed but what is left out:
words for readers, examples, and everything that no kept operation, field or event leads to.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

OPERATIONS = {
    "actions": "list-artifacts-for-repo download-artifact get-artifact get-workflow create-workflow-dispatch",
    "checks": "create update get list-for-ref",
    "git": "get-ref list-matching-refs create-ref update-ref delete-ref create-blob get-blob"
    " create-tree get-tree create-commit get-commit",
    "issues": "get list-for-repo create list-comments create-comment get-comment update-comment"
    " delete-comment add-labels list-labels-on-issue list-labels-for-repo remove-label",
    "pulls": "get list create update list-files list-commits request-reviewers",
    "rate-limit": "get",
    "reactions": "list-for-issue-comment create-for-issue-comment delete-for-issue-comment"
    " list-for-issue create-for-issue delete-for-issue",
    "repos": "get get-collaborator-permission-level check-collaborator list-commits get-commit"
    " compare-commits-with-basehead get-branch list-branches get-content create-commit-status"
    " list-commit-statuses-for-ref get-combined-status-for-ref",
    "teams": "get-membership-for-user-in-org",
    "users": "get-authenticated get-by-username",
}
FIELDS = {
    "Query": "id viewer repository node rateLimit",
    "Mutation": "updateRefs minimizeComment updateIssueComment addReaction",
    "Actor": "login url",
    "User": "id login databaseId url",
    "Bot": "id login databaseId url",
    "Repository": "id databaseId name nameWithOwner isPrivate url owner defaultBranchRef ref object"
    " pullRequest",
    "RepositoryOwner": "id login url",
    "Ref": "id name prefix target",
    "GitObject": "id oid",
    "Commit": "id oid file tree",
    "Tree": "id oid",
    "TreeEntry": "mode type object",
    "Blob": "id oid text byteSize isBinary isTruncated",
    "Node": "id",
    "PullRequest": "id databaseId fullDatabaseId number title body url state isDraft isCrossRepository"
    " maintainerCanModify author"
    " headRef headRefName headRefOid baseRef baseRefName baseRefOid headRepository"
    " comments createdAt updatedAt editor"
    " lastEditedAt includesCreatedEdit viewerDidAuthor",
    "Comment": "id body author editor createdAt updatedAt lastEditedAt includesCreatedEdit viewerDidAuthor",
    "IssueComment": "id databaseId fullDatabaseId body url author editor createdAt updatedAt lastEditedAt"
    " includesCreatedEdit isMinimized minimizedReason viewerDidAuthor",
    "Minimizable": "isMinimized minimizedReason",
    "IssueCommentConnection": "nodes pageInfo totalCount",
    "PageInfo": "hasNextPage hasPreviousPage startCursor endCursor",
    "RateLimit": "limit cost remaining used",
    "UpdateRefsPayload": "clientMutationId",
    "MinimizeCommentPayload": "clientMutationId minimizedComment",
    "UpdateIssueCommentPayload": "clientMutationId issueComment",
    "AddReactionPayload": "clientMutationId subject",
    "Reactable": "id",
}
EVENTS = ("issue_comment", "pull_request", "workflow_dispatch")

_FOR_READERS = frozenset("description examples example externalDocs x-github x-octokit title summary".split())


def main(source: Path) -> None:
    rest = json.loads((source / "openapi/generated/api.github.com.json").read_text("utf-8"))
    _write("rest.json", _rest(rest))
    schema = (source / "graphql-schema/schema.graphql").read_text("utf-8")
    (HERE / "graphql.graphql").write_text(_graphql(schema), "utf-8")
    hooks = json.loads((source / "webhooks-schemas/schema.json").read_text("utf-8"))
    _write("webhooks.json", _webhooks(hooks))


def _rest(whole: dict[str, Any]) -> dict[str, Any]:
    wanted = {f"{area}/{name}" for area, names in OPERATIONS.items() for name in names.split()}
    paths: dict[str, Any] = {}
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            if operation.get("operationId") in wanted:
                wanted.discard(operation["operationId"])
                paths.setdefault(path, {})[method] = _bare(operation)
    if wanted:
        raise SystemExit(f"not in the description: {sorted(wanted)}")
    kept: dict[str, Any] = {}
    todo = list(_references(paths))
    while todo:
        kind, name = todo.pop().split("/")[2:]
        if name not in kept.setdefault(kind, {}):
            kept[kind][name] = _bare(whole["components"][kind][name])
            todo += _references(kept[kind][name])
    info = {"title": whole["info"]["title"], "version": whole["info"]["version"]}
    return {"openapi": whole["openapi"], "info": info, "paths": paths, "components": kept}


def _webhooks(whole: dict[str, Any]) -> dict[str, Any]:
    definitions = whole["definitions"]
    todo = [name for name in definitions if name.split("$")[0] in EVENTS]
    kept: dict[str, Any] = {}
    while todo:
        name = todo.pop()
        if name not in kept:
            kept[name] = _bare(definitions[name])
            todo += [reference.rpartition("/")[2] for reference in _references(kept[name])]
    return {"$schema": whole["$schema"], "definitions": dict(sorted(kept.items()))}


def _graphql(text: str) -> str:
    """Also leaves out interfaces, unions and arguments' types that no kept field leads to."""
    import graphql

    schema = graphql.parse(text, no_location=True)
    nodes = {node.name.value: node for node in schema.definitions if hasattr(node, "name")}
    kept: dict[str, Any] = {}
    todo = list(FIELDS)
    while todo:
        name = todo.pop()
        if name in kept or name not in nodes:
            continue
        node = nodes[name]
        if name in FIELDS:
            wanted = FIELDS[name].split()
            fields = tuple(field for field in node.fields or () if field.name.value in wanted)
            if missing := set(wanted) - {field.name.value for field in fields}:
                raise SystemExit(f"not in GraphQL's {name}: {missing}")
            interfaces = tuple(one for one in node.interfaces or () if one.name.value in FIELDS)
            node = replace(node, fields=fields, interfaces=interfaces)
        elif node.kind in ("object_type_definition", "interface_type_definition", "union_type_definition"):
            raise SystemExit(f"a kept field leads to {name}: list its fields, or drop the field")
        kept[name] = node
        todo += _named_types(node)
    return "\n\n".join(graphql.print_ast(_silent(kept[name])) for name in sorted(kept)) + "\n"


def _named_types(node: object) -> Iterator[str]:
    import graphql

    class Names(graphql.Visitor):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.found: set[str] = set()

        def enter_named_type(self, one: Any, *_: object) -> None:
            self.found.add(one.name.value)

    names = Names()
    graphql.visit(node, names)  # type: ignore[arg-type]
    yield from names.found


def _silent(node: Any) -> Any:
    import graphql

    class Silence(graphql.Visitor):  # type: ignore[misc]
        def leave(self, one: Any, *_: object) -> Any:
            less = {"description": None} if getattr(one, "description", None) else {}
            if getattr(one, "directives", None):
                less["directives"] = tuple(each for each in one.directives if each.name.value == "deprecated")
            return replace(one, **less) if less else None

    return graphql.visit(node, Silence())


def _bare(value: Any, *, is_names: bool = False) -> Any:
    """Without words for readers; `is_names`: the keys are names of properties, so all of them stay."""
    if isinstance(value, dict):
        return {
            name: _bare(item, is_names=name in ("properties", "patternProperties") and not is_names)
            for name, item in value.items()
            if is_names or name not in _FOR_READERS
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def _write(name: str, value: dict[str, Any]) -> None:
    """Compact, one path or schema to a line, so that a new version can be read as a diff."""
    (HERE / name).write_text("".join(_lines(value, depth=3)) + "\n", "utf-8")


def _lines(value: Any, *, depth: int) -> Iterable[str]:
    if depth == 0 or not isinstance(value, dict) or not value:
        yield json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return
    for number, (name, item) in enumerate(value.items()):
        yield f"{'{' if number == 0 else ','}\n{json.dumps(name)}:"
        yield from _lines(item, depth=depth - 1)
    yield "}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
