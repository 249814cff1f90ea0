import base64
import json

import pytest

from bot.errors import CannotPush, GitHubFailed, Reason
from bot.outside.git_data import GitData
from bot.pull_request import Commit
from bot.workspace import Change, Entry, Mode, blob_sha

ROOT = "https://api.github.com:443/repos/acme/widgets"
GRAPHQL = "https://api.github.com:443/graphql"
BEFORE, AFTER, OTHER, TREE, NEW_TREE = (digit * 40 for digit in "abcde")


@pytest.fixture
def git(door) -> GitData:
    git = GitData(rest=door, root="/repos/acme/widgets", name="acme/widgets")
    git.node_ids["acme/widgets"] = "R_1"
    git.commits[BEFORE] = Commit(sha=BEFORE, tree=TREE, parents=(), message="", url="", verified=False)
    return git


def written(path: str, content: bytes, *, mode: Mode = Mode.FILE, before: Entry | None = None) -> Change:
    after = Entry(mode=mode, blob=blob_sha(content))
    return Change(path=path, before=before, after=after, content_before=None, content_after=content)


def sent(api, call: int) -> dict:
    return json.loads(api.calls[call].request.body)


def test_text_goes_inline_and_all_of_it_in_one_request(api, git) -> None:
    api.post(f"{ROOT}/git/trees", json={"sha": NEW_TREE})
    changes = [
        written("docs/\u00e9.md", "caf\u00e9 \u2028 \U0001f600\r\n".encode()),
        written("run.sh", b"#!/bin/sh\n", mode=Mode.EXECUTABLE),
        written("link", b"docs", mode=Mode.LINK),
        written("bom.txt", b"\xef\xbb\xbfx"),
    ]
    assert git.make_tree(base_commit=BEFORE, before={}, changes=changes) == NEW_TREE
    body = sent(api, 0)
    assert body["base_tree"] == TREE
    assert [(entry["path"], entry["mode"], entry["type"]) for entry in body["tree"]] == [
        ("docs/\u00e9.md", "100644", "blob"),
        ("run.sh", "100755", "blob"),
        ("link", "120000", "blob"),
        ("bom.txt", "100644", "blob"),
    ]
    contents = [entry["content"].encode() for entry in body["tree"]]
    assert contents == [change.content_after for change in changes]


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b"a\0b", b"\xed\xa0\x80", b"x" * 1_000_001],
    ids=["odd", "nul", "surrogate", "long"],
)
def test_what_json_can_not_carry_or_is_long_goes_as_a_blob(content, api, git) -> None:
    api.post(f"{ROOT}/git/blobs", json={"sha": blob_sha(content)})
    api.post(f"{ROOT}/git/trees", json={"sha": NEW_TREE})
    git.make_tree(base_commit=BEFORE, before={}, changes=[written("a.bin", content)])
    assert base64.b64decode(sent(api, 0)["content"]) == content
    assert sent(api, 1)["tree"] == [
        {"path": "a.bin", "mode": "100644", "type": "blob", "sha": blob_sha(content)}
    ]


def test_a_deletion_is_no_sha_and_a_new_mode_is_no_upload(api, git) -> None:
    api.post(f"{ROOT}/git/trees", json={"sha": NEW_TREE})
    old, plain = Entry(mode=Mode.LINK, blob=OTHER), Entry(mode=Mode.FILE, blob=blob_sha(b"#!"))
    changes = [
        Change(path="gone", before=old, after=None, content_before=b"", content_after=None),
        written("run.sh", b"#!", mode=Mode.EXECUTABLE, before=plain),
        Change(
            path="module",
            before=None,
            after=Entry(mode=Mode.SUBMODULE, blob=OTHER),
            content_before=None,
            content_after=None,
        ),
    ]
    git.make_tree(base_commit=BEFORE, before={}, changes=changes)
    assert sent(api, 0)["tree"] == [
        {"path": "gone", "mode": "120000", "type": "blob", "sha": None},
        {"path": "run.sh", "mode": "100755", "type": "blob", "sha": plain.blob},
        {"path": "module", "mode": "160000", "type": "commit", "sha": OTHER},
    ]


def test_no_change_is_no_request(api, git) -> None:
    assert git.make_tree(base_commit=BEFORE, before={}, changes=[]) == TREE
    assert len(api.calls) == 0


def test_many_files_are_stored_in_batches_each_upon_the_one_before(api, git) -> None:
    trees = [f"{number:040x}" for number in range(3)]
    for tree in trees:
        api.post(f"{ROOT}/git/trees", json={"sha": tree})
    changes = [written(f"{number}.txt", b"x") for number in range(301)]
    assert git.make_tree(base_commit=BEFORE, before={}, changes=changes) == trees[-1]
    assert [sent(api, call)["base_tree"] for call in range(3)] == [TREE, *trees[:2]]
    stored = [entry["path"] for call in range(3) for entry in sent(api, call)["tree"]]
    assert stored == [change.path for change in changes]


def deleted(path: str) -> Change:
    before = Entry(mode=Mode.FILE, blob=OTHER)
    return Change(path=path, before=before, after=None, content_before=b"x", content_after=None)


PLACES = {
    "a folder becomes a file": [written("many", b"x"), *(deleted(f"many/{n:03}") for n in range(160))],
    "a file becomes a folder": [deleted("one"), *(written(f"one/{n:03}", b"x") for n in range(160))],
    "both, and a folder of another name": [
        written("a", b"x"),
        deleted("a/b/c"),
        deleted("b"),
        written("b/c/d", b"x"),
    ],
}


@pytest.mark.parametrize("changes", PLACES.values(), ids=PLACES)
def test_what_goes_makes_room_before_anything_takes_its_place(changes, api, git) -> None:
    for _ in range(0, len(changes), 150):
        api.post(f"{ROOT}/git/trees", json={"sha": NEW_TREE})
    git.make_tree(base_commit=BEFORE, before={}, changes=changes)
    stored = [entry for call in range(len(api.calls)) for entry in sent(api, call)["tree"]]
    goes = ["sha" in entry and entry["sha"] is None for entry in stored]
    assert goes == sorted(goes, reverse=True)
    assert {entry["path"] for entry in stored} == {change.path for change in changes}


def test_long_texts_are_stored_in_batches_that_github_takes(api, git) -> None:
    for number in range(5):
        api.post(f"{ROOT}/git/trees", json={"sha": f"{number:040x}"})
    git.make_tree(
        base_commit=BEFORE,
        before={},
        changes=[written(f"{number}.txt", b"x" * 262_144) for number in range(13)],
    )
    sizes = [sum(len(entry["content"]) for entry in sent(api, call)["tree"]) for call in range(5)]
    assert max(sizes) <= 1_000_000


def test_a_blob_that_github_names_otherwise_stops_everything(api, git) -> None:
    api.post(f"{ROOT}/git/blobs", json={"sha": OTHER})
    with pytest.raises(GitHubFailed, match="something else"):
        git.make_tree(base_commit=BEFORE, before={}, changes=[written("a.bin", b"\xff")])


@pytest.mark.parametrize("encoding", ["base64", "utf-8"])
def test_a_blob_is_proven_to_be_what_its_name_says(encoding, api, git) -> None:
    content = "caf\u00e9\n"
    told = base64.encodebytes(content.encode()).decode() if encoding == "base64" else content
    sha = blob_sha(content.encode())
    api.get(f"{ROOT}/git/blobs/{sha}", json={"sha": sha, "encoding": encoding, "content": told})
    assert git.blob(sha) == content.encode()


@pytest.mark.parametrize("told", ["ZXZpbA==", "", "!", "\u00e9"])
def test_a_blob_of_other_bytes_is_not_believed(told, api, git) -> None:
    api.get(f"{ROOT}/git/blobs/{OTHER}", json={"sha": OTHER, "encoding": "base64", "content": told})
    with pytest.raises(GitHubFailed, match="something else"):
        git.blob(OTHER)


def commit_answer(sha: str = AFTER, **changed: object) -> dict[str, object]:
    return {
        "sha": sha,
        "tree": {"sha": NEW_TREE},
        "parents": [{"sha": BEFORE}],
        "message": "m",
        "html_url": "https://github.com/c",
        "verification": {"verified": True, "reason": "valid"},
    } | changed


def test_a_commit_names_no_author_so_that_github_signs_it(api, git) -> None:
    api.post(f"{ROOT}/git/commits", json=commit_answer())
    commit = git.make_commit(tree=NEW_TREE, parent=BEFORE, message="m")
    assert (commit.sha, commit.verified) == (AFTER, True)
    assert sent(api, 0) == {"message": "m", "tree": NEW_TREE, "parents": [BEFORE]}


@pytest.mark.parametrize(
    "changed",
    [{"tree": {"sha": OTHER}}, {"parents": []}, {"parents": [{"sha": OTHER}]}],
    ids=["tree", "none", "parent"],
)
def test_a_commit_of_something_else_is_not_believed(changed, api, git) -> None:
    api.post(f"{ROOT}/git/commits", json=commit_answer(**changed))
    with pytest.raises(GitHubFailed, match="something else"):
        git.make_commit(tree=NEW_TREE, parent=BEFORE, message="m")


def test_a_commit_is_read_once(api, git) -> None:
    api.get(f"{ROOT}/git/commits/{AFTER}", json=commit_answer())
    assert git.commit(AFTER) is git.commit(AFTER)


def leaf(path: str, *, kind: str = "blob", mode: str = "100644", sha: str = OTHER) -> dict[str, str]:
    return {"path": path, "mode": mode, "type": kind, "sha": sha}


def test_a_tree_is_listed_whole_with_modes_and_without_folders(api, git) -> None:
    api.get(
        f"{ROOT}/git/trees/{AFTER}?recursive=1",
        json={
            "sha": TREE,
            "truncated": False,
            "tree": [
                leaf("a", kind="tree", mode="040000"),
                leaf("a/b"),
                leaf("old", mode="100664"),
                leaf("run", mode="100755"),
                leaf("link", mode="120000"),
                leaf("module", kind="commit", mode="160000"),
            ],
        },
    )
    assert {path: entry.mode for path, entry in git.tree(AFTER).items()} == {
        "a/b": Mode.FILE,
        "old": Mode.FILE,
        "run": Mode.EXECUTABLE,
        "link": Mode.LINK,
        "module": Mode.SUBMODULE,
    }


def test_a_tree_too_large_for_one_answer_is_listed_folder_by_folder(api, git) -> None:
    cut = {"sha": TREE, "truncated": True, "tree": [leaf("a/1")]}
    top = [leaf("README.md"), leaf("a", kind="tree", mode="040000", sha=BEFORE)]
    api.get(f"{ROOT}/git/trees/{AFTER}?recursive=1", json=cut)
    api.get(f"{ROOT}/git/trees/{AFTER}", json={"sha": TREE, "truncated": False, "tree": top})
    api.get(
        f"{ROOT}/git/trees/{BEFORE}?recursive=1",
        json={"sha": TREE, "truncated": False, "tree": [leaf("1"), leaf("b/2")]},
    )
    assert sorted(git.tree(AFTER)) == ["README.md", "a/1", "a/b/2"]
    assert ["recursive" in str(call.request.url) for call in api.calls] == [True, False, True]


MISSING = {"status": 404, "json": {"message": "Not Found"}}


def test_what_was_only_just_made_may_be_missing_for_a_moment(api, git, naps) -> None:
    api.post(f"{ROOT}/git/trees", **MISSING)
    api.post(f"{ROOT}/git/trees", json={"sha": NEW_TREE})
    api.get(f"{ROOT}/git/trees/{NEW_TREE}", **MISSING)
    api.get(f"{ROOT}/git/trees/{NEW_TREE}", json={"sha": NEW_TREE, "tree": []})
    api.post(f"{ROOT}/git/commits", **MISSING)
    api.post(f"{ROOT}/git/commits", json=commit_answer())
    api.get(f"{ROOT}/git/commits/{AFTER}", **MISSING)
    api.get(f"{ROOT}/git/commits/{AFTER}", json=commit_answer())
    tree = git.make_tree(base_commit=BEFORE, before={}, changes=[written("a", b"x")])
    assert git.tree(tree) == {}
    made = git.make_commit(tree=tree, parent=BEFORE, message="m")
    git.commits.clear()
    assert git.commit(made.sha) == made
    assert naps.taken == [1, 1, 1, 1]


@pytest.mark.parametrize("kind", ["trees", "commits"])
def test_what_was_never_made_is_missing_at_once(kind, api, git, naps) -> None:
    api.get(f"{ROOT}/git/{kind}/{OTHER}", **MISSING)
    with pytest.raises(GitHubFailed):
        git.tree(OTHER) if kind == "trees" else git.commit(OTHER)
    assert naps.taken == []


def test_a_single_folder_too_large_for_github_is_told(api, git) -> None:
    cut = {"sha": TREE, "truncated": True, "tree": [leaf("1")]}
    api.get(f"{ROOT}/git/trees/{AFTER}?recursive=1", json=cut)
    api.get(f"{ROOT}/git/trees/{AFTER}", json=cut)
    with pytest.raises(GitHubFailed, match="whole"):
        git.tree(AFTER)


def at(tip: str | None, branch: str = "topic") -> dict[str, object]:
    """What GitHub says of a branch."""
    if tip is None:
        return {"status": 404, "json": {"message": "Not Found"}}
    return {"json": {"ref": f"refs/heads/{branch}", "object": {"sha": tip}}}


REF = f"{ROOT}/git/ref/heads/topic"
MOVED = {"data": {"updateRefs": {"clientMutationId": None}}}
REFUSED = {"data": {"updateRefs": None}, "errors": [{"type": "UNPROCESSABLE", "message": "not at beforeOid"}]}
NOT_ALLOWED = {"errors": [{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}]}


def move(git) -> bool:
    return git.move_branch("topic", before=BEFORE, after=AFTER)


def test_a_branch_moves_by_compare_and_swap_and_never_by_force(api, git) -> None:
    api.post(GRAPHQL, json=MOVED)
    assert move(git)
    assert sent(api, 0)["variables"] == {
        "input": {
            "repositoryId": "R_1",
            "refUpdates": [
                {"name": "refs/heads/topic", "beforeOid": BEFORE, "afterOid": AFTER, "force": False}
            ],
        }
    }


def test_a_repository_whose_node_is_not_known_is_asked_for_it(api, git) -> None:
    git.node_ids.clear()
    api.get(ROOT, json={"full_name": "acme/widgets", "node_id": "R_9"})
    api.post(GRAPHQL, json=MOVED)
    assert move(git)
    assert sent(api, 1)["variables"]["input"]["repositoryId"] == "R_9"


def compared(status: str) -> dict[str, object]:
    return {"json": {"status": status}}


SETTLED = {
    "it is elsewhere": ([OTHER], "diverged", False),
    "it was forced back": ([OTHER], "behind", False),
    "somebody pushed upon our commit": ([OTHER], "ahead", True),
    "it is gone": ([None], None, False),
    "it is there already": ([AFTER], None, True),
}


@pytest.mark.parametrize(("tips", "comparison", "expected"), SETTLED.values(), ids=SETTLED)
@pytest.mark.parametrize("fault", ["refused", "lost"])
def test_whatever_went_wrong_the_branch_itself_says_what_happened(
    fault, tips, comparison, expected, api, git
) -> None:
    if fault == "refused":
        api.post(GRAPHQL, json=REFUSED)
    else:
        api.post(GRAPHQL, status=502)
    for tip in tips:
        api.get(REF, **at(tip))
    if comparison:
        api.get(f"{ROOT}/compare/{AFTER}...{OTHER}?per_page=1", **compared(comparison))
    assert move(git) is expected


def test_a_commit_that_github_can_not_compare_is_not_on_the_branch(api, git) -> None:
    api.post(GRAPHQL, json=REFUSED)
    api.get(REF, **at(OTHER))
    api.get(f"{ROOT}/compare/{AFTER}...{OTHER}?per_page=1", status=404, json={"message": "Not Found"})
    assert not move(git)


def test_a_lost_update_that_had_no_effect_is_sent_again(api, git) -> None:
    api.post(GRAPHQL, status=502)
    api.get(REF, **at(BEFORE))
    api.post(GRAPHQL, json=MOVED)
    assert move(git)


@pytest.mark.parametrize("answer", [NOT_ALLOWED, REFUSED], ids=["no permission", "a protected branch"])
def test_a_branch_that_may_not_be_moved_is_a_reason_of_its_own(answer, api, git) -> None:
    api.post(GRAPHQL, json=answer)
    api.get(REF, **at(BEFORE))
    with pytest.raises(CannotPush) as caught:
        move(git)
    assert caught.value.reason is Reason.CANNOT_PUSH
    assert "'topic'" in caught.value.what


def test_github_in_trouble_is_not_called_a_missing_permission(api, git) -> None:
    for _ in range(4):
        api.post(GRAPHQL, status=502)
        api.get(REF, **at(BEFORE))
    api.get(REF, **at(BEFORE))
    with pytest.raises(GitHubFailed) as caught:
        move(git)
    assert caught.value.reason is Reason.GITHUB_FAILED


def test_a_branch_of_a_longer_name_is_not_taken_for_it(api, git) -> None:
    api.get(REF, **at(BEFORE, branch="topic-2"))
    assert git.tip("topic") is None


@pytest.mark.parametrize("status", [403, 404], ids=["no permission", "a fork that the token may not see"])
def test_a_repository_that_takes_nothing_from_this_token_can_not_be_pushed_to(status, api, git) -> None:
    for _ in range(4 if status == 404 else 1):
        api.post(f"{ROOT}/git/trees", status=status, json={"message": "no"})
    with pytest.raises(CannotPush, match="no"):
        git.make_tree(base_commit=BEFORE, before={}, changes=[written("a", b"x")])
