import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BETTER, GUIDE, effect

from bot.render.patch import patch_of
from bot.render.side_by_side import rows_of


def rows(before: bytes | None, after: bytes | None) -> list[tuple[int | None, str, int | None, str]]:
    hunks = patch_of(effect("a", before, after)).text
    return [
        (row.old.number, row.old.text, row.new.number, row.new.text)
        for row in rows_of(hunks)
        if not row.is_hunk
    ]


def test_what_goes_stands_beside_what_comes() -> None:
    assert (3, "Instal the package and run teh tests.", 3, "Install the package and run the tests.") in rows(
        GUIDE, BETTER
    )


CASES = {
    "a new file": (None, b"a\nb\n", [(None, "", 1, "a"), (None, "", 2, "b")]),
    "a deleted file": (b"a\nb\n", None, [(1, "a", None, ""), (2, "b", None, "")]),
    "one line for two": (b"a\n", b"b\nc\n", [(1, "a", 1, "b"), (None, "", 2, "c")]),
    "no line end": (b"a", b"b", [(1, "a", 1, "b")]),
    "nothing": (b"a\n", b"a\n", []),
}


@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_each_line_has_its_number_and_what_has_no_partner_stands_alone(
    before: bytes | None, after: bytes | None, expected
) -> None:
    assert rows(before, after) == expected


LINES = st.lists(st.sampled_from(["a", "b", "-", "+", "@@", ""]), max_size=12)


@given(LINES, LINES)
def test_each_column_is_its_file_where_it_changed(before: list[str], after: list[str]) -> None:
    old, new = "".join(f"{line}\n" for line in before), "".join(f"{line}\n" for line in after)
    shown = rows(old.encode(), new.encode())
    assert all(before[number - 1] == text for number, text, _, _ in shown if number)
    assert all(after[number - 1] == text for _, _, number, text in shown if number)


def test_hidden_characters_are_told() -> None:
    assert rows(b"a\n", "\u202eb\n".encode())[0][3] == "⟨U+202E⟩b"
