import json

import pytest

from bot.errors import BadConfig, GitHubFailed
from bot.outside.tips import tips
from bot.workspace import blob_sha

GRAPHQL = "https://api.github.com:443/graphql"
TEXT = "version: 1\n"
SHA, OTHER = "a" * 40, "b" * 40
FILE = {"mode": 0o100644, "object": {"oid": blob_sha(TEXT.encode()), "text": TEXT}}


def ref(file: object, *, oid: str = SHA) -> dict[str, object]:
    return {"target": {"oid": oid, "file": file}}


def answer(**refs: object) -> dict[str, object]:
    return {"data": {"viewer": {"login": "github-actions[bot]", "databaseId": 41898282}, "repository": refs}}


def no_blob(sha: str) -> bytes:
    raise AssertionError(sha)


def ask(door, *branches: str, blob=no_blob):
    return tips(door, "acme/widgets", branches or ("main",), ".github/dryrun-bot.yml", blob=blob)


def test_all_branches_and_the_bots_own_account_are_one_request(api, door) -> None:
    api.post(GRAPHQL, json=answer(b0=ref(FILE), b1=ref(None, oid=OTHER)))
    viewer, found = ask(door, "main", "release/1")
    assert viewer.database_id == 41898282
    assert (found["main"].sha, found["main"].file) == (SHA, TEXT.encode())
    assert (found["release/1"].sha, found["release/1"].file) == (OTHER, None)


def test_names_are_variables_and_never_words_of_the_query(api, door) -> None:
    hostile = 'x"){id} y: ref(qualifiedName: "z'
    api.post(GRAPHQL, json=answer(b0=ref(FILE)))
    ask(door, hostile)
    sent = json.loads(api.calls[0].request.body)
    assert hostile not in sent["query"]
    assert sent["variables"]["b0"] == f"refs/heads/{hostile}"


def test_where_there_is_nothing_the_file_is_none(api, door) -> None:
    api.post(GRAPHQL, json=answer(b0=ref(None)))
    assert ask(door)[1]["main"].file is None


NO_FILE = {
    "a link": FILE | {"mode": 0o120000},
    "a folder": {"mode": 0o040000, "object": {"oid": OTHER}},
    "a submodule": {"mode": 0o160000, "object": None},
}


@pytest.mark.parametrize("file", NO_FILE.values(), ids=NO_FILE)
def test_what_is_no_plain_file_is_an_error_and_never_the_looser_default(file, api, door) -> None:
    api.post(GRAPHQL, json=answer(b0=ref(file)))
    with pytest.raises(BadConfig, match="not a file"):
        ask(door)


CUT = {
    "a file that GraphQL cut off": {"oid": OTHER, "text": TEXT},
    "a file that is no text": {"oid": OTHER, "text": None},
    "a file of a lone surrogate": {"oid": OTHER, "text": "\ud800"},
}


@pytest.mark.parametrize("told", CUT.values(), ids=CUT)
def test_what_graphql_does_not_carry_whole_is_fetched_by_its_name(told, api, door) -> None:
    api.post(GRAPHQL, json=answer(b0=ref(FILE | {"object": told})))
    asked: list[str] = []

    def blob(sha: str) -> bytes:
        asked.append(sha)
        return b"whole"

    assert ask(door, blob=blob)[1]["main"].file == b"whole"
    assert asked == [OTHER]


def test_an_executable_policy_is_a_policy(api, door) -> None:
    api.post(GRAPHQL, json=answer(b0=ref(FILE | {"mode": 0o100755})))
    assert ask(door)[1]["main"].file == TEXT.encode()


GONE = {
    "no such branch": answer(b0=None),
    "a branch without a commit": answer(b0={"target": None}),
    "no answer for it": answer(),
    "no repository": {"data": {"viewer": {"login": "x", "databaseId": 1}, "repository": None}},
}


@pytest.mark.parametrize("told", GONE.values(), ids=GONE)
def test_a_branch_that_is_not_there_is_a_failure_and_not_a_missing_policy(told, api, door) -> None:
    api.post(GRAPHQL, json=told)
    with pytest.raises(GitHubFailed, match="no branch 'main'"):
        ask(door)
