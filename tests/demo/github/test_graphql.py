"""The other API: branches move by compare-and-swap, and a comment says who edited it."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.bare import NO_SHA
from bot.demo.github.state import node_id

UPDATE = "mutation M($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"
MINIMIZE = (
    "mutation M($input: MinimizeCommentInput!)"
    " { minimizeComment(input: $input) { minimizedComment { isMinimized minimizedReason } } }"
)
COMMENT = (
    "query($id: ID!) { node(id: $id) { __typename ... on IssueComment"
    " { body author { login } editor { login } lastEditedAt isMinimized } } }"
)


@pytest.fixture
def send(ask: Callable[..., Any]) -> Callable[..., Any]:
    def sent(query: str, *, token: Any = ..., by: str | None = None, **variables: Any) -> Any:
        more = {} if token is ... else {"token": token}
        return ask("POST", "/graphql", {"query": query, "variables": variables}, by=by, **more).body

    return sent


def update(repository: Repository, **refs: Any) -> dict[str, Any]:
    return {"repositoryId": node_id("R", repository.id), "refUpdates": [refs]}


def test_a_branch_moves_from_where_it_is_said_to_be(
    github: GitHub, repository: Repository, pull: Issue, send: Callable[..., Any]
) -> None:
    before = repository.branch("feature")
    after = github.push(repository, "side", {"x": "1\n"}, message="x", by="acme", onto=before)
    moved = update(repository, name="refs/heads/feature", beforeOid=before, afterOid=after)
    said = send(UPDATE, input=moved | {"clientMutationId": "ours"})
    assert said == {"data": {"updateRefs": {"clientMutationId": "ours"}}}
    assert repository.branch("feature") == after
    assert pull.pull is not None
    assert pull.pull.head_sha == after
    again = send(UPDATE, input=moved)
    assert again["data"] == {"updateRefs": None}
    assert (again["errors"][0]["type"], again["errors"][0]["path"]) == ("UNPROCESSABLE", ["updateRefs"])


def test_a_branch_that_was_forced_back_to_an_ancestor_is_not_moved(
    github: GitHub, repository: Repository, pull: Issue, send: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    """REST's fast-forward would be content, and bring the removed commits back."""
    ancestor, planned = repository.branch("main"), repository.branch("feature")
    after = github.push(repository, "side", {"x": "1\n"}, message="x", by="acme", onto=planned)
    github.move(repository, "feature", ancestor)
    said = send(
        UPDATE, input=update(repository, name="refs/heads/feature", beforeOid=planned, afterOid=after)
    )
    assert "errors" in said
    assert repository.branch("feature") == ancestor
    path = "/repos/acme/pocket/git/refs/heads/feature"
    assert ask("PATCH", path, {"sha": after, "force": False}).status == 200


FEATURE = "refs/heads/feature"
REFUSED: dict[str, dict[str, Any]] = {
    "a name that is no ref": {"name": "feature", "afterOid": "TIP"},
    "an expression": {"name": f"{FEATURE}^", "afterOid": "TIP"},
    "an object that is not there": {"name": FEATURE, "afterOid": "1" * 40},
    "an abbreviation": {"name": FEATURE, "afterOid": "1234567"},
    "no fast-forward": {"name": FEATURE, "afterOid": "ROOT"},
    "there already": {"name": FEATURE, "beforeOid": NO_SHA, "afterOid": "TIP"},
}


@pytest.mark.parametrize("refs", REFUSED.values(), ids=REFUSED)
def test_a_branch_does_not_move(
    repository: Repository, pull: Issue, send: Callable[..., Any], refs: dict[str, Any]
) -> None:
    named = {"TIP": repository.branch("feature"), "ROOT": repository.branch("main")}
    filled = {name: named.get(value, value) for name, value in refs.items()}
    before = repository.bare.refs("refs/")
    said = send(UPDATE, input=update(repository, **filled))
    assert said["errors"][0]["type"] == "UNPROCESSABLE"
    assert repository.bare.refs("refs/") == before


def test_force_goes_back_and_zeros_delete(
    repository: Repository, pull: Issue, send: Callable[..., Any]
) -> None:
    root = repository.branch("main")
    name = "refs/heads/feature"
    assert "errors" not in send(UPDATE, input=update(repository, name=name, afterOid=root, force=True))
    assert repository.branch("feature") == root
    assert "errors" not in send(UPDATE, input=update(repository, name=name, afterOid=NO_SHA))
    assert repository.branch("feature") is None


def test_a_token_without_the_permission_moves_nothing(
    github: GitHub, repository: Repository, pull: Issue, send: Callable[..., Any]
) -> None:
    after = repository.branch("main")
    moved = update(repository, name="refs/heads/new", afterOid=after)
    reader = github.workflow_token(repository, {"contents": "read"})
    said = send(UPDATE, token=reader, input=moved)
    assert said["errors"][0] == {
        "type": "FORBIDDEN",
        "path": ["updateRefs"],
        "locations": [{"line": 1, "column": 1}],
        "message": "Resource not accessible by integration",
    }
    assert send(UPDATE, by="tom", input=moved)["errors"][0]["type"] == "FORBIDDEN"
    workflow = github.push(repository, "w", {".github/workflows/a.yml": "on: push\n"}, message="w", by="maja")
    moved = update(repository, name="refs/heads/new", afterOid=workflow)
    assert send(UPDATE, input=moved)["errors"][0]["type"] == "FORBIDDEN", "it needs `workflows`, too"
    assert repository.branch("new") is None


def test_a_comment_says_who_edited_it_last(
    github: GitHub, repository: Repository, pull: Issue, send: Callable[..., Any]
) -> None:
    comment = github.comment(repository, 1, by="github-actions[bot]", body="the plan")
    told = send(COMMENT, id=comment.node_id)["data"]["node"]
    assert (told["author"], told["editor"], told["lastEditedAt"]) == (
        {"login": "github-actions"},
        None,
        None,
    )
    github.edit_comment(repository, comment, by="maja", body="another plan")
    told = send(COMMENT, id=comment.node_id)["data"]["node"]
    assert (told["body"], told["editor"]) == ("another plan", {"login": "maja"})
    assert told["lastEditedAt"] is not None


def test_a_workflow_s_token_learns_who_it_is(send: Callable[..., Any]) -> None:
    viewer = send("{ viewer { login databaseId } }")["data"]["viewer"]
    assert viewer == {"login": "github-actions[bot]", "databaseId": 41898282}


def test_a_pull_request_is_looked_up_with_its_comments_page_by_page(
    github: GitHub, repository: Repository, pull: Issue, send: Callable[..., Any]
) -> None:
    for number in range(5):
        github.comment(repository, 1, by="tom", body=f"{number}")
    query = """query($n: Int!, $after: String) {
      repository(owner: "acme", name: "pocket") { pullRequest(number: $n) {
        headRefOid state headRepository { nameWithOwner }
        comments(first: 2, after: $after) {
          totalCount nodes { body author { login } editor { login } } pageInfo { hasNextPage endCursor }
    } } } }"""
    bodies, after, more = [], None, True
    while more:
        told = send(query, n=1, after=after)["data"]["repository"]["pullRequest"]
        bodies += [node["body"] for node in told["comments"]["nodes"]]
        more, after = told["comments"]["pageInfo"]["hasNextPage"], told["comments"]["pageInfo"]["endCursor"]
    assert bodies == ["0", "1", "2", "3", "4"]
    assert (told["headRefOid"], told["state"]) == (repository.branch("feature"), "OPEN")
    assert send(query, n=9)["errors"][0]["type"] == "NOT_FOUND"


def test_what_it_does_not_know_is_an_error_and_no_data(github: GitHub, send: Callable[..., Any]) -> None:
    said = send("{ viewer { shoeSize } }")
    assert said["errors"][0]["extensions"]["code"] == "undefinedField"
    assert "data" not in said
    assert "Parse error" in send("nonsense {")["errors"][0]["message"]
    github.log.clear()


def test_nobody_asks_without_a_token(github: GitHub, ask: Callable[..., Any]) -> None:
    assert ask("POST", "/graphql", {"query": "{ viewer { login } }"}, token=None).status == 401


FILE = """query($path: String!) { repository(owner: "acme", name: "pocket") {
  ref(qualifiedName: "refs/heads/main") { target { oid ... on Commit {
    file(path: $path) { mode type object {
      __typename oid ... on Blob { text byteSize isBinary isTruncated }
} } } } } } }"""
FOUND: dict[str, tuple[str, tuple[int, str, str | None] | None]] = {
    "text": ("docs/a.md", (0o100644, "blob", "teh cat\n")),
    "line ends": ("docs/dos.txt", (0o100644, "blob", "one\r\ntwo\r\n")),
    "bytes": ("bin.dat", (0o100644, "blob", None)),
    "a script": ("run.sh", (0o100755, "blob", "#!/bin/sh\n")),
    "a link": ("link", (0o120000, "blob", "README.md")),
    "a folder": ("docs", (0o040000, "tree", None)),
    "nothing": ("none.md", None),
    "out of the tree": ("../config", None),
}


@pytest.mark.parametrize(("path", "expected"), FOUND.values(), ids=FOUND)
def test_a_file_is_read_at_the_tip_of_a_branch(
    repository: Repository,
    send: Callable[..., Any],
    path: str,
    expected: tuple[int, str, str | None] | None,
) -> None:
    target = send(FILE, path=path)["data"]["repository"]["ref"]["target"]
    assert target["oid"] == repository.branch("main")
    file = target["file"]
    assert (file and (file["mode"], file["type"], file["object"].get("text"))) == expected
