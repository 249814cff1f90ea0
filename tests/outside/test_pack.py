"""A pack that git itself takes apart."""

import subprocess
from pathlib import Path

import pytest
from real_git import git

from bot.outside.pack import Object, packed

SIZES = [0, 1, 15, 16, 17, 2047, 2048, 2049, 300_000]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def test_git_has_every_object_of_it_whole(repository: Path) -> None:
    blobs = [Object(kind="blob", content=bytes(at % 251 for at in range(size))) for size in SIZES]
    tree = Object(kind="tree", content=b"100644 a\0" + bytes.fromhex(blobs[3].sha))
    text = f"tree {tree.sha}\nauthor a <> 0 +0000\ncommitter a <> 0 +0000\n\nm\n"
    commit = Object(kind="commit", content=text.encode())
    pack = packed([*blobs, tree, commit, blobs[0]])
    subprocess.run(
        ["git", "index-pack", "--stdin", "--strict"],
        cwd=repository,
        input=pack,
        check=True,
        capture_output=True,
    )
    for one in [*blobs, tree, commit]:
        assert git(repository, "cat-file", one.kind, one.sha) == one.content
    assert git(repository, "cat-file", "--batch-all-objects", "--batch-check").count(b"\n") == len(blobs) + 2
