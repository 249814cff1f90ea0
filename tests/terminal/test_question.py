"""Whom is asked what, and what an answer means."""

import io
from contextlib import nullcontext

import pytest
from render.samples import command, create

from bot.plan import Step
from bot.render.language import catalogue
from bot.terminal.question import AtTerminal, Mode
from bot.terminal.screen import screen

ALLOWED, ASKS = create(1), command(2)


class Typed(io.StringIO):
    """Answers at something that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def person(
    mode: Mode, answers: io.StringIO, *, is_seen: bool = True
) -> tuple[AtTerminal, io.StringIO, list[tuple[int, bool, str]]]:
    seen, noted = Typed() if is_seen else io.StringIO(), []

    def note(step: Step, agreed: bool, by: str) -> None:  # noqa: FBT001 - as it is called
        noted.append((step.number, agreed, by))

    return (
        AtTerminal(
            mode=mode,
            console=screen(seen, is_plain=True),
            answers=answers,
            speech=catalogue("en"),
            language="en",
            paused=nullcontext,
            note=note,
        ),
        seen,
        noted,
    )


MODES = {
    "sensitive, allowed": (Mode.CONFIRM_SENSITIVE, ALLOWED, "", True, "policy"),
    "sensitive, asks, yes": (Mode.CONFIRM_SENSITIVE, ASKS, "y\n", True, "person"),
    "sensitive, asks, no": (Mode.CONFIRM_SENSITIVE, ASKS, "n\n", False, "person"),
    "all, allowed, yes": (Mode.CONFIRM_ALL, ALLOWED, "yes\n", True, "person"),
    "all, allowed, no": (Mode.CONFIRM_ALL, ALLOWED, "no\n", False, "person"),
    "yolo, asks": (Mode.YOLO, ASKS, "", True, "mode"),
    "yolo, allowed": (Mode.YOLO, ALLOWED, "", True, "mode"),
}


@pytest.mark.parametrize(("mode", "step", "typed", "agrees", "by"), MODES.values(), ids=MODES)
def test_the_mode_says_whether_the_person_is_asked(
    mode: Mode, step: Step, typed: str, by: str, *, agrees: bool
) -> None:
    asked, seen, noted = person(mode, Typed(typed))
    assert asked.agrees(step) is agrees
    assert noted == [(step.number, agrees, by)]
    assert ("Is this all right?" in seen.getvalue()) is (by == "person")


ANSWERS = {
    "Y": ("Y\n", True),
    "sí": ("  SÍ \n", True),
    "nothing": ("\n", False),
    "the end": ("", False),
    "something else, then yes": ("perhaps\nyesss\ny\n", True),
    "something else, then the end": ("perhaps", False),
}


@pytest.mark.parametrize(("typed", "agrees"), ANSWERS.values(), ids=ANSWERS)
def test_only_a_yes_is_a_yes(typed: str, *, agrees: bool) -> None:
    asked, _, _ = person(Mode.CONFIRM_ALL, Typed(typed))
    assert asked.agrees(ASKS) is agrees


def test_whoever_quits_ends_the_run() -> None:
    asked, _, noted = person(Mode.CONFIRM_ALL, Typed("q\n"))
    with pytest.raises(KeyboardInterrupt):
        asked.agrees(ASKS)
    assert noted == []


NOBODY = {
    "answers through a pipe": (io.StringIO("y\n"), True),
    "questions into a file": (Typed("y\n"), False),
}


@pytest.mark.parametrize(("answers", "is_seen"), NOBODY.values(), ids=NOBODY)
def test_where_nobody_is_there_nobody_agrees(answers: io.StringIO, *, is_seen: bool) -> None:
    for mode in (Mode.CONFIRM_ALL, Mode.CONFIRM_SENSITIVE):
        asked, seen, noted = person(mode, answers, is_seen=is_seen)
        assert asked.agrees(ASKS) is False
        assert "there is no terminal" in seen.getvalue()
        assert noted == [(2, False, "person")]
