from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import File, GitHub, Repository
from bot.demo.github.call import Refused
from bot.demo.github.git_shapes import commit_of, listed_commit_shape

AT = "/repos/acme/pocket"


def test_only_what_a_bot_commits_without_naming_an_author_is_verified(
    repository: Repository, ask: Callable[..., Any]
) -> None:
    parent = repository.branch("main")
    assert parent is not None
    sent = {"message": "m", "tree": commit_of(repository, parent).tree, "parents": [parent]}
    somebody = {"author": {"name": "x", "email": "x@y"}}
    verified = {
        "a bot": ask("POST", f"{AT}/git/commits", sent),
        "a bot for somebody": ask("POST", f"{AT}/git/commits", sent | somebody),
        "a person": ask("POST", f"{AT}/git/commits", sent, by="maja"),
    }
    told = {who: reply.body["verification"]["verified"] for who, reply in verified.items()}
    assert told == {"a bot": True, "a bot for somebody": False, "a person": False}


def test_a_commit_s_author_is_an_account_where_the_address_is_one_s(
    github: GitHub, repository: Repository
) -> None:
    sha = github.push(repository, "x", {"x": "x"}, message="m", by="maja")
    shape = listed_commit_shape(github.state, repository, sha, github.urls)
    assert shape["author"]["login"] == "maja"
    assert shape["commit"]["author"]["email"] == github.account("maja").email


@pytest.mark.parametrize("name", ["0" * 40, "main", "refs/heads/none"])
def test_what_is_no_commit_is_not_found(repository: Repository, name: str) -> None:
    with pytest.raises(Refused) as refused:
        commit_of(repository, name)
    assert refused.value.answer.status == 404


def test_a_big_file_comes_without_its_content_and_says_so(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    content = b"x" * 1_000_001
    github.push(repository, "main", {"big.txt": content}, message="big", by="maja")
    body = ask("GET", f"{AT}/contents/big.txt").body
    assert (body["content"], body["encoding"], body["size"]) == ("", "none", 1_000_001)
    raw = ask("GET", f"{AT}/contents/big.txt", accept="application/vnd.github.raw+json")
    assert raw.body == content


def test_links_folders_and_submodules_are_told_apart(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    entries = {entry["name"]: entry["type"] for entry in ask("GET", f"{AT}/contents/").body}
    assert (entries["docs"], entries["link"], entries["README.md"]) == ("dir", "symlink", "file")
    assert ask("GET", f"{AT}/contents/link").body["target"] == "README.md"
    github.push(repository, "main", {"x/y": File(content=b"1", mode="100755")}, message="x", by="maja")
    tree = ask("GET", f"{AT}/git/trees/main?recursive=1").body["tree"]
    assert [(leaf["mode"], leaf["type"]) for leaf in tree if leaf["path"] == "x/y"] == [("100755", "blob")]
