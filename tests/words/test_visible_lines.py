"""What people see of a comment. Which commands come of it is the matter of tests/test_command.py."""

import pytest

from bot.words.visible_lines import visible_lines

SEEN = {
    "one line": ("/plan a", ("/plan a", "")),
    "further lines": ("/plan a\nb\n\nc", ("/plan a", "b\n\nc")),
    "blank lines before it": ("\n \n\t\n/plan", ("/plan", "")),
    "any line ends": ("/plan\r\na\rb", ("/plan", "a\nb")),
    "a byte order mark": ("\ufeff/plan", ("/plan", "")),
    "invisible characters at its ends": ("\u200b/plan\u2060", ("/plan", "")),
    "a comment before it": ("<!-- from a template -->\n/plan a", ("/plan a", "")),
    "a comment in it": ("/plan a <!-- x --> b", ("/plan a  b", "")),
    "a comment in code": ("/plan `<!-- toc -->`", ("/plan `<!-- toc -->`", "")),
    "a comment that is never closed": ("/plan a\n\n<!-- x\n\ny", ("/plan a", "")),
    "a fence after it": ("/plan\n```\n<!-- x -->\n```", ("/plan", "```\n<!-- x -->\n```")),
    "an underlined line": ("/plan\n---", ("/plan", "---")),
}
UNSEEN = {
    "nothing": "",
    "a comment alone": "<!-- /plan -->",
    "a comment that hides all": "<!--\n/plan",
    "a quote": "> /plan",
    "a fence": "```\n/plan\n```",
    "an indented line": "    /plan",
    "an indented line behind a byte order mark": "\ufeff    /plan",
    "a list": "- /plan",
    "a heading": "# /plan",
    "a block of HTML": "<div>\n/plan\n</div>",
    "a quote before it": "> a\n\n/plan",
}


@pytest.mark.parametrize(("markdown", "lines"), SEEN.values(), ids=SEEN)
def test_the_first_line_that_is_seen_comes_apart_from_the_others(
    markdown: str, lines: tuple[str, str]
) -> None:
    assert visible_lines(markdown) == lines


@pytest.mark.parametrize("markdown", UNSEEN.values(), ids=UNSEEN)
def test_what_begins_with_anything_but_text_has_no_first_line(markdown: str) -> None:
    assert visible_lines(markdown) == ("", "")
