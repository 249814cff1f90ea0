"""Files that are secret are not laid out."""

import pytest
from fakes import MemoryTree

from bot.errors import ToolFailed
from bot.workspace.open_tree import OpenTree

TREE = MemoryTree({".env": "TOKEN=1\n", "a.txt": "a\n", "keys/id_rsa": "key\n"})


def test_what_is_secret_is_neither_listed_nor_read() -> None:
    tree = OpenTree(TREE, lambda path: path != "a.txt")
    assert list(tree.entries) == ["a.txt"]
    assert tree.read("a.txt") == b"a\n"
    for path in (".env", "keys/id_rsa", "nowhere"):
        with pytest.raises(ToolFailed, match="may be read"):
            tree.read(path)


def test_what_is_open_is_all_there_when_nothing_is_secret() -> None:
    assert OpenTree(TREE, lambda _: False).entries == TREE.entries
