"""One place, exact bytes, or a refusal that helps; compared with git's own `apply` where both do it."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from real_git import ENVIRONMENT

from bot.errors import ToolFailed
from bot.patch.hunk import Hunk, patched
from bot.patch.text import Text
from bot.patch.unified_diff import read_unified
from bot.workspace import Change, Entry, Mode, blob_sha
from bot.workspace.diff import file_diff


def lines(*rows: str) -> tuple[tuple[str, str], ...]:
    return tuple((row[0], row[1:]) for row in rows)


def hunk(*rows: str, **more: object) -> Hunk:
    return Hunk(lines=lines(*rows), said_at=1, **more)


TWICE = b"def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"
CLASSES = b"class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n        pass\n"

PLACED = {
    "where it says": (b"x\ny\nx\ny\n", [hunk("-x", "+z", start=2)], b"x\ny\nz\ny\n"),
    "at the only place, wherever it says": (b"a\nb\nc\n", [hunk("-c", "+d", start=0)], b"a\nb\nd\n"),
    "one after the other": (
        b"a\nb\na\n",
        [hunk("-a", "+1", start=0), hunk("-a", "+2", start=2)],
        b"1\nb\n2\n",
    ),
    "the second after the first": (b"a\na\n", [hunk("-a", "+1", start=0), hunk("-a", "+2")], b"1\n2\n"),
    "into an empty file": (b"", [hunk("+a", "+b")], b"a\nb\n"),
    "below its anchor": (
        TWICE,
        [hunk("-    x = 1", "+    x = 2", anchors=("def b():",))],
        TWICE[:-23] + b"    x = 2\n    return x\n",
    ),
    "below an anchor within an anchor": (
        CLASSES,
        [hunk("-        pass", "+        return", anchors=("class B:", "    def f(self):"))],
        CLASSES[:-13] + b"        return\n",
    ),
    "below an anchor spelled without its white space": (
        CLASSES,
        [hunk("-        pass", "+        return", anchors=("class A:", "def f(self):"))],
        CLASSES.replace(b"pass", b"return", 1),
    ),
    "the anchor itself": (
        b"def f():\n    pass\n",
        [hunk(" def f():", "-    pass", "+    go", anchors=("def f():",))],
        b"def f():\n    go\n",
    ),
    "only new lines below an anchor": (b"a\nb\n", [hunk("+new", anchors=("a",))], b"a\nnew\nb\n"),
    "only new lines at the end": (b"a\nb\n", [hunk("+new", at_end=True)], b"a\nb\nnew\n"),
    "the last of several at the end": (b"a\nb\na\n", [hunk(" a", "+new", at_end=True)], b"a\nb\na\nnew\n"),
    "everything": (b"a\nb\n", [hunk("-a", "-b")], b""),
}


@pytest.mark.parametrize(("before", "hunks", "after"), PLACED.values(), ids=PLACED)
def test_a_hunk_is_placed(before: bytes, hunks: list[Hunk], after: bytes) -> None:
    assert patched(Text.of(before, path="x"), hunks, path="x").to_bytes() == after


MARK = b"\xef\xbb\xbf"
ENDS = {
    "CRLF, which the patch has not": (b"a\r\nb\r\n", [hunk(" a", "-b", "+c", "+d")], b"a\r\nc\r\nd\r\n"),
    "CRLF, which the patch has": (b"a\r\nb\r\n", [hunk(" a\r", "-b\r", "+c\r")], b"a\r\nc\r\n"),
    "CRLF that the patch takes away": (b"a\r\nb\r\n", [hunk(" a\r", "-b\r", "+b")], b"a\r\nb\n"),
    "LF, and a patch with CRLF": (b"a\nb\n", [hunk(" a\r", "-b\r", "+c\r")], b"a\nc\n"),
    "both, each line its own": (
        b"a\r\nb\nc\r\n",
        [hunk(" a", "-b", "+x", "+y", " c")],
        b"a\r\nx\ny\nc\r\n",
    ),
    "both, copied exactly": (b"a\r\nb\nc\r\n", [hunk("-b", "+x", " c\r")], b"a\r\nx\nc\r\n"),
    "CRLF into which lines come first": (b"a\r\n", [hunk("+new", " a")], b"new\r\na\r\n"),
    "CRLF at the end": (b"a\r\nb", [hunk(" b", "+c")], b"a\r\nb\r\nc"),
    "a mark that the patch has not": (MARK + b"a\nb\n", [hunk("-a", "+c", " b")], MARK + b"c\nb\n"),
    "a mark that the patch has": (MARK + b"a\nb\n", [hunk("-\ufeffa", "+\ufeffc")], MARK + b"c\nb\n"),
    "a mark that the patch takes away": (MARK + b"a\nb\n", [hunk("-\ufeffa", "+a")], b"a\nb\n"),
    "a mark before a line that comes first": (MARK + b"a\n", [hunk("+new", " a")], MARK + b"new\na\n"),
    "a mark, changed further down": (MARK + b"a\nb\n", [hunk("-b", "+c")], MARK + b"a\nc\n"),
    "no newline, which the patch does not say": (b"a\nb", [hunk("-b", "+c")], b"a\nc"),
    "no newline, and a line more": (b"a\nb", [hunk(" b", "+c")], b"a\nb\nc"),
    "no newline, and a line less": (b"a\nb", [hunk(" a", "-b")], b"a"),
    "no newline, changed above": (b"a\nb\nc", [hunk("-a", "+x", " b")], b"x\nb\nc"),
    "no newline, and the patch adds it": (
        b"a\nb",
        [hunk("-b", "+b", old_is_bare=True, new_is_bare=False)],
        b"a\nb\n",
    ),
    "a newline that the patch takes": (
        b"a\nb\n",
        [hunk("-b", "+b", old_is_bare=False, new_is_bare=True)],
        b"a\nb",
    ),
    "no newline on both sides": (b"a\nb", [hunk("-b", "+c", old_is_bare=True, new_is_bare=True)], b"a\nc"),
    "CRLF, and the patch adds the last one": (
        b"a\r\nb",
        [hunk(" a\r", "-b", "+b\r", old_is_bare=True, new_is_bare=False)],
        b"a\r\nb\r\n",
    ),
}


@pytest.mark.parametrize(("before", "hunks", "after"), ENDS.values(), ids=ENDS)
def test_line_ends_mark_and_last_newline_are_kept_unless_the_patch_says(
    before: bytes, hunks: list[Hunk], after: bytes
) -> None:
    assert patched(Text.of(before, path="x"), hunks, path="x").to_bytes() == after


REFUSED = {
    "two places": (b"a\nb\na\n", [hunk("-a", "+c")], "fits at lines 1, 3"),
    "two places, and it says a third": (b"a\nb\na\n", [hunk("-a", "+c", start=1)], "fits at lines 1, 3"),
    "no place": (b"a\nb\n", [hunk("-c", "+d")], "'c' is not a line of the file"),
    "other white space": (b"a\n  b\n", [hunk("-b", "+c")], "line 2 differs from it in white space"),
    "other order": (b"a\nb\n", [hunk("-b", "-a")], "not together in this order"),
    "above the hunk before": (b"a\nb\nc\n", [hunk("-b", "+x"), hunk("-a", "+y")], "order of the file"),
    "overlapping the hunk before": (b"a\nb\n", [hunk("-a", " b"), hunk(" a", "-b")], "order of the file"),
    "no line to say where": (b"a\n", [hunk("+b")], "no unchanged or removed line"),
    "no anchor": (b"a\n", [hunk("-a", "+b", anchors=("def f():",))], "no line there is 'def f\\(\\):'"),
    "above its anchor": (b"x\na\ny\n", [hunk("-x", "+z", anchors=("a",))], "not below 'a'"),
    "twice below its anchor": (b"f\n x\n x\n", [hunk("- x", "+ y", anchors=("f",))], "fits at lines 2, 3"),
    "new lines below an anchor that is there twice": (
        b"a\nb\na\n",
        [hunk("+x", anchors=("a",))],
        "at lines 1, 3",
    ),
    "below an anchor that is everywhere": (
        b"a\n" * 200 + b"b\n",
        [hunk("-b", "+c", anchors=("a",))],
        "'a' is at 200 lines",
    ),
    "not at the end": (b"a\nb\n", [hunk("-a", "+c", at_end=True)], "do not end the file"),
    "a newline where the patch says none": (
        b"a\nb\n",
        [hunk("-b", "+c", old_is_bare=True, new_is_bare=True)],
        "do not end the file in that way",
    ),
    "no newline where the patch says one": (
        b"a\nb",
        [hunk("-b", "+c", old_is_bare=False, new_is_bare=True)],
        "do not end the file in that way",
    ),
    "an empty file": (b"", [hunk("-a", "+b")], "'a' is not a line of the file"),
}


@pytest.mark.parametrize(("before", "hunks", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_has_not_one_place_is_refused(before: bytes, hunks: list[Hunk], reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason) as refused:
        patched(Text.of(before, path="x"), hunks, path="docs/x.md")
    assert f"hunk {len(hunks)} (line 1 of the patch) does not fit docs/x.md" in str(refused.value)


def entry(content: bytes) -> Entry:
    return Entry(mode=Mode.FILE, blob=blob_sha(content))


def diff(before: bytes, after: bytes) -> str:
    change = Change(
        path="x", before=entry(before), after=entry(after), content_before=before, content_after=after
    )
    return file_diff(change)


CONTENTS = (
    st.lists(
        st.sampled_from(["a", "b", "", " c", "-d", "+e", "@@ -1 +1 @@", "\\ f", "g\r", "ä"]), max_size=14
    )
    .map("\n".join)
    .flatmap(lambda body: st.sampled_from([body, body + "\n", "\ufeff" + body]))
)


@settings(deadline=None, max_examples=300)
@given(CONTENTS, CONTENTS)
def test_a_diff_of_two_texts_turns_the_one_into_the_other(before: str, after: str) -> None:
    assume(before != after)
    (edit,) = read_unified(diff(before.encode(), after.encode()))
    assert edit.hunks is not None
    assert patched(Text.of(before.encode(), path="x"), edit.hunks, path="x").to_bytes() == after.encode()


def as_git_applies_it(folder: Path, content: bytes, patch: str) -> bytes | None:
    (folder / "x").write_bytes(content)
    done = subprocess.run(
        ["git", "apply", "--recount", "--whitespace=nowarn", "-"],
        cwd=folder,
        env=ENVIRONMENT | {"GIT_CEILING_DIRECTORIES": str(folder.parent)},
        input=patch.encode(),
        capture_output=True,
        check=False,
    )
    return (folder / "x").read_bytes() if done.returncode == 0 else None


@settings(deadline=None, max_examples=120)
@given(CONTENTS, CONTENTS, CONTENTS)
def test_on_another_text_than_its_own_it_never_comes_out_otherwise_than_with_git(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, other: str
) -> None:
    assume(before != after)
    patch = diff(before.encode(), after.encode())
    (edit,) = read_unified(patch)
    theirs = as_git_applies_it(tmp_path_factory.mktemp("apply"), other.encode(), patch)
    try:
        ours = patched(Text.of(other.encode(), path="x"), edit.hunks or (), path="x").to_bytes()
    except ToolFailed:
        # We refuse more: git takes the nearest of several places
        return
    if theirs is not None:
        assert ours == theirs
