import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.shell.command_line import CommandLine, command_line_of

LITERAL = {
    "words": ("a -b c", [("a", "-b", "c")]),
    "single quotes": ("a 'b $c' ''", [("a", "b $c", "")]),
    "double quotes": (r'a "b c" "d\"e" "\f"', [("a", "b c", 'd"e', r"\f")]),
    "pieces of a word": (r"a b'c'\"d e\ f", [("a", 'bc"d', "e f")]),
    "joiners": ("a && b || c; d | e", [("a",), ("b",), ("c",), ("d",), ("e",)]),
    "lines": ("a\n\n b\n", [("a",), ("b",)]),
    "a line that goes on after a joiner": ("a &&\nb", [("a",), ("b",)]),
    "a comment": ("a # b\nc", [("a",), ("c",)]),
    "a hash in a word": ("a b#c", [("a", "b#c")]),
    "numbers": ("a 1 -2 0x3", [("a", "1", "-2", "0x3")]),
    "descriptors": ("a 2>&1 >/dev/null </dev/null", [("a",)]),
    "an equals sign in an argument": ("a b=c", [("a", "b=c")]),
    "a tilde that is no home": ("a b~ c~1", [("a", "b~", "c~1")]),
    "other letters": ("a größe", [("a", "größe")]),
    "tabs": ("a\tb", [("a", "b")]),
}


@pytest.mark.parametrize(("text", "commands"), LITERAL.values(), ids=LITERAL)
def test_plain_words_are_read_as_a_shell_reads_them(text: str, commands: list[tuple[str, ...]]) -> None:
    line = command_line_of(text)
    assert (line.why_not_literal, line.fault) == (None, None)
    assert list(line.commands) == commands


OTHERWISE = {
    "a $b": "a variable",
    "a ${b}": "a variable",
    "a $(b)": "a command substitution",
    "a `b`": "a command substitution",
    "a <(b)": "a process substitution",
    "a $((1))": "an arithmetic expansion",
    "a $'b'": "a string with escapes ($'...')",
    "a=b c": "an assignment before its program",
    "a=b": "an assignment before its program",
    "export a=b": "a declaration",
    "a > b": "a redirect to a file",
    "a<b": "a redirect to a file",
    "a >&b": "a redirect to a file",
    "a <<< b": "a here-string",
    "a <<b\nc\nb": "a here-document",
    "a & b": "a command in the background",
    "a |& b": "a pipe of errors (|&)",
    "(a)": "a subshell",
    "a() { b; }": "a function",
    "[ -f a ]": "a test in brackets",
    "a *": "characters that the shell expands",
    "a ~": "characters that the shell expands",
    'a "$b"': "characters that the shell expands",
    "a {b,c}": "characters that the shell expands",
    "./a": "a program named by its path",
    "time": "the shell's own word 'time'",
    "a 'b": "a part that can't be parsed",
    "": "no command in it",
    "# a": "no command in it",
    "if a; then b; fi": "a shell construct (if statement)",
}


@pytest.mark.parametrize(("text", "why"), OTHERWISE.items(), ids=OTHERWISE)
def test_anything_else_is_named(text: str, why: str) -> None:
    assert command_line_of(text).why_not_literal == why


FAULTS = {
    "a\0b": "has invisible or control characters (U+0000)",
    "a\rb": "has invisible or control characters (U+000D)",
    "a \u202e\u2066\u200b\ufeff": "has invisible or control characters (U+202E, U+2066, U+200B, U+FEFF)",
    "a\ud800": "has invisible or control characters (U+D800)",
    "a" * 8_193: "is longer than 8,192 characters",
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.items(), ids=range(len(FAULTS)))
def test_some_lines_are_not_even_parsed(text: str, fault: str) -> None:
    assert command_line_of(text) == CommandLine(text=text, fault=fault)


def test_what_is_hidden_in_a_construct_is_still_found() -> None:
    line = command_line_of("for x in 1; do git push $x 'a b' > .env; done")
    assert ("git", "push", None, "a b") in line.commands
    assert line.writes == (".env",)
    assert "a b" in line.words


def test_the_null_device_is_no_file() -> None:
    assert command_line_of("a $b >/dev/null").writes == ()


BASH = shutil.which("bash") or ""
# Function definitions in front: what a program would be given, as bash itself gives it.
SHOW = "a() { printf '%s\\0' a \"$@\"; printf '\\1'; }; b() { printf '%s\\0' b \"$@\"; printf '\\1'; }; "
PIECES = st.sampled_from(
    [
        *"ab -/.~#=:,@%+^",
        *"\\'\"$`*?[]{}()<>|&;!\n\t",
        "a ",
        "b ",
        " a",
        "&&",
        "||",
        "$'",
        '$"',
        "2>&1",
        "é",
        "# ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_bash_agrees_on_every_line_that_counts_as_literal(text: str) -> None:
    line = command_line_of(f"a {text}")
    if line.why_not_literal or line.fault or any(argv[0] not in {"a", "b"} for argv in line.commands):
        return
    if any(joiner in text for joiner in ("|", ">")):
        return
    ran = subprocess.run(
        [BASH, "--norc", "--noprofile", "-c", f"{SHOW}a {text}"],
        env={"PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        timeout=20,
        check=False,
    )
    said = [tuple(part.split("\0")[:-1]) for part in ran.stdout.decode().split("\1")[:-1]]
    assert said == list(line.commands)


@given(st.text(st.sampled_from(list("ab \\'\"$`*?[]{}()<>|&;!\n\t#~=:@/-")) | st.characters(), max_size=40))
def test_any_text_has_an_answer(text: str) -> None:
    line = command_line_of(text)
    assert line.fault or line.why_not_literal or line.commands
