"""A change as it is recorded."""

import base64

import pytest

from bot.plan import Content
from bot.plan.effect import effect_of
from bot.workspace import Change, Entry, Mode, blob_sha

CONTENTS = {
    "text": (b"a\n", Content(encoding="utf-8", data="a\n")),
    "nothing in it": (b"", Content(encoding="utf-8", data="")),
    "bytes": (b"\xff\x00", Content(encoding="base64", data=base64.b64encode(b"\xff\x00").decode())),
    "a deletion": (None, None),
}


@pytest.mark.parametrize(("after", "content"), CONTENTS.values(), ids=CONTENTS)
def test_an_effect_holds_all_of_what_will_be_there(after: bytes | None, content: Content | None) -> None:
    before = b"before\n"
    change = Change(
        path="x",
        before=Entry(mode=Mode.FILE, blob=blob_sha(before)),
        after=None if after is None else Entry(mode=Mode.EXECUTABLE, blob=blob_sha(after)),
        content_before=before,
        content_after=after,
    )
    effect = effect_of(change)
    assert effect.content == content
    assert (effect.mode_before, effect.blob_before) == (Mode.FILE, blob_sha(before))
    assert effect.mode_after == (None if after is None else Mode.EXECUTABLE)
    assert effect.blob_after == (None if after is None else blob_sha(after))
    assert effect.diff.startswith("diff --git a/x b/x\n")
