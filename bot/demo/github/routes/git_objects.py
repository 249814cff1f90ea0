"""Blobs, trees, commits and refs: the Git Data API, over the real objects."""

import base64
import binascii
from datetime import datetime
from typing import Any

from bot.demo.github.bare import NO_SHA, GitFailed, Leaf, RefUpdate, is_ref, is_sha
from bot.demo.github.call import Answer, Call, Refused, Route, grants
from bot.demo.github.commit_object import Signature, commit_bytes, read_commit
from bot.demo.github.git_shapes import blob_shape, commit_shape, ref_shape, tree_shape
from bot.demo.github.push import may_move, push, touches_workflows

_MODES = {"100644": "blob", "100755": "blob", "120000": "blob", "160000": "commit", "040000": "tree"}
_MOST_LEAVES = 100_000


def get_ref(call: Call) -> Answer:
    name = f"refs/{call.parts['ref']}"
    sha = call.repository.bare.ref(name)
    if sha is None:
        raise Refused(404, "Not Found")
    return Answer(body=ref_shape(call.repository, name, sha, call.urls))


def matching_refs(call: Call) -> Answer:
    start = f"refs/{call.parts.get('ref', '')}"
    refs = call.repository.bare.refs("refs/")
    return call.paged(
        [
            ref_shape(call.repository, name, sha, call.urls)
            for name, sha in refs.items()
            if name.startswith(start)
        ]
    )


def create_ref(call: Call) -> Answer:
    name, sha = call.field("ref", needed=True), call.field("sha", needed=True)
    if not is_ref(name) or name.count("/") < 2:
        raise Refused(422, "Reference name must start with 'refs/' and contain at least two slashes")
    _needs_commit(call, sha)
    _may_move(call, name)
    _spares_workflows(call, None, sha)
    if not push(call.state, call.repository, [RefUpdate(ref=name, before=NO_SHA, after=sha)]):
        raise Refused(422, "Reference already exists")
    return Answer(status=201, body=ref_shape(call.repository, name, sha, call.urls))


def update_ref(call: Call) -> Answer:
    name, sha = f"refs/{call.parts['ref']}", call.field("sha", needed=True)
    before = call.repository.bare.ref(name)
    if before is None:
        raise Refused(422, "Reference does not exist")
    _needs_commit(call, sha)
    _may_move(call, name)
    _spares_workflows(call, before, sha)
    forced = call.field("force", bool) or False
    if not forced and not call.repository.bare.is_ancestor(before, sha):
        raise Refused(422, "Update is not a fast forward")
    if not push(call.state, call.repository, [RefUpdate(ref=name, before=before, after=sha)]):
        raise Refused(409, "Reference cannot be updated")
    return Answer(body=ref_shape(call.repository, name, sha, call.urls))


def delete_ref(call: Call) -> Answer:
    name = f"refs/{call.parts['ref']}"
    before = call.repository.bare.ref(name)
    if before is None:
        raise Refused(422, "Reference does not exist")
    _may_move(call, name)
    push(call.state, call.repository, [RefUpdate(ref=name, before=before, after=NO_SHA)])
    return Answer(status=204)


def _needs_commit(call: Call, sha: str) -> None:
    found = call.repository.bare.object(sha) if is_sha(sha) else None
    if found is None:
        raise Refused(422, "Object does not exist")
    if found.kind != "commit":
        raise Refused(422, "Object is not a commit")


def _may_move(call: Call, ref: str) -> None:
    """Who may write only where a pull request lets maintainers edit moves that branch and no other."""
    if call.token is None or call.token.permissions is not None:
        return
    if not may_move(call.state, call.repository, call.account, ref):
        raise Refused(403, "Must have push access to repository")


def _spares_workflows(call: Call, before: str | None, after: str) -> None:
    token = call.token
    if token is None or token.permissions is None or grants(token.permissions, "workflows:write"):
        return
    if touches_workflows(call.repository, before=before, after=after):
        raise Refused(403, "Resource not accessible by integration")


def create_blob(call: Call) -> Answer:
    text, encoding = call.field("content", needed=True), call.field("encoding") or "utf-8"
    if encoding not in ("utf-8", "base64"):
        raise Refused(422, f"Invalid request.\n\n{encoding!r} is not a known encoding.")
    try:
        content = base64.b64decode(text, validate=False) if encoding == "base64" else text.encode()
    except (binascii.Error, ValueError) as error:
        raise Refused(422, "content is not valid Base64") from error
    sha = call.repository.bare.write("blob", content)
    return Answer(
        status=201, body={"sha": sha, "url": f"{call.urls.repository(call.repository)}/git/blobs/{sha}"}
    )


def get_blob(call: Call) -> Answer:
    found = call.repository.bare.object(call.parts["sha"]) if is_sha(call.parts["sha"]) else None
    if found is None or found.kind != "blob":
        raise Refused(404, "Not Found")
    if "raw" in call.headers.get("accept", ""):
        return Answer(body=found.content, headers={"Content-Type": "application/octet-stream"})
    return Answer(body=blob_shape(call.repository, found, call.urls))


def create_tree(call: Call) -> Answer:
    entries, base = call.field("tree", list, needed=True), call.field("base_tree")
    bare = call.repository.bare
    tree = _tree_of(call, base) if base is not None else None
    if base is not None and tree is None:
        raise Refused(422, "base_tree is not a valid tree SHA")
    changes = [_change(call, entry) for entry in entries]
    for change in changes:
        if change.sha == NO_SHA and (tree is None or bare.leaf(tree, change.path) is None):
            raise Refused(422, "GitRPC::BadObjectState")
    try:
        sha = bare.make_tree(tree, changes)
    except GitFailed as error:
        raise Refused(422, "tree.path contains a malformed path component") from error
    return Answer(
        status=201, body=tree_shape(call.repository, sha, bare.leaves(sha), call.urls, truncated=False)
    )


def _change(call: Call, entry: object) -> Leaf:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in ("path", "mode")):
        raise Refused(422, "Invalid tree info")
    path, mode = entry["path"], entry["mode"]
    if mode not in _MODES:
        raise Refused(422, "Must supply a valid tree.mode")
    if path.startswith("/") or path.endswith("/") or "\0" in path or not path:
        raise Refused(422, "tree.path contains a malformed path component")
    if isinstance(entry.get("content"), str):
        if entry.get("sha") is not None:
            raise Refused(422, "Must supply either tree.sha or tree.content.")
        return Leaf(path=path, mode=mode, sha=call.repository.bare.write("blob", entry["content"].encode()))
    if "sha" not in entry:
        raise Refused(422, "Must supply either tree.sha or tree.content.")
    if entry["sha"] is None:
        return Leaf(path=path, mode=mode, sha=NO_SHA)
    found = call.repository.bare.object(str(entry["sha"])) if is_sha(str(entry["sha"])) else None
    if mode != "160000" and (found is None or found.kind != _MODES[mode]):
        raise Refused(422, f"tree.sha {entry['sha']} is not a valid {_MODES[mode]}")
    return Leaf(path=path, mode=mode, sha=str(entry["sha"]))


def _tree_of(call: Call, name: str) -> str | None:
    """The tree a tree, a commit or (as GitHub also takes) a branch name stands for."""
    bare = call.repository.bare
    found = bare.object(name) if is_sha(name) else bare.object(f"refs/heads/{name}")
    if found is not None and found.kind == "commit":
        return read_commit(found.content).tree
    return found.sha if found is not None and found.kind == "tree" else None


def get_tree(call: Call) -> Answer:
    tree = _tree_of(call, call.parts["sha"])
    if tree is None:
        raise Refused(404, "Not Found")
    bare = call.repository.bare
    # Whatever the value: GitHub takes `recursive=0` for a yes as well.
    leaves = list(bare.walk(tree)) if "recursive" in call.query else bare.leaves(tree)
    is_cut = len(leaves) > _MOST_LEAVES
    return Answer(body=tree_shape(call.repository, tree, leaves[:_MOST_LEAVES], call.urls, truncated=is_cut))


def create_commit(call: Call) -> Answer:
    message, tree = call.field("message", needed=True), call.field("tree", needed=True)
    parents = call.field("parents", list) or []
    bare = call.repository.bare
    found = bare.object(tree) if is_sha(tree) else None
    if found is None or found.kind != "tree":
        raise Refused(422, "Tree SHA does not exist")
    for parent in parents:
        above = bare.object(parent) if isinstance(parent, str) and is_sha(parent) else None
        if above is None or above.kind != "commit":
            raise Refused(422, "Parent SHA does not exist or is not a commit object")
    named = {name: call.field(name, dict) for name in ("author", "committer")}
    default = Signature(name=call.account.login, email=call.account.email, at=call.state.now())
    author = _signature(named["author"], default)
    committer = _signature(named["committer"], author)
    content = commit_bytes(tree=tree, parents=parents, author=author, committer=committer, message=message)
    sha = bare.write("commit", content)
    if call.account.type == "Bot" and not any(named.values()):
        call.repository.verified.add(sha)
    return Answer(status=201, body=commit_shape(call.repository, sha, call.urls))


def _signature(given: dict[str, Any] | None, default: Signature) -> Signature:
    if not given:
        return default
    if not all(isinstance(given.get(name), str) for name in ("name", "email")):
        raise Refused(422, 'Invalid request.\n\n"name", "email" weren\'t supplied.')
    at = given.get("date")
    try:
        return Signature(
            name=given["name"], email=given["email"], at=datetime.fromisoformat(at) if at else default.at
        )
    except (TypeError, ValueError) as error:
        raise Refused(422, f"Invalid request.\n\n{at!r} is not a valid date-time.") from error


def get_commit(call: Call) -> Answer:
    if not is_sha(call.parts["sha"]):
        raise Refused(404, "Not Found")
    return Answer(body=commit_shape(call.repository, call.parts["sha"], call.urls))


_AT = "/repos/{owner}/{repo}/git"
_READ, _WRITE = ("contents:read",), ("contents:write",)

ROUTES = (
    Route("GET", f"{_AT}/ref/{{ref+}}", get_ref, needs=_READ),
    Route("GET", f"{_AT}/matching-refs/{{ref+}}", matching_refs, needs=_READ),
    Route("POST", f"{_AT}/refs", create_ref, needs=_WRITE, role="write"),
    Route("PATCH", f"{_AT}/refs/{{ref+}}", update_ref, needs=_WRITE, role="write"),
    Route("DELETE", f"{_AT}/refs/{{ref+}}", delete_ref, needs=_WRITE, role="write"),
    Route("POST", f"{_AT}/blobs", create_blob, needs=_WRITE, role="write"),
    Route("GET", f"{_AT}/blobs/{{sha}}", get_blob, needs=_READ),
    Route("POST", f"{_AT}/trees", create_tree, needs=_WRITE, role="write"),
    Route("GET", f"{_AT}/trees/{{sha+}}", get_tree, needs=_READ),
    Route("POST", f"{_AT}/commits", create_commit, needs=_WRITE, role="write"),
    Route("GET", f"{_AT}/commits/{{sha}}", get_commit, needs=_READ),
)
