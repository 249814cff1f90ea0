"""Every path that an edit names is known, so that all of them can be judged."""

import pytest

from bot.patch.file_edit import FileEdit

CASES = {
    "a change": (FileEdit(old="a", new="a", hunks=()), ("a",)),
    "a move": (FileEdit(old="a", new="b", hunks=()), ("a", "b")),
    "a new file": (FileEdit(old=None, new="b", hunks=()), ("b",)),
    "a deletion": (FileEdit(old="a", new=None, hunks=None), ("a",)),
}


@pytest.mark.parametrize(("edit", "paths"), CASES.values(), ids=CASES)
def test_an_edit_names_its_paths(edit: FileEdit, paths: tuple[str, ...]) -> None:
    assert edit.paths == paths
