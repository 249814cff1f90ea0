"""What counts as a command, in two tables: bodies that must not trigger anything, and bodies that must."""

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.command import (
    COMMANDS,
    Apply,
    Approval,
    Discard,
    Explain,
    Help,
    Malformed,
    Misspelt,
    NotForUs,
    Plan,
    Replay,
    Undo,
    could_be_command,
    read_command,
)

DIGEST = "0123456789ab"

NOT_FOR_US = {
    "nothing": "",
    "blank lines": "\n \n\t\n",
    "praise": "Looks good to me!",
    "a command in a sentence": "Please write /apply to go on.",
    "a command after a first line": "Thanks!\n/apply",
    "a command after a paragraph": "Thanks!\n\n/apply 0123456789ab",
    "a command after a word on the same line": "ok /apply",
    "a quoted command": "> /apply",
    "a quoted command without a space": ">/apply",
    "a command in a quote of a quote": "> > /apply",
    "a lazily continued quote": "> quoted\n/apply",
    "a command after a quote": "> /plan\n\n/apply",
    "a quote after white space": "  > /apply",
    "a fenced command": "```\n/apply\n```",
    "a command fenced with a language": "```sh\n/apply\n```",
    "a command fenced with tildes": "~~~\n/apply\n~~~",
    "a command in a fence that is never closed": "```\n/apply",
    "a command in a longer fence": "`````\n```\n/apply\n```\n`````",
    "an indented command": "    /apply",
    "a command indented by a tab": "\t/apply",
    "a command indented by a space and a tab": " \t/apply",
    "an indented command behind a byte order mark": "\ufeff    /apply",
    "a command in an HTML comment": "<!-- /apply -->",
    "a command on a line of an HTML comment": "<!--\n/apply\n-->",
    "a command in an HTML comment that is never closed": "<!--\n/apply",
    "a command after an HTML comment on its line": "<!-- x --> /apply",
    "a command after a fence": "```\ncode\n```\n/apply",
    "inline code": "`/apply`",
    "inline code with two ticks": "``/apply``",
    "a list item": "- /apply",
    "a starred list item": "* /apply",
    "a numbered list item": "1. /apply",
    "a task list item": "- [ ] /apply",
    "an indented line of a list item": "- do:\n\n  /apply",
    "a heading": "# /apply",
    "a heading of level three": "### /apply",
    "a table": "| /apply |\n|---|",
    "bold": "**/apply**",
    "struck out": "~~/apply~~",
    "a link": "[/apply](https://example.org)",
    "an image": "![/apply](https://example.org/x.png)",
    "HTML": "<p>/apply</p>",
    "HTML on lines of their own": "<div>\n/apply\n</div>",
    "folded away": "<details>\n<summary>x</summary>\n\n/apply\n\n</details>",
    "a script": "<script>\n/apply\n</script>",
    "an escaped slash": "\\/apply",
    "an entity for the slash": "&#47;apply",
    "a full-width slash": "\uff0fapply",
    "a division slash": "\u2215apply",
    "a backslash": "\\apply",
    "an exclamation": "!apply",
    "a word without a slash": "apply 0123456789ab",
    "a mention": "@dryrun-bot apply",
    "a space after the slash": "/ apply",
    "two slashes": "//apply",
    "a path": "/apply/plan",
    "a path to a file": "/usr/bin/env is what I would write",
    "a URL": "https://example.org/apply",
    "a longer word": "/applying it now",
    "a hyphenated word": "/plan-b would be better",
    "another bot's /approve": "/approve",
    "another bot's /assign": "/assign @maya",
    "another bot's /lgtm": "/lgtm",
    "another bot's /retest": "/retest",
    "another bot's /rebase": "/rebase",
    "another bot's /merge": "/merge",
    "another bot's /close": "/close",
    "another bot's /hold": "/hold",
    "another bot's /label": "/label bug",
    "another bot's /cc": "/cc @maya",
    "another bot's /deploy": "/deploy staging",
    "a Cyrillic letter": "/\u0430pply",
    "a full-width word": "/\uff50lan",
    "an accent": "/pl\u00e1n\u00e1",
    "a comment opened in one paragraph and closed in another": "\u00a0<!-- /plan\n\n-->/plan",
    "words behind an empty HTML comment": "<!-->/plan\n/plan",
    "all hidden behind a second comment": "<!-- /plan --><!--\n/plan",
    "a rule first": "---\n/apply",
    "a footnote": "[^1]: /apply",
    "a link definition": "[x]: /apply",
    "a zero byte before it": "\x00/apply",
    "a right-to-left override before it": "\u202e/apply",
}

FOR_US = {
    "/plan": ("/plan", Plan()),
    "/plan with a task": ("/plan tidy-docs", Plan(text="tidy-docs")),
    "/plan with words": ("/plan fix the typos", Plan(text="fix the typos")),
    "/plan with further lines": ("/plan fix\nthe typos\n\n- all", Plan(text="fix\nthe typos\n\n- all")),
    "/plan with words on the next line": ("/plan\nfix it", Plan(text="fix it")),
    "/plan with a fence": ("/plan run\n```\n/apply\n```", Plan(text="run\n```\n/apply\n```")),
    "/plan with another command in it": ("/plan a\n/apply", Plan(text="a\n/apply")),
    "/plan with hidden words": ("/plan a <!-- evil --> b\n<!-- evil\n--> c", Plan(text="a  b\nc")),
    "/plan with a hidden block": ("/plan a\n\n<!--\nevil\n\nevil -->\n\nb", Plan(text="a\nb")),
    "/plan with an open hidden block": ("/plan a\n\n<!-- evil\n\nevil", Plan(text="a")),
    "/plan with a comment in code": ("/plan add `<!-- toc -->` to it", Plan(text="add `<!-- toc -->` to it")),
    "/plan with an open code span": ("/plan it's 5` <!-- evil --> long", Plan(text="it's 5`  long")),
    "/plan over an underline": ("/plan a\n---\nMaya", Plan(text="a\n---\nMaya")),
    "/plan with Windows line ends": ("/plan a\r\nb\r\n", Plan(text="a\nb")),
    "/plan with old Mac line ends": ("/plan a\rb", Plan(text="a\nb")),
    "/plan in capitals": ("/PLAN Tidy", Plan(text="Tidy")),
    "/plan after blank lines": ("\n\n  \n/plan", Plan()),
    "/plan after three spaces": ("   /plan", Plan()),
    "/plan after a byte order mark": ("\ufeff/plan", Plan()),
    "/plan after a non-breaking space": ("\u00a0/plan", Plan()),
    "/plan after a zero-width space": ("\u200b/plan", Plan()),
    "/plan with non-breaking spaces": ("/plan\u00a0a\u00a0b", Plan(text="a\u00a0b")),
    "/plan after a hidden block": ("<!-- from a template -->\n/plan a", Plan(text="a")),
    "/plan after hidden blocks": ("<!-- a -->\n\n<!--\nb\n-->\n\n/plan", Plan()),
    "/plan after a link definition": ("[//]: # (hidden)\n/plan", Plan()),
    "/plan after a hidden line": ("\u00a0<!-- hidden -->\n/plan", Plan()),
    "/plan with a prefix": ("/dryrun plan a\nb", Plan(text="a\nb")),
    "/apply": ("/apply", Apply()),
    "/apply with spaces after it": ("/apply   \t", Apply()),
    "/apply over an underline": ("/apply\n--\nMaya", Apply()),
    "/apply with a digest": (f"/apply {DIGEST}", Apply(digest=DIGEST)),
    "/apply with a whole digest": (f"/apply {'a1' * 32}", Apply(digest="a1" * 32)),
    "/apply with a digest in capitals": (f"/Apply {DIGEST.upper()}", Apply(digest=DIGEST)),
    "/apply with a digest in ticks": (f"/apply `{DIGEST}`", Apply(digest=DIGEST)),
    "/apply with further lines": (f"/apply {DIGEST}\nThanks!", Apply(digest=DIGEST)),
    "/apply with a hidden trailer": (f"/apply {DIGEST} <!-- sent from my phone -->", Apply(digest=DIGEST)),
    "/apply with a long hidden trailer": (f"/apply {DIGEST} <!--\na\nb\n-->\n", Apply(digest=DIGEST)),
    "/apply with an empty hidden trailer": (f"/apply {DIGEST}<!-->", Apply(digest=DIGEST)),
    "/apply with steps": (
        f"/apply {DIGEST} --approve 2,4",
        Apply(digest=DIGEST, approval=Approval(steps=frozenset({2, 4}))),
    ),
    "/apply with spaced steps": (
        "/apply --approve 4, 2 ,2",
        Apply(approval=Approval(steps=frozenset({2, 4}))),
    ),
    "/apply with one step and =": ("/apply --approve=3", Apply(approval=Approval(steps=frozenset({3})))),
    "/apply with all steps": (
        f"/apply {DIGEST} --approve all",
        Apply(digest=DIGEST, approval=Approval(everything=True)),
    ),
    "/apply with a phone's dash": ("/apply \u2014approve ALL", Apply(approval=Approval(everything=True))),
    "/apply with a tab": (f"/apply\t{DIGEST}", Apply(digest=DIGEST)),
    "/apply with a prefix": (f"/DryRun Apply {DIGEST}", Apply(digest=DIGEST)),
    "/discard": ("/discard", Discard()),
    "/undo": ("/undo\r\n", Undo()),
    "/replay": ("/replay", Replay()),
    "/explain": ("/explain 3", Explain(number=3)),
    "/explain with a hash": ("/explain #12", Explain(number=12)),
    "/help": ("/help", Help()),
    "/help with words": ("/help me please", Help()),
    "the prefix alone": ("/dryrun", Help()),
    "a slip: /aply": ("/aply", Misspelt(word="aply", meant="apply")),
    "a slip: /plna": ("/plna a", Misspelt(word="plna", meant="plan")),
    "a slip: /Discrad": ("/Discrad", Misspelt(word="Discrad", meant="discard")),
    "a slip: /undoo": ("/undoo", Misspelt(word="undoo", meant="undo")),
    "a slip: /explian": ("/explian 2", Misspelt(word="explian", meant="explain")),
    "a slip: /hepl": ("/hepl", Misspelt(word="hepl", meant="help")),
    "a slip: /plan:": ("/plan: fix it", Misspelt(word="plan:", meant="plan")),
    "a slip: /apply!": ("/apply!", Misspelt(word="apply!", meant="apply")),
    "a slip: a long s": ("/di\u017fcard", Misspelt(word="di\u017fcard", meant="discard")),
    "a hidden letter in it": ("/pl\u200ban", Misspelt(word="pl\u200ban", meant="plan")),
    "a slip behind the prefix": ("/dryrun aply", Misspelt(word="aply", meant="apply")),
    "anything behind the prefix": ("/dryrun dance", Misspelt(word="dance", meant=None)),
}

MALFORMED = {
    "an unknown option": f"/apply {DIGEST} --force",
    "an unknown option alone": "/apply --force",
    "thanks": f"/apply {DIGEST} thanks!",
    "a digest of eleven digits": f"/apply {DIGEST[:-1]}",
    "a digest of sixty-five digits": f"/apply {'a' * 65}",
    "a digest that is no number": "/apply latest",
    "a digest in Arabic digits": "/apply " + "\u0661" * 12,
    "two digests": f"/apply {DIGEST} {DIGEST}",
    "a digest with a shell in it": f"/apply {DIGEST};id",
    "a digest with a substitution": "/apply $(id)",
    "a digest with a hidden letter": f"/apply {DIGEST}\u200b0",
    "no steps": f"/apply {DIGEST} --approve",
    "steps without commas": "/apply --approve 2 4",
    "step zero": "/apply --approve 0",
    "a range of steps": "/apply --approve 2-4",
    "a negative step": "/apply --approve -1",
    "a trailing comma": "/apply --approve 2,",
    "steps and all": "/apply --approve 2,all",
    "steps twice": "/apply --approve 2 --approve 3",
    "steps before the digest": f"/apply --approve 2 {DIGEST}",
    "a step of ten digits": "/apply --approve 1234567890",
    "an option grown together": f"/apply {DIGEST}--approve 2",
    "a comment that is never closed": f"/apply {DIGEST} <!-- x",
    "/discard with a digest": f"/discard {DIGEST}",
    "/undo with words": "/undo everything",
    "/replay with an option": "/replay --budget 5",
    "/explain without a number": "/explain",
    "/explain with two numbers": "/explain 2 3",
    "/explain with a word": "/explain all",
    "/explain with step zero": "/explain 0",
}


def test_the_tables_are_as_long_as_they_promise() -> None:
    assert len(NOT_FOR_US) >= 60
    assert len(FOR_US) >= 30


@pytest.mark.parametrize("body", NOT_FOR_US.values(), ids=NOT_FOR_US)
def test_what_is_not_a_command_triggers_nothing(body: str) -> None:
    assert read_command(body) == NotForUs()
    assert not could_be_command(body)


@pytest.mark.parametrize(("body", "expected"), FOR_US.values(), ids=FOR_US)
def test_what_is_a_command_is_understood(body: str, expected: object) -> None:
    assert read_command(body) == expected
    assert could_be_command(body)


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_command_with_words_it_does_not_take_does_nothing(body: str) -> None:
    assert isinstance(read_command(body), Malformed)
    assert could_be_command(body)


PREFIXED = {
    "the prefix": ("/acme plan a", "acme", Plan(text="a")),
    "the prefix in capitals": ("/ACME plan a", "acme", Plan(text="a")),
    "the configured prefix in capitals": ("/acme plan a", "Acme", Plan(text="a")),
    "the prefix alone": ("/acme", "acme", Help()),
    "a slip behind it": ("/acme paln", "acme", Misspelt(word="paln", meant="plan")),
    "a bare command": ("/plan a", "acme", NotForUs()),
    "a bare slip": ("/aply", "acme", NotForUs()),
    "the usual prefix": ("/dryrun plan", "acme", NotForUs()),
    "the usual prefix, configured": ("/dryrun plan", "dryrun", Plan()),
    "bare, with the usual prefix configured": ("/plan", "dryrun", NotForUs()),
    "a prefix that is a command's name": ("/plan apply", "plan", Apply()),
}


@pytest.mark.parametrize(("body", "prefix", "expected"), PREFIXED.values(), ids=PREFIXED)
def test_with_a_prefix_only_that_counts(body: str, prefix: str, expected: object) -> None:
    assert read_command(body, prefix=prefix) == expected


ANY_PREFIX = {
    "/acme plan": True,
    "/acme plna": True,
    "/acme help me": True,
    "/acme-bot apply 0123456789ab": True,
    "/acme": False,
    "/assign plans to maya": True,
    "/assign maya": False,
    "/label bug": False,
    "> /acme plan": False,
}


@pytest.mark.parametrize("body", ANY_PREFIX)
def test_before_the_prefix_is_known_only_a_likely_command_is_worth_the_configuration(body: str) -> None:
    assert could_be_command(body) is ANY_PREFIX[body]


def test_a_task_and_further_words_are_told_apart() -> None:
    plan = Plan(text="tidy-docs all\nof them")
    assert (plan.first_word, plan.further_words) == ("tidy-docs", "all\nof them")
    assert (Plan().first_word, Plan().further_words) == (None, "")


def test_an_approval_covers_what_was_named() -> None:
    some, everything = Approval(steps=frozenset({2, 4})), Approval(everything=True)
    assert [number for number in range(1, 6) if some.covers(number)] == [2, 4]
    assert all(everything.covers(number) for number in range(1, 6))
    assert not Approval().covers(1)


SLOW = {
    "line ends": "/plan\n" + "\n" * 65_000,
    "white space": "/plan" + " \u200b" * 32_000,
    "open comments": "/plan " + "<!--" * 16_000,
    "open comment blocks": "/plan\n\n" + "<!--\n\n" * 10_000,
    "ticks of every length": "/plan " + " ".join("`" * length for length in range(1, 360)),
    "quotes": "/plan\n\n" + ">" * 65_000,
    "lists": "/plan\n\n" + "- " * 32_000,
    "list items": "- a\n" * 16_000 + "/plan",
    "brackets": "/plan\n" + "[" * 65_000,
    "link definitions": "[a]: /x\n" * 8_000 + "/plan",
    "open link definitions": "[a\n" * 20_000 + "/plan",
    "fences": "/plan\n" + "```\n" * 16_000,
    "HTML": "/plan\n\n" + "<a\n\n" * 13_000,
    "step numbers": "/apply --approve " + "1," * 32_000,
    "digests": "/apply " + "a" * 65_000,
    "words": "/apply " + "--approve " * 6_500,
    "one word": "/" + "a" * 65_000,
}


@pytest.mark.parametrize("body", SLOW.values(), ids=SLOW)
def test_a_body_made_to_be_slow_is_read_within_seconds(body: str) -> None:
    started = time.process_time()
    read_command(body)
    assert time.process_time() - started < 5


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(body: str) -> None:
    read_command(body)
    could_be_command(body)


COMMAND_LINES = st.sampled_from([f"/{command}" for command in COMMANDS] + [f"/apply {DIGEST} --approve all"])


@given(
    COMMAND_LINES, st.sampled_from(["> ", ">", "    ", "\t", "- ", "* ", "1. ", "# ", "`", "\\", "a ", "**"])
)
def test_a_command_that_is_not_plain_text_at_the_top_never_counts(line: str, before: str) -> None:
    assert read_command(before + line) == NotForUs()


@given(COMMAND_LINES, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_what_stands_in_a_fence_never_counts(line: str, text: str) -> None:
    assert read_command(f"~~~~~~~~~\n{line}\n{text}") == NotForUs()


@given(
    st.text(alphabet="0123456789abcdef", min_size=12, max_size=64),
    st.sampled_from(["", " ", "\u00a0", "\t", "\r\n", "\ufeff"]),
)
def test_every_digest_is_read_back(digest: str, blank: str) -> None:
    assert read_command(f"/apply {digest}{blank}") == Apply(digest=digest)


@given(st.text(max_size=60))
def test_no_digest_but_a_digest_gets_through(text: str) -> None:
    command = read_command(f"/apply {text}")
    if isinstance(command, Apply) and command.digest is not None:
        assert set(command.digest) <= set("0123456789abcdef")
        assert 12 <= len(command.digest) <= 64


PIECES = st.sampled_from(
    "/plan /apply > - 1. ``` ~~~ ` <!-- --> <!--> <div> </div> <pre> --- === word * <".split()
).flatmap(
    lambda piece: st.sampled_from(
        [piece, f"{piece} ", f"{piece}\n", f"{piece}\n\n", f"    {piece}", f"\u00a0{piece}\u00a0"]
    )
)


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=1000, deadline=None)
def test_a_command_counts_where_githubs_own_renderer_shows_it_first(body: str) -> None:
    """cmark-gfm is what GitHub renders with: the command must be the first words that it shows."""
    import cmarkgfm

    # Runs of hyphens beside a comment's ends are read by an older rule there, and are hidden only here.
    assume("<!---" not in body and "--->" not in body)
    unsafe = cmarkgfm.Options.CMARK_OPT_UNSAFE
    html = cmarkgfm.github_flavored_markdown_to_html(body, unsafe)
    shown = re.sub(r"<!-->|<!--->|<!--.*?(?:-->|\Z)", "", html, flags=re.DOTALL)
    shown = re.sub(r"<p>\s*</p>", "", shown).lstrip("\n ")
    first = re.match(r"<(?:p|h1|h2)>\s*/(?:plan|apply)(?=\s|</[ph])", shown)
    assert isinstance(read_command(body), Plan | Apply | Malformed) is (first is not None)
