"""Steps on a screen, wide and narrow."""

import io

import pytest
from render.hostile import HOSTILE, UNSTORABLE
from render.samples import command, create, denied, edit, failed
from rich.console import Console
from runner import obeyed

from bot.action import storable
from bot.plan import Step
from bot.render.language import catalogue
from bot.render.sentence import translated
from bot.terminal.listing import show_diffs, show_step, show_steps
from bot.terminal.screen import screen
from bot.verdict import Outcome
from bot.words.hidden import hides_something

STEPS = (edit(1), create(2), command(3), denied(4), failed(5))


def _shown(width: int, *steps: Step, language: str = "en", is_live: bool = False) -> str:
    console = screen(io.StringIO(), is_plain=True)
    console.width = width
    show_steps(console, steps, speech=catalogue(language), language=language, is_live=is_live)
    return _text(console)


def _text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [20, 40, 71, 72, 100, 300])
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_step_is_there_at_every_width_and_no_line_is_wider(width: int, language: str) -> None:
    shown = _shown(width, *STEPS, language=language)
    together = "".join(shown.split())
    for step in STEPS:
        assert step.tool in together
        told = translated(step.error or step.verdict.reason, language).split()
        # In a table the columns stand side by side, so the words of one are apart.
        assert "".join(told) in together or width >= 72
        assert told[-1] in together or width >= 72
    assert max(map(len, shown.splitlines())) <= width


def test_no_steps_are_nothing() -> None:
    assert _shown(100) == ""


def test_in_a_live_run_what_was_carried_out_is_done() -> None:
    shown = _shown(100, *STEPS, is_live=True)
    assert shown.count("done") == 3
    assert "deny" in shown
    assert "failed" in shown


def test_diffs_are_shown_and_whole_what_no_file_tells() -> None:
    console = screen(io.StringIO(), is_plain=True)
    show_diffs(console, STEPS, speech=catalogue("en"))
    shown = _text(console)
    assert "\n-" in shown
    assert "\n+" in shown
    assert "$ pytest -q tests | tee out.txt" in shown


def test_a_question_shows_all_that_there_is_to_know() -> None:
    console = screen(io.StringIO(), is_plain=True)
    ran = command(3).model_copy(update={"effects": edit(1).effects, "intent": "To see it\x1b[2J."})
    assert ran.verdict.outcome is Outcome.ASK
    show_step(console, ran, speech=catalogue("en"), language="en")
    shown = _text(console)
    assert ran.verdict.reason in shown
    assert "“To see it⟨U+001B⟩[2J.”" in shown
    assert "this is what it changed there:" in shown
    assert "docs/guide.md" in shown


def test_an_empty_file_is_said_to_be_empty() -> None:
    console = screen(io.StringIO(), is_plain=True)
    show_diffs(console, [create(1, content="")], speech=catalogue("en"))
    assert "The file is empty." in _text(console)


@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize("text", (HOSTILE | UNSTORABLE).values(), ids=HOSTILE | UNSTORABLE)
def test_nothing_of_a_step_is_obeyed_by_a_terminal_or_a_runner(text: str, width: int) -> None:
    text = f"{storable(text)}z"
    one = edit(1, path=text, intent=text, reason=text, outcome="ask")
    made = (one, command(2, line=text), edit(3, error=text), create(4, content=text.replace("\0", "")))
    console = screen(io.StringIO(), is_plain=True)
    console.width = width
    show_steps(console, made, speech=catalogue("en"), language="en")
    show_diffs(console, made, speech=catalogue("en"))
    show_step(console, one, speech=catalogue("es"), language="es")
    shown = _text(console)
    assert not hides_something(shown)
    assert [line for line in shown.split("\n") if obeyed(line)] == []
