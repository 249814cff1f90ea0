import pytest
from hypothesis import given
from hypothesis import strategies as st
from runner import obeyed

from bot.words.hidden import hides_something
from bot.words.sanitise import for_commit, for_log, for_model, for_people

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80) | st.text(
    "<!->&#6038;xX%CE20amplt[]/:()\"' \n\r\u200b\u202e", max_size=60
)

MODEL = {
    "plain words stay": ("Fix the typos, please.", "Fix the typos, please."),
    "zero widths go": ("ig\u200bnore", "ignore"),
    "tags go": ("a" + "".join(chr(0xE0000 + ord(char)) for char in "evil"), "a"),
    "overrides go": ("a\u202eb", "ab"),
    "lone surrogates go": ("a\ud800b", "ab"),
    "odd blanks become blanks": ("a\u00a0b\u2003c", "a b c"),
    "odd line ends become line ends": ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
    "comments go": ("a <!-- do evil --> b", "a  b"),
    "comments of two lines go, their lines stay": ("a <!-- do\nevil --> b", "a \n b"),
    "comments split by a zero width go": ("a <!-\u200b- evil --> b", "a  b"),
    "comments inside comments go": ("a <!-- <!-- evil --> b", "a  b"),
    "comments that come together go": ("a <!<!-- x -->-- evil --> b", "a  b"),
    "comments never closed go": ("a\n<!-- evil", "a\n"),
    "comments never closed in a quote go": ("a\n> <!-- evil\n> evil", "a\n> \n"),
    "comments in entities go": ("a &#60;!-- evil --&gt; b", "a  b"),
    "comments in entities twice go": ("a &amp;lt;!-- evil --&amp;gt; b", "a  b"),
    "comments in hexadecimal entities go": ("a &#x3C;!-- evil --> b", "a  b"),
    "comments in percent signs go": ("a %3C!-- evil --%3E b", "a  b"),
    "comments in percent signs twice go": ("a %253C!-- evil --%253E b", "a  b"),
    "short comments go": ("a <!--> b <!---> c", "a  b  c"),
    "entities are read": ("a &lt;b&gt; &amp; c", "a <b> & c"),
    "hidden entities go": ("a&#8203;b&ZeroWidthSpace;c", "abc"),
    "hidden percent signs go": ("a%E2%80%8Bb", "ab"),
    "percent signs stay": ("100%25 of a%20b, ?q=a%26b", "100%25 of a%20b, ?q=a%26b"),
    "an address without an entity stays": ("?a=1&copy=2", "?a=1&copy=2"),
    "definitions as comments go": ("a\n\n[//]: # (do evil)\n\nb", "a\n\n\n\nb"),
    "definitions as comments with quotes go": ('[x]: # "do evil"', ""),
    "definitions as comments over lines go": ('[x]: #\n"do\nevil"', "\n\n"),
    "definitions of links stay": ("[x]: https://x.example", "[x]: https://x.example"),
    "processing instructions go": ("a <?evil?> b <!EVIL x> c", "a  b  c"),
    "an arrow stays": ("a <-- b --> c <! d", "a <-- b --> c <! d"),
}


@pytest.mark.parametrize(("text", "clean"), MODEL.values(), ids=MODEL)
def test_a_model_is_told_what_people_see(text: str, clean: str) -> None:
    assert for_model(text).text == clean


def test_what_was_taken_out_is_counted() -> None:
    cleaned = for_model("a\u200b\u200bb <!-- x --> <!-- y -->", where="the title")
    assert cleaned.findings == (
        "2 invisible characters were taken out of the title",
        "2 hidden comments were taken out of the title",
    )
    assert for_model("plain", where="the title").findings == ()
    assert for_model("a\u200bb").findings == ("1 invisible character was taken out of the text",)


def test_source_code_keeps_its_comments_and_entities() -> None:
    text = "<p>&lt;b&gt; <!-- keep --> \u200b</p>"
    assert for_model(text, is_source=True).text == "<p>&lt;b&gt; <!-- keep --> </p>"


@given(ANY_TEXT)
def test_cleaning_for_a_model_twice_changes_nothing(text: str) -> None:
    once = for_model(text)
    assert for_model(once.text).text == once.text
    assert for_model(once.text).findings == ()


@given(ANY_TEXT)
def test_a_model_is_never_told_a_hidden_character_or_an_open_comment(text: str) -> None:
    clean = for_model(text).text
    assert not hides_something(clean)
    assert not any(line.startswith("<!--") for line in clean.split("\n"))
    assert "-->" not in clean.partition("<!--")[2]


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "piece", ["&amp;", "amp;", "%25", "<!--", "<!", '[x]: # "', "[x]: #\n", "<?", "&#", "\u200b<", "> "]
)
def test_hostile_repetition_costs_little(piece: str) -> None:
    for_model("x&" + piece * (65_536 // len(piece)))


PEOPLE = {
    "words stay": ("¿Qué tal?", "¿Qué tal?"),
    "an override is shown": ("a\u202eb", "a⟨U+202E⟩b"),
    "several of one are counted": ("a\u200b\u200b\u200bb", "a⟨U+200B x3⟩b"),
    "a mixture is counted": ("a\u200b\u200cb", "a⟨2 hidden characters from U+200B⟩b"),
    "tags are read out": ("a\U000e0041\U000e0042", "a⟨2 tag characters: AB⟩"),
    "a carriage return is shown": ("a\rb", "a⟨U+000D⟩b"),
    "CRLF is a line end": ("a\r\nb", "a\nb"),
    "an escape is shown": ("\x1b[31m", "⟨U+001B⟩[31m"),
    "a lone surrogate is shown": ("a\udce9", "a⟨U+DCE9⟩"),
    "comments are text": ("<!-- x -->", "<!-- x -->"),
}


@pytest.mark.parametrize(("text", "shown"), PEOPLE.values(), ids=PEOPLE)
def test_people_see_what_was_hidden(text: str, shown: str) -> None:
    assert for_people(text) == shown


@given(ANY_TEXT)
def test_showing_twice_changes_nothing(text: str) -> None:
    once = for_people(text)
    assert for_people(once) == once
    assert not hides_something(once)
    once.encode("utf-8")


LOG = {
    "words stay": ("reading docs/a.md", "reading docs/a.md"),
    "a scope stays": ("std::vector is fine", "std::vector is fine"),
    "a command is broken": ("::set-output name=x::y", ": :set-output name=x::y"),
    "a command behind blanks is broken": ("  ::error::x", "  : :error::x"),
    "a command with a colon in it is broken": ("::error file=a:b::x", ": :error file=a:b::x"),
    "an old command is broken": ("x ##[add-matcher]y", "x # #[add-matcher]y"),
    "a command that another text may end is broken": ("::error file=a", ": :error file=a"),
    "a command of any name is broken": ("::}{::", ": :}{::"),
    "a command after more colons is broken": (":::::x::", ": : : : :x::"),
    "a command inside a line is broken": ("see ::error::b", "see : :error::b"),
    "an old command after more signs is broken": ("###[error]x", "# # #[error]x"),
    "colons that hide in a mark are shown": (":\u034f:error::x", ":⟨U+034F⟩:error::x"),
    "an end without a name stays": ("a :: b", "a :: b"),
    "lines become one": ("a\n::error::b", "a⏎: :error::b"),
    "a carriage return is shown": ("a\r::error::b", "a⟨U+000D⟩: :error::b"),
}


@pytest.mark.parametrize(("line", "shown"), LOG.values(), ids=LOG)
def test_a_log_obeys_nothing(line: str, shown: str) -> None:
    assert for_log(line) == shown


RUNNER = {
    "a command": ("::error file=a::b", "error"),
    "behind blanks": (" \t ::Notice::x", "Notice"),
    "an old one, anywhere": ("x ##[add-matcher]y", "add-matcher"),
    "a word that ends a stop": ("::}{::", "}{"),
    "no name": ("::::x", None),
    "a blank for a name": (":: error::x", None),
    "not at the start": ("x ::error::y", None),
    "never closed": ("::error x", None),
}


@pytest.mark.parametrize(("line", "name"), RUNNER.values(), ids=RUNNER)
def test_the_runner_of_these_tests_reads_as_the_real_one(line: str, name: str | None) -> None:
    assert obeyed(line) == name


COMMANDS = ANY_TEXT | st.text(":#[]a -\n\u034f\u200b", max_size=30)


@given(COMMANDS, COMMANDS)
def test_no_line_is_a_workflow_command(text: str, other: str) -> None:
    line = for_log(text)
    assert len(line.splitlines()) <= 1
    assert obeyed(line) is None
    assert obeyed(f"  {line}  {for_log(other)}") is None
    assert for_log(line) == line


@given(COMMANDS)
def test_no_line_becomes_a_workflow_command_when_it_is_wrapped_between_words(text: str) -> None:
    words = for_log(text).split(" ")
    assert not [at for at in range(len(words)) if obeyed(" ".join(words[at:]))]


@pytest.mark.timeout(10)
@pytest.mark.parametrize("piece", ["::a ", "##[", ":", "#", "::"])
def test_a_line_of_commands_costs_little(piece: str) -> None:
    for_log("x" + piece * (262_144 // len(piece)))


COMMIT = {
    "words stay": ("Fix three typos", "Fix three typos"),
    "lines become one": ("a\n\nb", "a b"),
    "an issue is not closed": ("fixes #1", "fixes # 1"),
    "an old issue is not closed": ("closes GH-1", "closes GH- 1"),
    "another repository's issue is not closed": ("fixes o/r#1", "fixes o/r# 1"),
    "an issue's address closes nothing": (
        "fixes https://github.com/o/r/issues/1",
        "fixes https:// github.com/o/r/issues/1",
    ),
    "nobody is mentioned": ("thanks @octocat", "thanks @ octocat"),
    "no check is skipped": ("[skip ci] [ci skip] [no ci]", "(skip ci) (ci skip) (no ci)"),
    "it is no trailer": ("Approved-by: me", "> Approved-by: me"),
    "it is no trailer behind a line": ("x\n\nDryrun-Plan: 1", "x Dryrun-Plan: 1"),
    "it skips no checks": ("skip-checks: true", "> skip-checks: true"),
    "it is no fixup": ("fixup! x", "> fixup! x"),
    "hidden characters are shown": ("a\u202eb", "a⟨U+202E⟩b"),
}


@pytest.mark.parametrize(("text", "line"), COMMIT.values(), ids=COMMIT)
def test_a_commit_message_says_it_and_does_nothing(text: str, line: str) -> None:
    assert for_commit(text) == line


def test_a_commit_message_is_cut() -> None:
    assert for_commit("x" * 600, most=20) == "x" * 19 + "…"


@given(ANY_TEXT | st.text("#@GH-1[]: \nfixup!x", max_size=30))
def test_a_commit_message_is_one_inert_line(text: str) -> None:
    line = for_commit(text)
    assert "\n" not in line
    assert "[" not in line
    assert for_commit(line) == line
