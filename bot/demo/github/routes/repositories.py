"""A repository: its files, branches, commits, comparisons; and who may do what there."""

from typing import Any

from bot.demo.github.bare import Leaf, is_ref, is_sha
from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.difference import changed_files
from bot.demo.github.git_shapes import (
    changed_file_shape,
    commit_of,
    file_shape,
    listed_commit_shape,
)
from bot.demo.github.shapes import account_shape, permissions_shape, repository_shape
from bot.demo.github.state import Repository

_LEGACY = {"maintain": "write", "triage": "read"}


def get_repository(call: Call) -> Answer:
    reader = call.token.account if call.token else None
    shape = repository_shape(call.repository, call.urls, reader=reader)
    shape |= {"network_count": 0, "subscribers_count": 0}
    if call.repository.parent:
        parent = repository_shape(call.repository.parent, call.urls)
        shape |= {"parent": parent, "source": parent}
    return Answer(body=shape)


def commit_named(repository: Repository, name: str) -> str:
    """A commit by sha, branch, tag or full ref, as GitHub resolves `ref` in addresses; 404 for none."""
    bare = repository.bare
    if is_sha(name):
        found = bare.object(name)
        if found and found.kind == "commit":
            return name
    for ref in (name, f"refs/{name}", f"refs/heads/{name}", f"refs/tags/{name}"):
        sha = bare.ref(ref) if is_ref(ref) else None
        if sha:
            return sha
    raise Refused(404, "Not Found")


def get_contents(call: Call) -> Answer:
    repository, path = call.repository, call.parts.get("path", "").strip("/")
    ref = call.query.get("ref") or repository.default_branch
    try:
        tree = commit_of(repository, commit_named(repository, ref)).tree
    except Refused as error:
        raise Refused(404, f"No commit found for the ref {ref}") from error
    leaf = repository.bare.leaf(tree, path) if path else Leaf(path="", mode="040000", sha=tree)
    if leaf is None:
        raise Refused(404, "Not Found")
    if leaf.kind == "tree":
        return Answer(
            body=[_entry(repository, child, path, ref, call) for child in repository.bare.leaves(leaf.sha)]
        )
    found = repository.bare.object(leaf.sha)
    if found and "raw" in call.headers.get("accept", ""):
        return Answer(
            body=found.content, headers={"Content-Type": "application/vnd.github.raw; charset=utf-8"}
        )
    whole = Leaf(path=path, mode=leaf.mode, sha=leaf.sha)
    return Answer(body=file_shape(repository, whole, ref, call.urls, whole=True))


def _entry(repository: Repository, child: Leaf, folder: str, ref: str, call: Call) -> dict[str, Any]:
    path = f"{folder}/{child.path}" if folder else child.path
    leaf = Leaf(path=path, mode=child.mode, sha=child.sha)
    return file_shape(repository, leaf, ref, call.urls, whole=False)


def get_branch(call: Call) -> Answer:
    repository, name = call.repository, call.parts["branch"]
    sha = repository.branch(name)
    if sha is None:
        raise Refused(404, "Branch not found")
    return Answer(body=_branch(call, name, sha, whole=True))


def list_branches(call: Call) -> Answer:
    refs = call.repository.bare.refs("refs/heads/")
    return call.paged(
        [_branch(call, ref.removeprefix("refs/heads/"), sha, whole=False) for ref, sha in refs.items()]
    )


def _branch(call: Call, name: str, sha: str, *, whole: bool) -> dict[str, Any]:
    url = call.urls.repository(call.repository)
    shape: dict[str, Any] = {
        "name": name,
        "commit": {"sha": sha, "url": f"{url}/commits/{sha}"},
        "protected": False,
    }
    if whole:
        page = f"{call.urls.page(call.repository)}/tree/{name}"
        shape |= {
            "commit": listed_commit_shape(call.state, call.repository, sha, call.urls),
            "_links": {"self": f"{url}/branches/{name}", "html": page},
            "protection": {"enabled": False},
            "protection_url": f"{url}/branches/{name}/protection",
        }
    return shape


def list_commits(call: Call) -> Answer:
    repository = call.repository
    start = commit_named(repository, call.query.get("sha") or repository.default_branch)
    path = call.query.get("path")
    limits = ["--", f":(literal){path}"] if path else []
    shas = repository.bare.known("rev-list", "--max-count=1000", start, *limits).decode().split()
    return call.paged([listed_commit_shape(call.state, repository, sha, call.urls) for sha in shas])


def get_commit(call: Call) -> Answer:
    repository, name = call.repository, call.parts["ref"]
    try:
        sha = commit_named(repository, name)
    except Refused as error:
        raise Refused(422, f"No commit found for SHA: {name}") from error
    parents = commit_of(repository, sha).parents
    empty = repository.bare.write("tree", b"")
    files = changed_files(repository.bare, before=parents[0] if parents else empty, after=sha)
    counts = {
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
    }
    shape = listed_commit_shape(call.state, repository, sha, call.urls)
    shape["stats"] = counts | {"total": sum(counts.values())}
    shape["files"] = [changed_file_shape(repository, file, sha, call.urls) for file in files]
    return Answer(body=shape)


def compare(call: Call) -> Answer:
    repository, bare = call.repository, call.repository.bare
    first, dots, second = call.parts["basehead"].partition("...")
    if not dots:
        raise Refused(404, "Not Found")
    base, head = commit_named(repository, first), commit_named(repository, second)
    fork_point = bare.merge_base(base, head)
    if fork_point is None:
        raise Refused(404, f"No common ancestor between {first} and {second}.")
    ahead = bare.known("rev-list", "--reverse", head, f"^{base}").decode().split()
    behind = bare.known("rev-list", base, f"^{head}").decode().split()
    url = f"{call.urls.repository(repository)}/compare/{call.parts['basehead']}"
    page = f"{call.urls.page(repository)}/compare/{call.parts['basehead']}"
    state = {(False, False): "identical", (True, False): "ahead", (False, True): "behind"}
    files = changed_files(bare, before=fork_point, after=head)
    return Answer(
        body={
            "url": url,
            "html_url": page,
            "permalink_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "base_commit": listed_commit_shape(call.state, repository, base, call.urls),
            "merge_base_commit": listed_commit_shape(call.state, repository, fork_point, call.urls),
            "status": state.get((bool(ahead), bool(behind)), "diverged"),
            "ahead_by": len(ahead),
            "behind_by": len(behind),
            "total_commits": len(ahead),
            "commits": [listed_commit_shape(call.state, repository, sha, call.urls) for sha in ahead],
            "files": [changed_file_shape(repository, file, head, call.urls) for file in files],
        }
    )


def permission(call: Call) -> Answer:
    account = call.state.account(call.parts["login"])
    if account is None:
        raise Refused(404, f"{call.parts['login']} is not a user")
    role = call.repository.role(account)
    user = account_shape(account, call.urls) | {
        "permissions": permissions_shape(call.repository, account),
        "role_name": role,
    }
    return Answer(body={"permission": _LEGACY.get(role, role), "user": user, "role_name": role})


def is_collaborator(call: Call) -> Answer:
    account = call.state.account(call.parts["login"])
    repository = call.repository
    if account and (account.id == repository.owner.id or account.login.lower() in repository.roles):
        return Answer(status=204)
    raise Refused(404, "Not Found")


_AT = "/repos/{owner}/{repo}"
_READ = ("contents:read",)

ROUTES = (
    Route("GET", _AT, get_repository),
    Route("GET", f"{_AT}/contents/", get_contents, needs=_READ),
    Route("GET", f"{_AT}/contents/{{path+}}", get_contents, needs=_READ),
    Route("GET", f"{_AT}/branches", list_branches, needs=_READ),
    Route("GET", f"{_AT}/branches/{{branch+}}", get_branch, needs=_READ),
    Route("GET", f"{_AT}/commits", list_commits, needs=_READ),
    Route("GET", f"{_AT}/compare/{{basehead+}}", compare, needs=_READ),
    Route("GET", f"{_AT}/collaborators/{{login}}/permission", permission, role="write"),
    Route("GET", f"{_AT}/collaborators/{{login}}", is_collaborator, role="write"),
)
# After the routes for a commit's checks and statuses: a branch's name may have slashes too.
LAST_ROUTES = (Route("GET", f"{_AT}/commits/{{ref+}}", get_commit, needs=_READ),)
