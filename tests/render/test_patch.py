import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BETTER, GUIDE, effect

from bot.plan import Content
from bot.render.patch import patch_of, tells
from bot.workspace import Mode

TOLD = {
    "an edit": effect("a", GUIDE, BETTER),
    "a new file": effect("a", None, GUIDE),
    "a new file without a last line end": effect("a", None, b"x"),
    "a new empty file": effect("a", None, b""),
    "a file made empty": effect("a", b"x\n", b""),
    "an empty file filled": effect("a", b"", b"x\n"),
    "a deleted file": effect("a", GUIDE, None),
    "a deleted empty file": effect("a", b"", None),
    "a last line end added": effect("a", b"x", b"x\n"),
    "a last line end taken away": effect("a", b"x\n", b"x"),
    "two hunks": effect("a", b"1\n" * 30, b"0\n" + b"1\n" * 28 + b"0\n"),
    "lines with returns": effect("a", b"x\r\ny\r\n", b"x\r\nz\r\n"),
    "lines like headers": effect("a", b"-- a\n++ b\n", b"-- b\n++ a\n@@ -1 +1 @@\n"),
    "another mode": effect("a", GUIDE, GUIDE, Mode.FILE, Mode.EXECUTABLE),
    "another mode and an edit": effect("a", GUIDE, BETTER, Mode.FILE, Mode.EXECUTABLE),
}


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_an_honest_diff_tells_the_content(told) -> None:
    assert tells(told, patch_of(told))


EDIT = effect("a", GUIDE, BETTER)
NEW = effect("a", None, b"one\ntwo\n")
LIES = {
    "other content than shown": EDIT.model_copy(
        update={"content": Content(encoding="utf-8", data=BETTER.decode().replace("badge", "shell"))}
    ),
    "more content than shown": NEW.model_copy(
        update={"content": Content(encoding="utf-8", data="one\ntwo\nthree\n")}
    ),
    "no diff at all": EDIT.model_copy(update={"diff": ""}),
    "headers only": EDIT.model_copy(update={"diff": EDIT.diff.partition("@@")[0]}),
    "a hunk cut short": EDIT.model_copy(update={"diff": "\n".join(EDIT.diff.split("\n")[:-4])}),
    "words behind the hunks": EDIT.model_copy(update={"diff": EDIT.diff + "and more\n"}),
    "a second file behind the hunks": EDIT.model_copy(update={"diff": EDIT.diff + NEW.diff}),
    "a line without a mark": EDIT.model_copy(update={"diff": EDIT.diff.replace("\n End.", "\nEnd.")}),
    "hunks in another place": EDIT.model_copy(update={"diff": EDIT.diff.replace("+1,7", "+2,7")}),
    "added lines in a deletion": effect("a", GUIDE, None).model_copy(update={"diff": NEW.diff}),
    "a deletion that keeps a blob": effect("a", GUIDE, None).model_copy(update={"blob_after": "a" * 40}),
    "something else than text": effect("a", None, b"x\n").model_copy(
        update={"content": Content(encoding="base64", data="AAE=")}
    ),
    "a diff beside another mode": TOLD["another mode"].model_copy(update={"diff": EDIT.diff}),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_diff_that_lies_does_not_tell(lie) -> None:
    assert not tells(lie, patch_of(lie))


LINES = st.lists(st.sampled_from(["a", "b", "", "-x", "+y", " z", "\\", "@@ -1 +1 @@", "\r"]), max_size=8)


ENDS = st.sampled_from(["", "\n"])


@given(LINES, LINES, ENDS, ENDS)
def test_every_diff_we_write_tells(before: list[str], after: list[str], end: str, other_end: str) -> None:
    old, new = "\n".join(before) + end, "\n".join(after) + other_end
    change = effect("a", old.encode(), new.encode())
    assert tells(change, patch_of(change))
    made = effect("a", None, new.encode())
    assert tells(made, patch_of(made))


def test_lines_are_counted() -> None:
    patch = patch_of(EDIT)
    assert (patch.added, patch.removed) == (2, 2)
    assert patch.text.startswith("@@ -1,7 +1,7 @@\n")
