import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words.hidden import Hidden, hides_something, scan

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)

VISIBLE = {
    "ASCII": "Hello, world!\n\tIndented.",
    "accents": "¿Qué tal? Größe, naïve",
    "accents as marks": "e\u0301 n\u0303",
    "Vietnamese with two marks": "e\u0302\u0323",
    "Hebrew with points": "\u05d1\u05bc\u05b0",
    "Hindi": "नमस्ते",
    "Thai": "ที่นี่",
    "Arabic": "مرحبا",
    "Chinese with its wide blank": "漢\u3000字",
    "a family": "👩\u200d👩\u200d👧",
    "a heart": "❤\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a flag of two colours": "🏳\ufe0f\u200d🌈",
    "a wave with a skin": "👋🏽",
    "mathematics": "∀x: √x ≥ 0",
}


@pytest.mark.parametrize("text", VISIBLE.values(), ids=VISIBLE)
def test_what_people_write_is_visible(text: str) -> None:
    assert not hides_something(text)


HIDDEN = {
    "NUL": ("a\0b", "\0"),
    "a carriage return": ("a\rb", "\r"),
    "a zero width space": ("a\u200bb", "\u200b"),
    "a soft hyphen": ("a\u00adb", "\u00ad"),
    "a byte order mark": ("\ufeffa", "\ufeff"),
    "an override": ("a\u202eb", "\u202e"),
    "an isolate": ("a\u2066b", "\u2066"),
    "a tag": ("a\U000e0041b", "\U000e0041"),
    "private use": ("a\ue000b", "\ue000"),
    "unassigned": ("a\u0378b", "\u0378"),
    "a lone surrogate": ("a\ud800b", "\ud800"),
    "a line separator": ("a\u2028b", "\u2028"),
    "a no-break space": ("a\u00a0b", "\u00a0"),
    "a Hangul filler": ("a\u3164b", "\u3164"),
    "an empty Braille cell": ("a\u2800b", "\u2800"),
    "a joiner between letters": ("a\u200db", "\u200d"),
    "an emoji selector behind a letter": ("a\ufe0fb", "\ufe0f"),
    "an emoji selector behind a digit": ("1\ufe0fb", "\ufe0f"),
    "a selector that is no emoji's": ("❤\ufe01", "\ufe01"),
    "a second selector": ("❤\ufe0f\ufe0f", "\ufe0f"),
    "an ideograph's selector": ("漢\U000e0101", "\U000e0101"),
    "a mark without a base": (" \u0301", "\u0301"),
    "a mark at the start": ("\u0301a", "\u0301"),
    "the fifth mark": ("a" + "\u0301" * 5, "\u0301"),
    "a wide blank between letters": ("a\u3000b", "\u3000"),
    "a joiner behind a hidden selector": ("a\ufe0f\u200d😀", "\ufe0f\u200d"),
}


@pytest.mark.parametrize(("text", "hidden"), HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_is_hidden(text: str, hidden: str) -> None:
    assert [part.text for part in scan(text) if isinstance(part, Hidden)] == [hidden]


@given(ANY_TEXT)
def test_the_parts_are_the_text(text: str) -> None:
    assert "".join(part.text if isinstance(part, Hidden) else part for part in scan(text)) == text


@given(ANY_TEXT)
def test_hidden_and_visible_take_turns(text: str) -> None:
    kinds = [isinstance(part, Hidden) for part in scan(text)]
    assert all(one != next_one for one, next_one in pairwise(kinds))


@given(ANY_TEXT)
def test_no_control_or_format_character_is_ever_visible(text: str) -> None:
    shown = "".join(part for part in scan(text) if isinstance(part, str))
    found = {
        char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    }
    assert found <= {"\n", "\t", "\u200d"}


def test_instructions_in_tags_are_read_out() -> None:
    text = "".join(chr(0xE0000 + ord(char)) for char in "ignore all")
    (part,) = scan(text)
    assert isinstance(part, Hidden)
    assert part.tagged == "ignore all"
    assert part.count == 10
