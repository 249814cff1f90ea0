"""A diff shows exactly what changes: git makes the planned bytes of it, and no other."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from real_git import ENVIRONMENT, git

from bot.workspace import Change, Entry, Mode, blob_sha
from bot.workspace.diff import file_diff


def change(
    path: str, before: bytes | None, after: bytes | None, *, old: Mode = Mode.FILE, new: Mode = Mode.FILE
) -> Change:
    return Change(
        path=path,
        before=None if before is None else Entry(mode=old, blob=blob_sha(before)),
        after=None if after is None else Entry(mode=new, blob=blob_sha(after)),
        content_before=before,
        content_after=after,
    )


# <..> stands for the name that git gives to those bytes, and <> for that of nothing.
SHOWN = {
    "a new file": (
        change("docs/n.md", None, b"N\n"),
        """\
diff --git a/docs/n.md b/docs/n.md
new file mode 100644
index <>..<N\n>
--- /dev/null
+++ b/docs/n.md
@@ -0,0 +1 @@
+N
""",
    ),
    "a new empty file": (
        change("n", None, b""),
        "diff --git a/n b/n\nnew file mode 100644\nindex <>..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n",
    ),
    "a deleted executable file": (
        change("run", b"x\n", None, old=Mode.EXECUTABLE),
        """\
diff --git a/run b/run
deleted file mode 100755
index <x\n>..<>
--- a/run
+++ /dev/null
@@ -1 +0,0 @@
-x
""",
    ),
    "a change of mode": (
        change("run", b"x\n", b"x\n", new=Mode.EXECUTABLE),
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
    ),
    "a change of both": (
        change("run", b"x\n", b"y\n", new=Mode.EXECUTABLE),
        """\
diff --git a/run b/run
old mode 100644
new mode 100755
index <x\n>..<y\n>
--- a/run
+++ b/run
@@ -1 +1 @@
-x
+y
""",
    ),
    "no newline at the end": (
        change("a", b"x", b"x\n"),
        """\
diff --git a/a b/a
index <x>..<x\n> 100644
--- a/a
+++ b/a
@@ -1 +1 @@
-x
\\ No newline at end of file
+x
""",
    ),
    "bytes that are no text": (
        change("b", b"1\0", b"2\0"),
        "diff --git a/b b/b\nindex <1\0>..<2\0> 100644\nBinary files a/b and b/b differ\n",
    ),
    "text that is not UTF-8": (
        change("b", None, b"caf\xe9"),
        (
            "diff --git a/b b/b\nnew file mode 100644\nindex <>..<caf\xe9>\n"
            "Binary files /dev/null and b/b differ\n"
        ),
    ),
    "a name that would break the line": (
        change('a\n"b"', None, b"x"),
        (
            'diff --git "a/a\\n\\"b\\"" "b/a\\n\\"b\\""\nnew file mode 100644\nindex <>..<x>\n'
            '--- /dev/null\n+++ "b/a\\n\\"b\\""\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n'
        ),
    ),
}


@pytest.mark.parametrize(("made", "text"), SHOWN.values(), ids=SHOWN)
def test_a_diff_is_written_as_git_writes_it(made: Change, text: str) -> None:
    def named(found: re.Match[str]) -> str:
        return blob_sha(found[1].encode("latin-1")) if found[1] else "0" * 40

    assert file_diff(made) == re.sub(r"<([^>]*)>", named, text)


CONTENTS = st.none() | st.text(alphabet="ab\n\r\t é@-+\\", max_size=30).map(str.encode)
MODES = st.sampled_from([Mode.FILE, Mode.EXECUTABLE])


@settings(max_examples=80, deadline=None)
@given(CONTENTS, CONTENTS, MODES, MODES, st.sampled_from(["a", "my file", "d/ü", 'q"\\', "-x", "t\tb"]))
def test_git_makes_the_planned_file_of_every_diff(
    tmp_path_factory: pytest.TempPathFactory,
    before: bytes | None,
    after: bytes | None,
    old: Mode,
    new: Mode,
    path: str,
) -> None:
    made = change(path, before, after, old=old, new=new)
    assume(made.before != made.after)
    folder: Path = tmp_path_factory.mktemp("apply")
    git(folder, "init", "-q")
    place = folder / path
    place.parent.mkdir(exist_ok=True)
    if before is not None:
        place.write_bytes(before)
        place.chmod(0o755 if old is Mode.EXECUTABLE else 0o644)
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        env=ENVIRONMENT,
        input=file_diff(made).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert (place.read_bytes() if place.exists() else None) == after
    if after is not None:
        assert bool(place.stat().st_mode & 0o100) == (new is Mode.EXECUTABLE)


def test_the_same_change_always_gives_the_same_text_and_large_files_take_no_time() -> None:
    before = b"".join(b"line %d\n" % number for number in range(40_000))
    after = before.replace(b"line 7\n", b"line seven\n").replace(b"line 39999\n", b"")
    assert file_diff(change("a", before, after)) == file_diff(change("a", before, after))
