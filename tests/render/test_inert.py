from html import unescape

import cmarkgfm
import pytest
from hostile import HOSTILE, UNSTORABLE
from hypothesis import given
from hypothesis import strategies as st

from bot.render.inert import cell, code, fenced, html_code, quoted, said
from bot.render.live import faults
from bot.words.sanitise import for_people

EVERY = HOSTILE | UNSTORABLE
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60) | st.text(
    "`|\\ \n@#[]()<>*_~$&;:/!-=+1aF\u200d\ufe0f\u202e", max_size=40
)

QUOTED = {
    "prose stays as it is": ("All is well, isn't it?", "All is well, isn't it?"),
    "other scripts stay as they are": ("修正しました。Спасибо! ¿Qué?", "修正しました。Спасибо! ¿Qué?"),
    "numbers stay": ("3 of 10,000 - 12.5%", "3 of 10,000 - 12.5%"),
    "a mention is code": ("ask @octocat.", "ask `@octocat`."),
    "an address is code, its brackets are not": ("(https://x.example)", "(`https://x.example`)"),
    "what could be an emoji code is code": (":-: and :+:", "`:-:` and `:+:`"),
    "a line below a table's head is none": (":- or :-|-", r"\:- or `:-|-`"),
    "code stays code": ("run `git push` now", "run `git push` now"),
    "code beside code stays two": ("`a``b`", "`a` `b`"),
    "a file name is code": ("see README.md.", "see `README.md`."),
    "a commit is code": ("deadbeef1", "`deadbeef1`"),
    "a pattern keeps its stars": ("denied (.github/workflows/**).", "denied (`.github/workflows/**`)."),
    "a pattern keeps the stars it begins with": ("(**/*.env)", "(`**/*.env`)"),
    "a pattern keeps the stars at both ends": ("**/.git/**", "`**/.git/**`"),
    "a pattern keeps its brackets": (
        "(docs/[a-z]*), [ab].md, x{1,2}",
        "(`docs/[a-z]*`), `[ab].md`, `x{1,2}`",
    ),
    "a call keeps its brackets": ("'main.run()'.", "'`main.run()`'."),
    "brackets over several words are none of its own": ("(see a.md or b.md)", "(see `a.md` or `b.md`)"),
    "brackets that don't match are punctuation": ("(a.md]", "(`a.md`\\]"),
    "brackets around brackets": ("((a.md))", "((`a.md`))"),
    "a negation is code": ("!**/.env.example", "`!**/.env.example`"),
    "stars alone are shown as typed": ("** a *", "\\*\\* a \\*"),
    "bold is shown as typed": ("**bold**", "\\*\\*bold\\*\\*"),
    "bold code is code": ("**a.md**", "`**a.md**`"),
    "a list is no list": ("- one", "\\- one"),
    "a number with a point is no list": ("1. one", "1\\. one"),
    "lines become one": ("a\nb", "a b"),
    "hidden characters are told": ("a\u202eb", "`a⟨U+202E⟩b`"),
    "nothing stays nothing": ("", ""),
}


@pytest.mark.parametrize(("text", "markdown"), QUOTED.values(), ids=QUOTED)
def test_prose_is_quoted(text: str, markdown: str) -> None:
    assert quoted(text) == markdown


CODE = {
    "plain": ("a.py", "`a.py`"),
    "with a backtick": ("a`b", "``a`b``"),
    "at the edge": ("`a", "`` `a ``"),
    "nothing": ("", "`⟨⟩`"),
    "a blank at the edge": (" a", "`⟨U+0020⟩a`"),
    "a line end": ("a\nb", "`a⟨U+000A⟩b`"),
}


@pytest.mark.parametrize(("text", "markdown"), CODE.values(), ids=CODE)
def test_a_name_is_code(text: str, markdown: str) -> None:
    assert code(text) == markdown


def test_a_long_name_keeps_both_ends() -> None:
    shown = code("start/" + "x" * 500 + "/end.py", 60)
    assert "start/" in shown
    assert "/end.py" in shown
    assert len(shown) < 70


@pytest.mark.parametrize("text", EVERY.values(), ids=EVERY)
@pytest.mark.parametrize("made_by", [quoted, code, said, fenced], ids=lambda made_by: made_by.__name__)
def test_nothing_hostile_comes_out_live(made_by, text: str) -> None:
    assert faults(made_by(text)) == ()


@pytest.mark.parametrize("text", EVERY.values(), ids=EVERY)
def test_a_folds_line_holds_nothing_but_the_name(text: str) -> None:
    line = f"<details>\n<summary>{html_code(text)}</summary>\n\nx\n\n</details>"
    assert faults(line) == ()
    assert "\n" not in html_code(text)


@given(ANY_TEXT)
def test_any_text_quoted_is_inert(text: str) -> None:
    assert faults(quoted(text)) == ()


@given(ANY_TEXT)
def test_any_text_as_code_is_shown_to_the_letter(text: str) -> None:
    page = cmarkgfm.github_flavored_markdown_to_html(code(text, 10_000))
    shown = unescape(page.removeprefix("<p><code>").removesuffix("</code></p>\n"))
    spelled = for_people(text).replace("\n", "⟨U+000A⟩").replace("\t", "⟨U+0009⟩")
    assert shown.replace("⟨U+0020⟩", " ") == (spelled.replace("⟨U+0020⟩", " ") or "⟨⟩")


@given(ANY_TEXT, ANY_TEXT)
def test_a_table_keeps_its_shape(one: str, other: str) -> None:
    table = f"| a | b |\n|--|--|\n| {cell(quoted(one))} | {cell(code(other))} |\n| x | y |\n"
    page = cmarkgfm.github_flavored_markdown_to_html(table)
    rows = [row.count("<td>") for row in page.split("<tr>")[2:]]
    assert rows == [2, 2]
    assert page.count("<table>") == 1
    assert page.endswith("<td>y</td>\n</tr>\n</tbody>\n</table>\n")
    assert faults(table) == ()


@given(ANY_TEXT)
def test_a_block_holds_all_of_the_text_and_nothing_else(text: str) -> None:
    page = cmarkgfm.github_flavored_markdown_to_html(f"{fenced(text)}\n\nafter")
    assert page.startswith("<pre><code>")
    assert page.endswith("</code></pre>\n<p>after</p>\n")
    inside = unescape(page[len("<pre><code>") : -len("</code></pre>\n<p>after</p>\n")])
    assert inside.replace("\n /", "\n/").strip() == for_people(text).replace("\n /", "\n/").strip()


@pytest.mark.parametrize("text", EVERY.values(), ids=EVERY)
def test_no_line_of_a_block_starts_with_a_slash(text: str) -> None:
    assert not any(line.startswith("/") for line in fenced(text).split("\n"))
    assert not any(line.startswith("/") for line in said(text).split("\n"))


@given(ANY_TEXT)
def test_what_somebody_said_stays_in_its_quote(text: str) -> None:
    page = cmarkgfm.github_flavored_markdown_to_html(f"{said(text)}\n\nafter")
    assert page.endswith("<p>after</p>\n")
    assert page.count("<blockquote>") == page.count("</blockquote>") <= 1
    assert faults(said(text)) == ()
