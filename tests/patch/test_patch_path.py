"""Paths as diff headers spell them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ToolFailed
from bot.patch.patch_path import header_path, same_paths
from bot.workspace import Change, Entry, Mode, blob_sha
from bot.workspace.diff import file_diff

SPELLED = {
    "plain": ("a/x.md", "a/x.md"),
    "dated": ("a/x.md\t2026-01-01 00:00:00.000 +0000", "a/x.md"),
    "with spaces": ("a/my file\t", "a/my file"),
    "quoted": ('"a/tab\\there\\"\\\\"', 'a/tab\there"\\'),
    "in octal": ('"a/\\303\\244"', "a/ä"),
    "quoted and dated": ('"a/x"\t2026-01-01', "a/x"),
    "bytes that are not UTF-8": ('"a/\\377"', "a/\udcff"),
}


@pytest.mark.parametrize(("spelled", "path"), SPELLED.values(), ids=SPELLED)
def test_a_path_is_read_as_git_writes_it(spelled: str, path: str) -> None:
    assert header_path(spelled, 1, is_dated=True) == path


@pytest.mark.parametrize("spelled", ["", "\t2026", '"a/x', '"a/x" and more'])
def test_what_is_no_path_is_refused_with_its_line(spelled: str) -> None:
    with pytest.raises(ToolFailed, match="line 7"):
        header_path(spelled, 7, is_dated=True)


PAIRS = {
    "two equal ones": ("a/x b/x", ("x", "x")),
    "with spaces": ("a/my b/file b/my b/file", ("my b/file", "my b/file")),
    "two different ones": ("a/x b/y", ("x", "y")),
    "quoted": ('"a/\\303\\244" "b/\\303\\244"', ("ä", "ä")),
    "without sides": ("x x", ("x", "x")),
    "nobody can tell": ("a/x y b/z w", None),
}


@pytest.mark.parametrize(("spelled", "paths"), PAIRS.values(), ids=PAIRS)
def test_a_git_line_names_two_paths(spelled: str, paths: tuple[str, str] | None) -> None:
    assert same_paths(spelled) == paths


@given(st.text(min_size=1, max_size=12).filter(lambda text: "\0" not in text and text.strip() == text))
def test_every_path_that_a_diff_of_ours_names_is_read_back(path: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in path):
        return
    entry = Entry(mode=Mode.FILE, blob=blob_sha(b"x\n"))
    change = Change(path=path, before=None, after=entry, content_before=None, content_after=b"x\n")
    lines = file_diff(change).split("\n")
    assert header_path(lines[4].removeprefix("+++ "), 5, is_dated=True) == f"b/{path}"
    if " " not in path or same_paths(lines[0].removeprefix("diff --git ")) is not None:
        assert same_paths(lines[0].removeprefix("diff --git ")) == (path, path)
