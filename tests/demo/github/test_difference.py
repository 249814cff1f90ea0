"""Held against git itself: what `git diff` and `git merge` say in a clone."""

import subprocess
from pathlib import Path

import pytest

from bot.demo.github import File, GitHub, Repository
from bot.demo.github.bare import GitFailed
from bot.demo.github.difference import changed_files, merged_tree, unified_diff

LONG = "".join(f"line {number}\n" for number in range(20))


def test_every_way_of_changing_a_file_has_its_status_counts_and_patch(
    github: GitHub, repository: Repository
) -> None:
    before = github.push(repository, "x", {"old name.md": LONG, "gone": "1\n"}, message="a", by="maja")
    changes = {
        "old name.md": None,
        'new "näme".md': LONG + "more\n",
        "gone": None,
        "born": "hi\n",
        "bin.dat": File(content=b"\x00\x01"),
        "run.sh": File(content=b"#!/bin/sh\n"),
        "docs/a.md": "the cat",
    }
    after = github.push(repository, "x", changes, message="b", by="maja")
    found = {file.path: file for file in changed_files(repository.bare, before=before, after=after)}
    assert {path: (file.status, file.additions, file.deletions) for path, file in found.items()} == {
        'new "näme".md': ("renamed", 1, 0),
        "gone": ("removed", 0, 1),
        "born": ("added", 1, 0),
        "bin.dat": ("modified", 0, 0),
        "run.sh": ("modified", 0, 0),
        "docs/a.md": ("modified", 1, 1),
    }
    assert found['new "näme".md'].previous_path == "old name.md"
    assert (found["bin.dat"].patch, found["run.sh"].patch) == (None, None)
    assert found["docs/a.md"].patch == "@@ -1 +1 @@\n-teh cat\n+the cat\n\\ No newline at end of file"
    assert "+the cat" in unified_diff(repository.bare, before=before, after=after)


def test_a_path_is_no_pattern(github: GitHub, repository: Repository) -> None:
    before = github.push(repository, "x", {"a*": "1\n", "ab": "1\n"}, message="a", by="maja")
    after = github.push(repository, "x", {"a*": "2\n", "ab": "3\n"}, message="b", by="maja")
    patches = {file.path: file.patch for file in changed_files(repository.bare, before=before, after=after)}
    assert patches["a*"] == "@@ -1 +1 @@\n-1\n+2"


MERGES = {
    "nothing in common": ({"a": "A\n"}, {"b": "B\n"}),
    "the same change": ({"a": "same\n"}, {"a": "same\n"}),
    "two ends of one file": ({"long": "first\n" + LONG}, {"long": LONG + "last\n"}),
    "one deletes, one leaves": ({"long": None}, {"b": "B\n"}),
    "a mode and other files": ({"long": File(content=LONG.encode(), mode="100755")}, {"b": "B\n"}),
    "the same line twice": ({"a": "mine\n"}, {"a": "theirs\n"}),
    "one deletes, one changes": ({"long": None}, {"long": LONG + "last\n"}),
}


@pytest.mark.parametrize(("mine", "theirs"), MERGES.values(), ids=MERGES)
def test_a_merge_is_what_git_merge_makes_of_it(
    github: GitHub, repository: Repository, tmp_path: Path, mine: dict[str, str], theirs: dict[str, str]
) -> None:
    base = github.push(repository, "main", {"a": "a\n", "long": LONG}, message="base", by="maja")
    ours = github.push(repository, "ours", mine, message="mine", by="maja", onto=base)
    other = github.push(repository, "theirs", theirs, message="theirs", by="maja", onto=base)
    merged = merged_tree(repository.bare, base=base, ours=ours, theirs=other)
    assert merged == _gits_merge(tmp_path / "clone", repository.bare.folder, ours, other)


def _gits_merge(clone: Path, bare: Path, ours: str, theirs: str) -> str | None:
    def git(*arguments: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null")
        return subprocess.run(
            ["git", *who, *arguments], cwd=clone, check=True, capture_output=True, text=True
        ).stdout.strip()

    clone.mkdir()
    git("clone", "--quiet", str(bare), ".")
    git("checkout", "--quiet", ours)
    try:
        git("merge", "--quiet", "--no-edit", theirs)
    except subprocess.CalledProcessError:
        return None
    return git("rev-parse", "HEAD^{tree}")


def test_a_tree_that_is_not_there_is_an_error_not_an_empty_diff(repository: Repository) -> None:
    with pytest.raises(GitFailed):
        changed_files(repository.bare, before="0" * 40, after="1" * 40)


def test_a_file_that_became_a_link_is_one_changed_file(github: GitHub, repository: Repository) -> None:
    before = github.push(repository, "x", {"a": "1\n", "b": "2\n"}, message="a", by="maja")
    changes = {"a": File(content=b"b", mode="120000"), "b": "3\n"}
    after = github.push(repository, "x", changes, message="b", by="maja")
    found = changed_files(repository.bare, before=before, after=after)
    assert [(file.path, file.status) for file in found] == [("a", "changed"), ("b", "modified")]
    assert found[0].patch == "@@ -1 +0,0 @@\n-1\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file"
    assert found[1].patch == "@@ -1 +1 @@\n-2\n+3"
