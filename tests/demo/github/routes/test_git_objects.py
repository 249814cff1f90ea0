"""GitHub's own refusals, each as status and words; and none of them leaves anything behind."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository

AT = "/repos/acme/pocket/git"
ONES = "1" * 40


def leaf(**more: Any) -> dict[str, Any]:
    return {"path": "a", "mode": "100644", "type": "blob", **more}


REFUSED: dict[str, tuple[str, str, dict[str, Any], int, str]] = {
    "a ref without refs/": (
        "POST",
        "/refs",
        {"ref": "heads/x", "sha": "TIP"},
        422,
        "must start with 'refs/'",
    ),
    "a ref that is there": ("POST", "/refs", {"ref": "refs/heads/main", "sha": "TIP"}, 422, "already exists"),
    "a ref to nothing": ("POST", "/refs", {"ref": "refs/heads/x", "sha": ONES}, 422, "does not exist"),
    "a ref to a tree": ("POST", "/refs", {"ref": "refs/heads/x", "sha": "TREE"}, 422, "not a commit"),
    "moving what is not there": ("PATCH", "/refs/heads/none", {"sha": "TIP"}, 422, "does not exist"),
    "going back without force": ("PATCH", "/refs/heads/feature", {"sha": "ROOT"}, 422, "not a fast forward"),
    "a blob in a strange coding": ("POST", "/blobs", {"content": "x", "encoding": "hex"}, 422, "encoding"),
    "a blob that is no base64": ("POST", "/blobs", {"content": "x", "encoding": "base64"}, 422, "Base64"),
    "a tree without entries": ("POST", "/trees", {"base_tree": "TREE"}, 422, '"tree" wasn\'t supplied'),
    "a tree on nothing": ("POST", "/trees", {"base_tree": ONES, "tree": []}, 422, "base_tree"),
    "a strange mode": ("POST", "/trees", {"tree": [leaf(mode="100600", content="x")]}, 422, "tree.mode"),
    "neither sha nor content": ("POST", "/trees", {"tree": [leaf()]}, 422, "either tree.sha or"),
    "both": ("POST", "/trees", {"tree": [leaf(sha=ONES, content="x")]}, 422, "either tree.sha or"),
    "a blob that is not there": ("POST", "/trees", {"tree": [leaf(sha=ONES)]}, 422, "not a valid blob"),
    "a tree as a blob": ("POST", "/trees", {"tree": [leaf(sha="TREE")]}, 422, "not a valid blob"),
    "out of the tree": ("POST", "/trees", {"tree": [leaf(path="../a", content="x")]}, 422, "malformed path"),
    "into .git": ("POST", "/trees", {"tree": [leaf(path=".git/config", content="x")]}, 422, "malformed path"),
    "from the root": ("POST", "/trees", {"tree": [leaf(path="/a", content="x")]}, 422, "malformed path"),
    "deleting what is not there": (
        "POST",
        "/trees",
        {"base_tree": "TREE", "tree": [leaf(path="none", sha=None)]},
        422,
        "GitRPC::BadObjectState",
    ),
    "a commit of no tree": ("POST", "/commits", {"message": "m", "tree": "TIP"}, 422, "Tree SHA"),
    "a commit on a tree": (
        "POST",
        "/commits",
        {"message": "m", "tree": "TREE", "parents": ["TREE"]},
        422,
        "Parent SHA",
    ),
    "a commit without words": ("POST", "/commits", {"tree": "TREE"}, 422, '"message" wasn\'t supplied'),
    "a commit by half a person": (
        "POST",
        "/commits",
        {"message": "m", "tree": "TREE", "author": {"name": "x"}},
        422,
        "weren't supplied",
    ),
    "a commit at no time": (
        "POST",
        "/commits",
        {"message": "m", "tree": "TREE", "author": {"name": "x", "email": "y", "date": "soon"}},
        422,
        "date-time",
    ),
    "reading a tree as a blob": ("GET", "/blobs/TREE", {}, 404, "Not Found"),
    "reading a commit as nothing": ("GET", f"/commits/{ONES}", {}, 404, "Not Found"),
    "reading a ref by half its name": ("GET", "/ref/heads/feat", {}, 404, "Not Found"),
    "reading a ref by an expression": ("GET", "/ref/heads/feature%5E%7B%7D", {}, 404, "Not Found"),
    "reading a tree that is none": ("GET", "/trees/none?recursive=1", {}, 404, "Not Found"),
}


@pytest.mark.parametrize(("method", "path", "body", "status", "words"), REFUSED.values(), ids=REFUSED)
def test_what_github_refuses_is_refused(
    repository: Repository,
    pull: Issue,
    ask: Callable[..., Any],
    method: str,
    path: str,
    body: dict[str, Any],
    status: int,
    words: str,
) -> None:
    tip = str(repository.branch("feature"))
    tree = repository.bare.git("rev-parse", f"{tip}^{{tree}}").decode().strip()
    named = {"TIP": tip, "ROOT": str(repository.branch("main")), "TREE": tree}
    refs = repository.bare.refs("refs/")
    for name, sha in named.items():
        path = path.replace(name, sha)
    reply = ask(method, AT + path, _filled(body, named) if method != "GET" else None)
    assert reply.status == status
    assert words in reply.body["message"]
    assert repository.bare.refs("refs/") == refs


def _filled(value: Any, named: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(item, named) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, named) for item in value]
    return named.get(value, value) if isinstance(value, str) else value


BRANCHES = ["plain", "with/slash", "ünï-💚", "per%cent", "hash#tag", "plus+and&so", "-dash", "a'b\"c"]


@pytest.mark.parametrize("name", BRANCHES)
def test_a_branch_of_any_name_is_made_found_moved_and_deleted(
    repository: Repository, pull: Issue, ask: Callable[..., Any], name: str
) -> None:
    from urllib.parse import quote

    root, tip = repository.branch("main"), repository.branch("feature")
    made = ask("POST", f"{AT}/refs", {"ref": f"refs/heads/{name}", "sha": root})
    assert (made.status, made.body["ref"]) == (201, f"refs/heads/{name}")
    path = f"{AT}/refs/heads/{quote(name)}"
    assert ask("GET", f"{AT}/ref/heads/{quote(name)}").body["object"]["sha"] == root
    assert ask("PATCH", path, {"sha": tip}).status == 200
    assert repository.branch(name) == tip
    assert len(ask("GET", f"{AT}/matching-refs/heads/{quote(name)}").body) == 1
    assert ask("DELETE", path).status == 204
    assert repository.branch(name) is None


def test_any_bytes_go_in_and_come_out(ask: Callable[..., Any], github: GitHub) -> None:
    import base64

    content = bytes(range(256))
    made = ask("POST", f"{AT}/blobs", {"content": base64.b64encode(content).decode(), "encoding": "base64"})
    read = ask("GET", f"{AT}/blobs/{made.body['sha']}").body
    assert base64.b64decode(read["content"]) == content
    raw = ask("GET", f"{AT}/blobs/{made.body['sha']}", accept="application/vnd.github.raw+json")
    assert raw.body == content


def test_a_whole_folder_is_removed_by_its_name(repository: Repository, ask: Callable[..., Any]) -> None:
    entry = {"path": "docs/a.md", "mode": "100644", "type": "blob", "sha": None}
    both = [entry, entry | {"path": "docs/dos.txt"}]
    made = ask("POST", f"{AT}/trees", {"base_tree": repository.branch("main"), "tree": both})
    assert "docs" not in [leaf["path"] for leaf in made.body["tree"]]
