from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from bot.demo.github import GitHub, Issue, Repository

AT = "/repos/acme/pocket"
ROLE_CASES = {
    "none": ("read", "read"),
    "read": ("read", "read"),
    "triage": ("read", "triage"),
    "write": ("write", "write"),
    "maintain": ("write", "maintain"),
    "admin": ("admin", "admin"),
}


@pytest.mark.parametrize(("role", "expected"), ROLE_CASES.items())
def test_permission_is_the_old_word_and_role_name_the_new_one(
    github: GitHub, repository: Repository, ask: Callable[..., Any], role: str, expected: tuple[str, str]
) -> None:
    github.allow(repository, "eve", role)
    body = ask("GET", f"{AT}/collaborators/eve/permission").body
    assert (body["permission"], body["role_name"]) == expected
    assert body["user"]["login"] == "eve"
    is_one = ask("GET", f"{AT}/collaborators/eve").status
    assert is_one == (404 if role == "none" else 204)


def test_an_outsider_of_a_private_repository_has_none_and_a_stranger_to_github_is_404(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    repository.private = True
    assert ask("GET", f"{AT}/collaborators/tom/permission").body["permission"] == "none"
    assert ask("GET", f"{AT}/collaborators/nobody-at-all/permission").status == 404


def test_who_may_not_push_may_not_ask_who_may(repository: Repository, ask: Callable[..., Any]) -> None:
    assert ask("GET", f"{AT}/collaborators/maja/permission", by="tom").status == 403


def test_a_repository_says_what_the_asker_may(repository: Repository, ask: Callable[..., Any]) -> None:
    assert ask("GET", AT, by="maja").body["permissions"]["push"] is True
    assert ask("GET", AT, by="tom").body["permissions"] == {
        "admin": False,
        "maintain": False,
        "push": False,
        "triage": False,
        "pull": True,
    }


NAMED = {
    "a branch": ("feature", b"teh cat\nteh dog\n"),
    "a full ref": ("refs/heads/feature", b"teh cat\nteh dog\n"),
    "heads/": ("heads/feature", b"teh cat\nteh dog\n"),
    "a pull request's head": ("refs/pull/1/head", b"teh cat\nteh dog\n"),
    "nothing": ("", b"teh cat\n"),
}


@pytest.mark.parametrize(("ref", "expected"), NAMED.values(), ids=NAMED)
def test_a_file_is_read_at_whatever_names_a_commit(
    pull: Issue, ask: Callable[..., Any], ref: str, expected: bytes
) -> None:
    path = f"{AT}/contents/docs/a.md" + (f"?ref={ref}" if ref else "")
    assert ask("GET", path, accept="application/vnd.github.raw+json").body == expected


MISSING = {
    "no such file": "contents/docs/none.md",
    "a file as a folder": "contents/docs/a.md/x",
    "no such ref": "contents/docs/a.md?ref=none",
    "an expression for a ref": "contents/docs/a.md?ref=feature~1",
    "an option for a ref": "contents/docs/a.md?ref=--all",
    "out of the tree": "contents/..%2F..%2Fconfig",
    "git's own files": "contents/.git/config",
    "no such branch": "branches/none",
    "a comparison with nothing": "compare/main...none",
    "half a comparison": "compare/main",
}


@pytest.mark.parametrize("path", MISSING.values(), ids=MISSING)
def test_what_is_not_in_the_commit_is_not_found(pull: Issue, ask: Callable[..., Any], path: str) -> None:
    assert ask("GET", f"{AT}/{path}").status == 404


@pytest.mark.parametrize("path", ["a b.md", "a#b?c.md", "50%.md", "ünï/💚.md", "-x", "a'b\"c", "a\\b"])
def test_a_file_of_any_name_is_found(
    github: GitHub, repository: Repository, ask: Callable[..., Any], path: str
) -> None:
    github.push(repository, "main", {path: "here\n"}, message="m", by="maja")
    assert ask("GET", f"{AT}/contents/{quote(path)}").body["path"] == path


def test_commits_of_a_branch_and_of_a_path_are_listed_newest_first(
    github: GitHub, repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    def messages(query: str) -> list[str]:
        return [one["commit"]["message"] for one in ask("GET", f"{AT}/commits{query}").body]

    assert messages("?sha=feature") == ["Add a dog", "Start"]
    assert messages("?sha=feature&path=docs/a.md&per_page=1") == ["Add a dog"]
    assert messages("?sha=feature&path=README.md") == ["Start"]
    assert ask("GET", f"{AT}/commits?sha=none").status == 404
    assert ask("GET", f"{AT}/commits/none").status == 422


def test_a_commit_comes_with_its_files_the_first_one_too(
    repository: Repository, pull: Issue, ask: Callable[..., Any]
) -> None:
    body = ask("GET", f"{AT}/commits/feature").body
    assert (body["stats"], len(body["files"])) == ({"additions": 1, "deletions": 0, "total": 1}, 1)
    first = ask("GET", f"{AT}/commits/{repository.branch('main')}").body
    assert {file["status"] for file in first["files"]} == {"added"}


STATES = {
    "main...feature": ("ahead", 1, 0),
    "feature...main": ("behind", 0, 1),
    "main...main": ("identical", 0, 0),
    "other...feature": ("diverged", 1, 1),
}


@pytest.mark.parametrize(("basehead", "expected"), STATES.items())
def test_two_commits_are_compared(
    github: GitHub,
    repository: Repository,
    pull: Issue,
    ask: Callable[..., Any],
    basehead: str,
    expected: tuple[str, int, int],
) -> None:
    github.push(repository, "other", {"o": "1\n"}, message="o", by="maja")
    body = ask("GET", f"{AT}/compare/{basehead}").body
    assert (body["status"], body["ahead_by"], body["behind_by"]) == expected


def test_branches_are_listed(pull: Issue, ask: Callable[..., Any]) -> None:
    assert [branch["name"] for branch in ask("GET", f"{AT}/branches").body] == ["feature", "main"]
