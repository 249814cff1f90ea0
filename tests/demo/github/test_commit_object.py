from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.demo.github.bare import Bare
from bot.demo.github.commit_object import Signature, commit_bytes, read_commit

AT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
MESSAGES = {
    "one line": "Tidy",
    "a body and trailers": "Tidy\n\nWhy.\n\nDryrun-Plan: abc\n",
    "blank lines at the end": "Tidy\n\n\n",
    "none at all": "",
    "other scripts": "Ordnung schaffen: 整理 🫖",
    "a header look-alike": "parent 0000\n\nauthor x",
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_what_goes_in_comes_out_and_git_finds_nothing_wrong(tmp_path: Path, message: str) -> None:
    bare = Bare(tmp_path / "a.git").make()
    tree = bare.make_tree(None, [])
    who = Signature(name="Maja", email="maja@example.org", at=AT)
    content = commit_bytes(tree=tree, parents=(), author=who, committer=who, message=message)
    sha = bare.write("commit", content)
    parts = read_commit(bare.git("cat-file", "commit", sha))
    assert (parts.tree, parts.parents, parts.author, parts.message) == (tree, (), who, message)
    assert bare.git("log", "-1", "--format=%an <%ae> %at", sha).decode().strip() == (
        f"Maja <maja@example.org> {int(AT.timestamp())}"
    )


def test_a_name_cannot_forge_a_header() -> None:
    who = Signature(name="Maja <x>\nparent 123", email="a>\n", at=AT)
    content = commit_bytes(tree="0" * 40, parents=(), author=who, committer=who, message="")
    assert read_commit(content).parents == ()
    assert read_commit(content).author.name == "Maja xparent 123"


def test_a_signed_commit_and_a_broken_author_are_read() -> None:
    content = (
        b"tree 1\nparent 2\nparent 3\nauthor nobody\ncommitter A <a@b> 0 +0200\n"
        b"gpgsig -----BEGIN\n parent 4\n -----END\n\nHi\n"
    )
    parts = read_commit(content)
    assert (parts.parents, parts.author.name, parts.author.email) == (("2", "3"), "nobody", "")
