"""Past commits' files, from a clone's object store alone."""

import pickle
from pathlib import Path

import pytest
from real_git import commit_all, committed, lay

from bot.errors import CheckoutFailed
from bot.outside.past_ground import PastGround


def test_every_commit_of_a_clone_is_there_with_its_own_bytes(tmp_path: Path) -> None:
    first = committed(tmp_path / "clone", {"a.txt": b"one\n"})
    lay(tmp_path / "clone", {"a.txt": b"two\n", "b.txt": b"b\n"})
    second = commit_all(tmp_path / "clone")
    (tmp_path / "clone" / "a.txt").write_bytes(b"not committed\n")
    ground: PastGround = pickle.loads(pickle.dumps(PastGround(folder=tmp_path / "clone")))
    assert [ground.tree_at(commit).read("a.txt") for commit in (first, second, first)] == [
        b"one\n",
        b"two\n",
        b"one\n",
    ]
    assert ground.tree_at(first) is ground.tree_at(first)
    assert set(ground.tree_at(second).entries) == {"a.txt", "b.txt"}


def test_a_commit_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    committed(tmp_path / "clone", {"a.txt": b"one\n"})
    with pytest.raises(CheckoutFailed) as failed:
        _ = PastGround(folder=tmp_path / "clone").tree_at("1" * 40).entries
    assert failed.value.next_step
