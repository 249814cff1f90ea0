"""What whoever waits is shown, and that it goes nowhere else."""

import io
import os
import pty
import select
from pathlib import Path

import pytest

from bot.render.language import catalogue
from bot.terminal.progress import Progress, WatchedTranscript
from bot.terminal.screen import screen

USAGE = {
    "calls": 1,
    "input_tokens": 1200,
    "output_tokens": 34,
    "cached_tokens": 0,
    "reasoning_tokens": 0,
}


def events(progress: Progress, arguments: str = '{"path": "a.txt", "intent": "Why not."}') -> None:
    progress.watch("turn", {"usage": USAGE})
    progress.watch("proposed", {"call": "1", "tool": "write_file", "arguments": arguments})
    progress.watch("answered", {"call": "1", "verdict": {"outcome": "allow"}, "error": None})


def progress(stream: io.StringIO, *, language: str = "en", model: str = "gpt-5.4-mini") -> Progress:
    console = screen(stream, is_plain=False)
    return Progress(console, model=model, speech=catalogue(language), language=language)


ARGUMENTS = {
    "a path": ('{"path": "a.txt", "intent": "x"}', "write_file → a.txt"),
    "no JSON": ("{nonsense", "write_file → (no arguments)"),
    "no object": ("[1]", "write_file → (no arguments)"),
    "a bomb": ("[" * 100_000, "write_file → (no arguments)"),
    "hostile": ('{"path": "a\\u001b[2J\\nb"}', "write_file → a⟨U+001B⟩[2J⏎b"),
}


@pytest.mark.parametrize(("arguments", "told"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_in_a_pipe_each_call_is_one_line(arguments: str, told: str) -> None:
    stream = io.StringIO()
    shown = progress(stream)
    with shown.shown():
        events(shown, arguments)
    assert stream.getvalue() == f"allow     {told}\n"


def test_at_a_terminal_the_last_line_counts_calls_tokens_and_money() -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as stream:
        shown = Progress(
            screen(stream, is_plain=False), model="gpt-5.4-mini", speech=catalogue("en"), language="en"
        )
        with shown.shown():
            events(shown)
            with shown.paused():
                stream.write("asked")
        stream.flush()
        seen = ""
        while select.select([master], [], [], 0.2)[0]:
            seen += os.read(master, 65536).decode()
    os.close(master)
    assert "1,234 tokens" in seen
    assert "call 2 to gpt-5.4-mini" in seen
    assert "write_file → a.txt · 1,234 tokens" in seen
    assert "$0.0" in seen
    assert "asked" in seen
    assert seen.count("\x1b[?25l") == seen.count("\x1b[?25h")


def test_a_price_that_is_not_known_is_not_nothing() -> None:
    shown = progress(io.StringIO(), model="no-such-model")
    events(shown)
    assert "cost unknown" in shown._line().plain


def test_the_last_line_is_one_line_however_long_a_name_is() -> None:
    shown = progress(io.StringIO())
    shown.watch("proposed", {"call": "1", "tool": "x" * 500, "arguments": "{}"})
    assert len(shown._line().plain) <= 96


def test_a_watcher_hears_what_is_written(tmp_path: Path) -> None:
    heard: list[str] = []
    with WatchedTranscript.begin(tmp_path / "t.jsonl", task="x") as transcript:
        transcript.watch = lambda event, _: heard.append(event)
        transcript.note("one", a=1)
        assert b'"event":"one"' in (tmp_path / "t.jsonl").read_bytes()
    assert heard[0] == "one"
