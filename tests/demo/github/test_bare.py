"""Real git underneath, and no name from outside that git could take for an option or an expression."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.demo.github.bare import NO_SHA, Bare, GitFailed, Leaf, RefUpdate, is_ref
from bot.demo.github.commit_object import Signature, commit_bytes

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MAIN = "refs/heads/main"


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Bare]:
    bare = Bare(tmp_path / "a.git").make()
    yield bare
    bare.close()


def commit(bare: Bare, message: str, *parents: str, tree: str | None = None) -> str:
    from datetime import UTC, datetime

    who = Signature(name="Maja", email="maja@example.org", at=datetime(2026, 5, 4, tzinfo=UTC))
    tree = tree or bare.make_tree(None, [])
    return bare.write(
        "commit", commit_bytes(tree=tree, parents=parents, author=who, committer=who, message=message)
    )


REFS = {
    "refs/heads/main": True,
    "refs/heads/ünïcode/💚": True,
    "refs/heads/-dash": True,
    "refs/heads/a#b%c?d": False,
    "refs/heads/a#b%c": True,
    "refs/heads/a@{1}": False,
    "refs/heads/a^": False,
    "refs/heads/a~1": False,
    "refs/heads/a:b": False,
    "refs/heads/a..b": False,
    "refs/heads/a b": False,
    "refs/heads/a\nrefs/heads/b": False,
    "refs/heads/a\0b": False,
    "refs/heads/.hidden": False,
    "refs/heads/a.lock": False,
    "refs/heads/a/": False,
    "refs/heads/a.": False,
    "refs/heads//a": False,
    "heads/main": False,
    "--upload-pack=evil": False,
    "": False,
}


@pytest.mark.parametrize(("name", "expected"), REFS.items(), ids=map(repr, REFS))
def test_a_ref_is_what_git_takes_for_one(bare: Bare, name: str, *, expected: bool) -> None:
    assert is_ref(name) is expected
    if "\0" not in name:
        try:
            bare.git("check-ref-format", name)
            is_gits = True
        except GitFailed:
            is_gits = False
        assert is_gits is expected or name == "heads/main", "a full name starts with refs/"


@pytest.mark.parametrize(
    "name", ["main", "HEAD", f"{MAIN}^{{tree}}", f"{MAIN}:a", "--help", "a" * 41, f"{MAIN}\n"]
)
def test_only_full_names_are_looked_up(bare: Bare, name: str) -> None:
    bare.update([RefUpdate(ref=MAIN, before=None, after=commit(bare, "one"))])
    assert bare.object(name) is None


def test_refs_move_all_or_none_and_only_from_where_they_are_said_to_be(bare: Bare) -> None:
    one = commit(bare, "one")
    two = commit(bare, "two", one)
    assert bare.update([RefUpdate(ref=MAIN, before=NO_SHA, after=one)])
    assert not bare.update([RefUpdate(ref=MAIN, before=NO_SHA, after=two)]), "it exists by now"
    other = RefUpdate(ref="refs/heads/other", before=NO_SHA, after=one)
    assert not bare.update([other, RefUpdate(ref=MAIN, before=two, after=one)])
    assert bare.refs("refs/") == {MAIN: one}, "the good half has not happened either"
    assert bare.update([other, RefUpdate(ref=MAIN, before=one, after=two)])
    assert bare.update([RefUpdate(ref="refs/heads/other", before=one, after=NO_SHA)])
    assert bare.refs("refs/") == {MAIN: two}
    assert not bare.update([RefUpdate(ref="refs/heads/x^{}", before=None, after=one)])


def test_a_tree_takes_changes_modes_and_deletions_at_any_depth(bare: Bare) -> None:
    blob = bare.write("blob", b"x")
    first = bare.make_tree(
        None,
        [
            Leaf(path="a/b/c", mode="100644", sha=blob),
            Leaf(path="a/d", mode="100755", sha=blob),
            Leaf(path="e", mode="120000", sha=blob),
        ],
    )
    second = bare.make_tree(
        first, [Leaf(path="a/b/c", mode="100644", sha=NO_SHA), Leaf(path="e/f", mode="100644", sha=blob)]
    )
    assert [(leaf.mode, leaf.path) for leaf in bare.walk(second)] == [
        ("040000", "a"),
        ("100755", "a/d"),
        ("040000", "e"),
        ("100644", "e/f"),
    ]
    assert bare.leaf(second, "a/d") == Leaf(path="d", mode="100755", sha=blob)
    assert bare.leaf(second, "a/d/e") is None
    assert bare.leaf(second, "a/b") is None


@pytest.mark.parametrize("path", [".git/config", "a/../b", "../a", "/a", "a//b", "a/.GIT/x", ""])
def test_a_path_that_git_would_not_check_out_makes_no_tree(bare: Bare, path: str) -> None:
    blob = bare.write("blob", b"x")
    with pytest.raises(GitFailed):
        bare.make_tree(None, [Leaf(path=path, mode="100644", sha=blob)])


def test_odd_file_names_and_any_bytes_come_back_as_they_went_in(bare: Bare) -> None:
    names = ["a\nb", 'quo"te', "tab\t", "\udcff", "🫖", "-x"]
    content = bytes(range(256)) * 40
    blob = bare.write("blob", content)
    tree = bare.make_tree(None, [Leaf(path=name, mode="100644", sha=blob) for name in names])
    assert {leaf.path for leaf in bare.leaves(tree)} == set(names)
    found = bare.object(blob)
    assert found is not None
    assert found.content == content


def test_what_is_written_is_what_git_would_have_written(bare: Bare) -> None:
    content = b"some\0bytes" * 1000
    assert bare.write("blob", content) == bare.git("hash-object", "--stdin", stdin=content).decode().strip()
    sha = commit(bare, "one")
    bare.update([RefUpdate(ref=MAIN, before=None, after=sha)])
    assert bare.git("fsck", "--full", "--strict", "--no-dangling") == b""


def test_this_machines_git_configuration_does_not_count(bare: Bare) -> None:
    assert bare.git("config", "--list", "--show-scope").decode().split("\t")[0] == "local"
    assert b"global" not in bare.git("config", "--list", "--show-scope")


def test_what_was_closed_starts_no_reader_that_nobody_would_end(bare: Bare) -> None:
    tip = commit(bare, "one")
    assert bare.object(tip) is not None
    bare.close()
    with pytest.raises(GitFailed, match="was closed"):
        bare.object(tip)
