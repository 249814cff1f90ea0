import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words.hidden_markup import without_hidden_markup

CASES = {
    "nothing hidden": ("a < b --> c", "a < b --> c", 0),
    "a comment": ("a<!-- x -->b", "ab", 1),
    "two comments": ("<!-- x -->a<!-- y -->", "a", 2),
    "the shortest comments": ("a<!-->b<!--->c", "abc", 2),
    "a comment that ends with an exclamation mark": ("a<!-- x --!>b", "ab", 1),
    "a comment over lines keeps them": ("a<!--\n\n-->b", "a\n\nb", 1),
    "a comment that is never closed": ("a\n<!-- x\ny", "a\n\n", 1),
    "in a list": ("- <!-- x\ny", "- \n", 1),
    "in a quote in a numbered list": ("1. > <!-- x", "1. > ", 1),
    "an opening in a line that is never closed": ("a <!-- b", "a <!-- b", 0),
    "CDATA": ("a<![CDATA[x]]>b", "ab", 1),
    "a processing instruction": ("a<?x?>b", "ab", 1),
    "a processing instruction never closed": ("<?x", "<?x", 0),
    "a declaration": ("a<!DOCTYPE x>b", "ab", 1),
    "a definition without a target": ("[//]: # (x)", "", 1),
    "a definition with an empty target": ("[x]: <> 'y'", "", 1),
    "a definition whose title is never closed": ('[x]: # "y\nz', "\nz", 1),
    "a real definition": ("[x]: https://x.example 'y'", "[x]: https://x.example 'y'", 0),
}


@pytest.mark.parametrize(("text", "shown", "taken"), CASES.values(), ids=CASES)
def test_what_is_never_shown_is_taken_out(text: str, shown: str, taken: int) -> None:
    assert without_hidden_markup(text) == (shown, taken)


@given(st.text("<!->?[]CDATAx:# \n'\"()", max_size=60))
def test_lines_stay_and_nothing_is_added(text: str) -> None:
    shown, taken = without_hidden_markup(text)
    assert shown.count("\n") == text.count("\n")
    assert (shown == text) == (taken == 0)
