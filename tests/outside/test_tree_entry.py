"""What a tree's entry holds, and how many of them GitHub is asked to store at once."""

import pytest

from bot.outside.tree_entry import batches, made_entry, uploaded
from bot.workspace import Change, Entry, Mode, blob_sha


def change(content: bytes, *, before: bytes | None = None, mode: Mode = Mode.FILE) -> Change:
    return Change(
        path="a",
        before=None if before is None else Entry(mode=Mode.FILE, blob=blob_sha(before)),
        after=Entry(mode=mode, blob=blob_sha(content)),
        content_before=before,
        content_after=content,
    )


CHANGES: dict[str, tuple[Change, str, bool]] = {
    "text": (change(b"x\n"), "content", False),
    "other text": (change(b"x\n", before=b"y\n"), "content", False),
    "bytes": (change(b"\xff"), "sha", True),
    "a nul": (change(b"a\0"), "sha", True),
    "long text": (change(b"x" * 1_000_001), "sha", True),
    "a new mode alone": (change(b"\xff", before=b"\xff", mode=Mode.EXECUTABLE), "sha", False),
    "a deletion": (
        Change(
            path="a",
            before=Entry(mode=Mode.FILE, blob="a" * 40),
            after=None,
            content_before=b"",
            content_after=None,
        ),
        "sha",
        False,
    ),
}


@pytest.mark.parametrize(("made", "key", "is_uploaded"), CHANGES.values(), ids=CHANGES)
def test_an_entry_bears_text_or_a_name_and_only_new_bytes_are_uploaded(
    made: Change, key: str, *, is_uploaded: bool
) -> None:
    assert {"content", "sha"}.intersection(made_entry(made)) == {key}
    assert (uploaded(made) is not None) is is_uploaded


def test_a_batch_holds_so_many_and_no_more_bytes() -> None:
    assert [len(part) for part in batches([{"content": "x"}] * 301)] == [150, 150, 1]
    assert [len(part) for part in batches([{"content": "x" * 400_000}] * 5)] == [2, 2, 1]
    assert list(batches([])) == []
