"""Commits, trees, files, checks, statuses and artifacts as GitHub's REST API spells them."""

import base64
from collections.abc import Sequence

from bot.demo.github.bare import Leaf, Object
from bot.demo.github.call import Refused, Urls
from bot.demo.github.commit_object import CommitParts, Signature, read_commit
from bot.demo.github.difference import ChangedFile
from bot.demo.github.shapes import Shape, account_shape, moment
from bot.demo.github.state import Artifact, Check, Repository, State, Status, node_id


def commit_of(repository: Repository, sha: str) -> CommitParts:
    """Raises GitHub's 404 for what is not a commit here."""
    found = repository.bare.object(sha)
    if found is None or found.kind != "commit":
        raise Refused(404, "Not Found")
    return read_commit(found.content)


def commit_shape(repository: Repository, sha: str, urls: Urls) -> Shape:
    """A commit as `/git/commits` gives it."""
    parts, url = commit_of(repository, sha), urls.repository(repository)
    return {
        "sha": sha,
        "node_id": _git_node("C", sha),
        "url": f"{url}/git/commits/{sha}",
        "html_url": f"{urls.page(repository)}/commit/{sha}",
        "author": _signature_shape(parts.author),
        "committer": _signature_shape(parts.committer),
        "message": parts.message,
        "tree": {"sha": parts.tree, "url": f"{url}/git/trees/{parts.tree}"},
        "parents": _parents(repository, parts, urls, git=True),
        "verification": _verification(repository, sha),
    }


def listed_commit_shape(state: State, repository: Repository, sha: str, urls: Urls) -> Shape:
    """A commit as `/commits` gives it: with accounts, found by their noreply addresses."""
    parts, url = commit_of(repository, sha), f"{urls.repository(repository)}/commits/{sha}"
    told = commit_shape(repository, sha, urls)
    names = ("author", "committer", "message", "tree", "verification")
    return {
        "url": url,
        "sha": sha,
        "node_id": told["node_id"],
        "html_url": told["html_url"],
        "comments_url": f"{url}/comments",
        "commit": {name: told[name] for name in names} | {"url": told["url"], "comment_count": 0},
        "author": _account_of(state, parts.author, urls),
        "committer": _account_of(state, parts.committer, urls),
        "parents": _parents(repository, parts, urls, git=False),
    }


def _parents(repository: Repository, parts: CommitParts, urls: Urls, *, git: bool) -> list[Shape]:
    url, page = urls.repository(repository) + ("/git" if git else ""), urls.page(repository)
    return [
        {"sha": sha, "url": f"{url}/commits/{sha}", "html_url": f"{page}/commit/{sha}"}
        for sha in parts.parents
    ]


def _signature_shape(signature: Signature) -> Shape:
    return {"name": signature.name, "email": signature.email, "date": moment(signature.at)}


def _account_of(state: State, signature: Signature, urls: Urls) -> Shape | None:
    for account in state.accounts.values():
        if account.email == signature.email:
            return account_shape(account, urls)
    return None


def _verification(repository: Repository, sha: str) -> Shape:
    """GitHub signs what a bot commits through the API without naming an author, and nothing else here."""
    if sha not in repository.verified:
        return {
            "verified": False,
            "reason": "unsigned",
            "signature": None,
            "payload": None,
            "verified_at": None,
        }
    return {
        "verified": True,
        "reason": "valid",
        "signature": "(the embedded GitHub only says that it signed)",
        "payload": sha,
        "verified_at": moment(commit_of(repository, sha).committer.at),
    }


def ref_shape(repository: Repository, ref: str, sha: str, urls: Urls) -> Shape:
    url = urls.repository(repository)
    found = repository.bare.object(sha)
    kind = found.kind if found else "commit"
    return {
        "ref": ref,
        "node_id": _git_node("REF", ref),
        "url": f"{url}/git/{ref}",
        "object": {"sha": sha, "type": kind, "url": f"{url}/git/{kind}s/{sha}"},
    }


def tree_shape(
    repository: Repository, sha: str, leaves: Sequence[Leaf], urls: Urls, *, truncated: bool
) -> Shape:
    url = f"{urls.repository(repository)}/git"
    return {
        "sha": sha,
        "url": f"{url}/trees/{sha}",
        "tree": [_leaf_shape(repository, leaf, url) for leaf in leaves],
        "truncated": truncated,
    }


def _leaf_shape(repository: Repository, leaf: Leaf, url: str) -> Shape:
    shape: Shape = {"path": leaf.path, "mode": leaf.mode, "type": leaf.kind, "sha": leaf.sha}
    if leaf.kind == "commit":
        return shape
    if leaf.kind == "blob":
        found = repository.bare.object(leaf.sha)
        shape["size"] = len(found.content) if found else 0
    return shape | {"url": f"{url}/{leaf.kind}s/{leaf.sha}"}


def blob_shape(repository: Repository, blob: Object, urls: Urls) -> Shape:
    return {
        "sha": blob.sha,
        "node_id": _git_node("B", blob.sha),
        "size": len(blob.content),
        "url": f"{urls.repository(repository)}/git/blobs/{blob.sha}",
        # GitHub breaks the lines, and clients have to put up with it.
        "content": base64.encodebytes(blob.content).decode(),
        "encoding": "base64",
    }


def file_shape(repository: Repository, leaf: Leaf, ref: str, urls: Urls, *, whole: bool) -> Shape:
    """One entry of `/contents`; `whole` with the bytes, as for a single file."""
    url, page = urls.repository(repository), urls.page(repository)
    found = repository.bare.object(leaf.sha) if leaf.kind == "blob" else None
    kind = {"tree": "dir", "commit": "submodule"}.get(
        leaf.kind, "symlink" if leaf.mode == "120000" else "file"
    )
    links = {
        "self": f"{url}/contents/{leaf.path}?ref={ref}",
        "git": f"{url}/git/{leaf.kind}s/{leaf.sha}" if leaf.kind != "commit" else None,
        "html": f"{page}/{'blob' if found else 'tree'}/{ref}/{leaf.path}",
    }
    shape: Shape = {
        "name": leaf.path.rpartition("/")[2],
        "path": leaf.path,
        "sha": leaf.sha,
        "size": len(found.content) if found else 0,
        "url": links["self"],
        "html_url": links["html"],
        "git_url": links["git"],
        "download_url": f"{page}/raw/{ref}/{leaf.path}" if found else None,
        "type": kind,
    }
    if found and whole and kind == "symlink":
        shape["target"] = found.content.decode("utf-8", "replace")
    elif found and whole:
        is_small = len(found.content) <= 1_000_000
        # From 1 MB on GitHub leaves the content out, and says so with this encoding.
        shape["encoding"] = "base64" if is_small else "none"
        shape["content"] = base64.encodebytes(found.content).decode() if is_small else ""
    return shape | {"_links": links}


def changed_file_shape(repository: Repository, file: ChangedFile, sha: str, urls: Urls) -> Shape:
    url, page = urls.repository(repository), urls.page(repository)
    shape: Shape = {
        "sha": file.blob,
        "filename": file.path,
        "status": file.status,
        "additions": file.additions,
        "deletions": file.deletions,
        "changes": file.additions + file.deletions,
        "blob_url": f"{page}/blob/{sha}/{file.path}",
        "raw_url": f"{page}/raw/{sha}/{file.path}",
        "contents_url": f"{url}/contents/{file.path}?ref={sha}",
    }
    if file.patch is not None:
        shape["patch"] = file.patch
    if file.previous_path is not None:
        shape["previous_filename"] = file.previous_path
    return shape


def check_shape(repository: Repository, check: Check, urls: Urls) -> Shape:
    url = f"{urls.repository(repository)}/check-runs/{check.id}"
    return {
        "id": check.id,
        "name": check.name,
        "node_id": node_id("CR", check.id),
        "head_sha": check.head_sha,
        "external_id": check.external_id,
        "url": url,
        "html_url": f"{urls.page(repository)}/runs/{check.id}",
        "details_url": check.details_url,
        "status": check.status,
        "conclusion": check.conclusion,
        "started_at": moment(check.started_at),
        "completed_at": moment(check.completed_at),
        "output": check.output | {"annotations_count": 0, "annotations_url": f"{url}/annotations"},
        "check_suite": {"id": check.id},
        "app": None,
        "pull_requests": [],
    }


def status_shape(repository: Repository, status: Status, urls: Urls) -> Shape:
    creator = account_shape(status.creator, urls)
    return {
        "url": f"{urls.repository(repository)}/statuses/{status.sha}",
        "avatar_url": creator["avatar_url"],
        "id": status.id,
        "node_id": node_id("SC", status.id),
        "state": status.state,
        "description": status.description,
        "target_url": status.target_url,
        "context": status.context,
        "created_at": moment(status.at),
        "updated_at": moment(status.at),
        "creator": creator,
    }


def artifact_shape(repository: Repository, artifact: Artifact, urls: Urls) -> Shape:
    url = f"{urls.repository(repository)}/actions/artifacts/{artifact.id}"
    return {
        "id": artifact.id,
        "node_id": node_id("MDg", artifact.id),
        "name": artifact.name,
        "size_in_bytes": len(artifact.zip),
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": artifact.expired,
        "created_at": moment(artifact.created_at),
        "expires_at": moment(artifact.created_at),
        "updated_at": moment(artifact.created_at),
        "workflow_run": {
            "id": artifact.run_id,
            "repository_id": repository.id,
            "head_repository_id": repository.id,
            "head_branch": artifact.head_branch,
            "head_sha": artifact.head_sha,
        },
    }


def _git_node(kind: str, name: str) -> str:
    return f"{kind}_{base64.urlsafe_b64encode(name.encode('utf-8', 'replace')).decode().rstrip('=')}"
