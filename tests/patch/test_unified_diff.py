"""Unified diffs as models, mails and git write them: what each one means, and which are refused."""

from dataclasses import replace

import pytest

from bot.errors import ToolFailed
from bot.patch.file_edit import FileEdit
from bot.patch.hunk import Hunk
from bot.patch.unified_diff import read_unified

GIT = """\
diff --git a/docs/a.md b/docs/a.md
index 1111111..2222222 100644
--- a/docs/a.md
+++ b/docs/a.md
@@ -1,3 +1,3 @@ heading
 one
-two
+zwei
 three
"""


def edit(
    old: str | None, new: str | None, *lines: tuple[str, str], executable: bool | None = None
) -> FileEdit:
    hunks = (Hunk(lines=lines, said_at=0),) if lines else ()
    return FileEdit(old=old, new=new, hunks=hunks, executable=executable)


def plain(found: FileEdit) -> FileEdit:
    """Without what depends on where in the patch it stands."""
    hunks = tuple(Hunk(lines=hunk.lines, said_at=0) for hunk in found.hunks or ())
    return FileEdit(old=found.old, new=found.new, hunks=hunks, executable=found.executable)


PLAIN = """\
--- docs/a.md\t2026-01-01 00:00:00
+++ docs/a.md\t2026-01-02
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
"""
CHANGED = edit("docs/a.md", "docs/a.md", (" ", "one"), ("-", "two"), ("+", "zwei"), (" ", "three"))
BOTH = "--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n"
QUOTED = '--- "a/\\303\\244\\".md"\n+++ "b/\\303\\244\\".md"\n@@ -1 +1 @@\n-a\n+b\n'

MEANT = {
    "git's own": (GIT, [CHANGED]),
    "a plain one with dates": (PLAIN, [CHANGED]),
    "counts that are too small": (
        GIT.replace("-1,3 +1,3", "-1,2 +1,1"),
        [CHANGED],
    ),
    "counts that are too large": (
        GIT.replace("-1,3 +1,3", "-1,9 +1,9"),
        [CHANGED],
    ),
    "a hunk header without numbers": (
        GIT.replace("@@ -1,3 +1,3 @@ heading", "@@"),
        [CHANGED],
    ),
    "words before it": (
        "Here is the patch:\n\n```diff\n" + GIT + "```\n",
        [CHANGED],
    ),
    "a mail's signature after it": (GIT + "-- \n2.39.5\n\n", [CHANGED]),
    "an empty unchanged line without its space": (
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n",
        [edit("x", "x", (" ", "a"), (" ", ""), ("-", "b"), ("+", "c"))],
    ),
    "a new file": (
        "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        [edit(None, "n", ("+", "a"), ("+", "b"), executable=False)],
    ),
    "a new executable file": (
        "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n",
        [edit(None, "n", ("+", "a"), executable=True)],
    ),
    "a new empty file": (
        "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n",
        [edit(None, "n", executable=False)],
    ),
    "a deleted file": (
        "diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        [edit("o", None, ("-", "a"))],
    ),
    "a renamed file": (
        "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
        [edit("o", "n")],
    ),
    "a renamed and changed file": (
        "diff --git a/o b/n\nsimilarity index 60%\nrename from o\nrename to n\n" + BOTH,
        [edit("o", "n", ("-", "a"), ("+", "b"))],
    ),
    "a change of mode": (
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
        [edit("run", "run", executable=True)],
    ),
    "several files": (
        GIT + "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n" + GIT.replace("docs/a.md", "docs/c.md"),
        [
            CHANGED,
            edit("b", "b", ("-", "x"), ("+", "y")),
            replace(CHANGED, old="docs/c.md", new="docs/c.md"),
        ],
    ),
    "removed and added lines that look like headers": (
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n--- old\n+++ new\n b\n",
        [edit("x", "x", (" ", "a"), ("-", "-- old"), ("+", "++ new"), (" ", "b"))],
    ),
    "a name with spaces": (
        "diff --git a/my file b/my file\n--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n+b\n",
        [edit("my file", "my file", ("-", "a"), ("+", "b"))],
    ),
    "a name in git's quotes": (
        'diff --git "a/\\303\\244\\".md" "b/\\303\\244\\".md"\n' + QUOTED,
        [edit('ä".md', 'ä".md', ("-", "a"), ("+", "b"))],
    ),
    "a patch with CRLF line ends keeps them in its lines": (
        "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
        [edit("x", "x", ("-", "a\r"), ("+", "b\r"))],
    ),
}


@pytest.mark.parametrize(("patch", "expected"), MEANT.values(), ids=MEANT)
def test_a_diff_means_what_it_says(patch: str, expected: list[FileEdit]) -> None:
    assert [plain(found) for found in read_unified(patch)] == expected


def test_newlines_at_the_end_are_told_apart() -> None:
    head = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n"
    bare = "\\ No newline at end of file\n"
    cases = {
        f"{head}-a\n+b\n": (None, None),
        f"{head}-a\n{bare}+b\n": (True, False),
        f"{head}-a\n+b\n{bare}": (False, True),
        f"{head}-a\n{bare}+b\n{bare}": (True, True),
        f"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n{bare}": (True, True),
    }
    for patch, expected in cases.items():
        (found,) = read_unified(patch)
        assert found.hunks is not None
        assert (found.hunks[0].old_is_bare, found.hunks[0].new_is_bare) == expected


REFUSED = {
    "nothing": ("", "empty"),
    "words only": ("I would change line 3.\n", "empty"),
    "no file": ("@@ -1 +1 @@\n-a\n+b\n", "belongs to no hunk"),
    "no hunk": ("--- a/x\n+++ b/x\n", "should begin a hunk"),
    "nothing changed": ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n b\n", "no line to add or remove"),
    "a file named only": ("diff --git a/x b/x\nindex 1..2 100644\n", "changes nothing"),
    "a link": (
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n",
        "symbolic link",
    ),
    "a file that becomes a link": ("diff --git a/l b/l\nold mode 100644\nnew mode 120000\n", "symbolic link"),
    "a changed link": (
        "diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
        "symbolic link",
    ),
    "a submodule": (
        "diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n",
        "submodule",
    ),
    "a mode that git has not": ("diff --git a/x b/x\nold mode 100644\nnew mode 104755\n", "mode '104755'"),
    "binary": ("diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\n", "binary"),
    "binary in words": ("diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "binary"),
    "a copy": ("diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", "copies"),
    "two names without a rename": ("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "rename lines"),
    "headers that disagree": (
        "diff --git a/README.md b/README.md\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n",
        "names README.md, and a line below it .env",
    ),
    "rename lines that disagree": (
        "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n",
        "other paths than its rename lines",
    ),
    "neither old nor new": ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "new and deleted"),
    "a line without its sign": (
        "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\nd\n",
        "must begin with a space",
    ),
    "words after a hunk": (GIT + "and that is all\n", "must begin with a space"),
    "a path that cannot be read": ('--- "a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', "in quotes"),
    "no second name": ("--- a/x\nsomething\n@@ -1 +1 @@\n-a\n+b\n", "belongs to no hunk"),
    "a remark that nobody knows": ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ What\n+b\n", "can't be read"),
}


@pytest.mark.parametrize(("patch", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_a_diff_cannot_mean_is_refused_with_the_line(patch: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        read_unified(patch)


def test_every_path_in_every_header_is_known() -> None:
    patch = MEANT["a renamed and changed file"][0] + GIT
    assert [(edit.old, edit.new) for edit in read_unified(patch)] == [("o", "n"), ("docs/a.md", "docs/a.md")]
