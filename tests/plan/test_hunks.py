import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.plan.hunks import first_hunk, lines_changed
from bot.workspace import Change, Entry, Mode, blob_sha
from bot.workspace.diff import file_diff

HEADER = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
DIFFS = {
    "an edit": (HEADER + "@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n", "@@ -1,2 +1", (2, 1)),
    "without headers": ("@@ -1 +1 @@\n-a\n+b\n", "@@ -1 +1", (1, 1)),
    "two hunks": (HEADER + "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9,0 @@ def f():\n-z\n", "@@ -1 +1", (1, 2)),
    "lines that look like headers": (HEADER + "@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n q\n", "@@ -1,2", (1, 1)),
    "a hunk's header in a name": (
        "diff --git a/@@ -1 +1 @@ b/@@ -1 +1 @@\n+++ b/@@ -1 +1 @@\n@@ -0,0 +1 @@\n+a\n",
        "@@ -0,0",
        (1, 0),
    ),
    "what is nearly a hunk": (HEADER + "@@ -1 +x @@\n+a\n", "", (0, 0)),
    "headers only": (HEADER, "", (0, 0)),
    "nothing": ("", "", (0, 0)),
    "lines with returns": ("@@ -1 +1 @@\r\n-a\r+\n+b\r\n", "@@ -1 +1", (1, 1)),
}


@pytest.mark.parametrize(("diff", "first", "lines"), DIFFS.values(), ids=DIFFS)
def test_lines_are_counted_from_the_first_hunk_on(diff: str, first: str, lines: tuple[int, int]) -> None:
    at = first_hunk(diff)
    assert diff[at : at + len(first)] == first
    assert (at == len(diff)) is (first == "")
    assert lines_changed(diff, at=at) == lines


LINES = st.lists(
    st.sampled_from(["a", "b", "", "-x", "+y", "--- a", "+++ b", "@@ -1 +1 @@", "\r"]), max_size=9
)


@given(LINES, LINES)
def test_of_a_diff_of_ours_every_line_that_changes_is_counted(before: list[str], after: list[str]) -> None:
    old, new = ("".join(f"{line}\n" for line in lines).encode() for lines in (before, after))
    change = Change(
        path="x",
        before=Entry(mode=Mode.FILE, blob=blob_sha(old)),
        after=Entry(mode=Mode.FILE, blob=blob_sha(new)),
        content_before=old,
        content_after=new,
    )
    diff = file_diff(change)
    added, removed = lines_changed(diff, at=first_hunk(diff))
    assert added - removed == len(after) - len(before)
    assert (added == removed == 0) is (before == after)
