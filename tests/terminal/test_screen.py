"""What a stream is shown, and what it never is."""

import io
import os
import pty
from collections.abc import Iterator
from typing import TextIO

import pytest
from rich.text import Text
from runner import obeyed

from bot.render.language import catalogue
from bot.terminal.screen import line, screen, verdict_word, words


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, int]]:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as stream:
        yield stream, master
    os.close(master)


def _shown(terminal: tuple[TextIO, int], *, is_plain: bool) -> bytes:
    stream, master = terminal
    console = screen(stream, is_plain=is_plain)
    console.print(Text("word", style="bold red"))
    stream.flush()
    return os.read(master, 1000)


def test_a_terminal_is_shown_colour_unless_it_wants_none(terminal: tuple[TextIO, int]) -> None:
    assert b"\x1b[" in _shown(terminal, is_plain=False)
    assert _shown(terminal, is_plain=True) == b"word\r\n"


def test_a_pipe_is_shown_text_in_full_width() -> None:
    stream = io.StringIO()
    console = screen(stream, is_plain=False)
    console.print(Text("x" * 250, style="bold"))
    assert stream.getvalue().replace("\n", "") == "x" * 250
    assert console.width == 100


HOSTILE = ("\x1b[2J", "\x1b]8;;http://x\x07", "\u202e", "\u200b", "\r", "\x08", "\x9b1m")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_somebody_wrote_is_obeyed(text: str) -> None:
    for shown in (words(f"a{text}b"), line(f"a{text}b")):
        assert text not in shown.plain
        assert shown.plain.startswith("a")
        assert shown.plain.endswith("b")


COMMANDS = ("::error::x", "a\n::stop-commands::x\nb", "a ##[add-matcher]x", "  ::add-mask::b")


@pytest.mark.parametrize("text", COMMANDS)
def test_a_workflow_that_runs_the_program_obeys_no_line_of_it(text: str) -> None:
    for shown in (words(text), line(text)):
        assert [one for one in shown.plain.split("\n") if obeyed(one)] == []
    assert words("a\n\tb\n").plain == "a\n    b\n"


def test_brackets_are_brackets() -> None:
    stream = io.StringIO()
    screen(stream, is_plain=False).print(words("[bold]x[/bold] :smile: [link=a]b"))
    assert stream.getvalue() == "[bold]x[/bold] :smile: [link=a]b\n"


def test_a_line_is_one_line_and_words_keep_theirs() -> None:
    assert line("a\nb\tc").plain == "a⏎b c"
    assert words("a\nb\tc").plain == "a\nb   c"


@pytest.mark.parametrize("badge", ["allow", "ask", "deny", "failed", "done"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_verdict_is_a_word_whose_colour_does_not_run_out(badge: str, language: str) -> None:
    word = verdict_word(badge, catalogue(language))
    assert word.plain
    (span,) = word.append(" more").spans
    assert span.end == len(word.plain) - len(" more")
