import pytest

from bot.errors import ToolFailed
from bot.workspace.empty_tree import EMPTY_TREE


def test_nothing_is_there() -> None:
    assert EMPTY_TREE.entry("a") is None
    assert EMPTY_TREE.obstacle("a") is None
    assert list(EMPTY_TREE.paths()) == list(EMPTY_TREE.entries) == list(EMPTY_TREE.lay_out([])) == []
    with pytest.raises(ToolFailed):
        EMPTY_TREE.read("a")
