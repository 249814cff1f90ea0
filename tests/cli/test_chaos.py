"""`dryrun-bot run --dry-run --chaos`, as somebody types it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from journey import call
from keyboard import Keyboard

from bot.demo.model import Said, ScriptedModel
from bot.plan import Plan, read_plan

CALLS = tuple(call("write_file", path=f"new-{number}.md", content="x\n") for number in range(12))


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    with ScriptedModel([Said(calls=CALLS), Said(text="Done.")]) as model:
        yield Keyboard(folder=tmp_path, model=model)


def _plan(keyboard: Keyboard, folder: Path, *words: str) -> Plan:
    file = folder / "plan.json"
    seen = keyboard.types("run", "x", "--dry-run", "--plan-out", str(file), *words)
    assert seen.exit_code == 0, seen.stderr
    return read_plan(file.read_bytes())


def test_the_same_seed_fails_the_same_calls_and_the_plan_says_so_and_can_not_be_applied(
    keyboard: Keyboard, tmp_path: Path
) -> None:
    first = _plan(keyboard, tmp_path, "--chaos", "0.5", "--seed", "7")
    again = _plan(keyboard, tmp_path, "--chaos", "0.5", "--seed", "7")
    other = _plan(keyboard, tmp_path, "--chaos", "0.5", "--seed", "8")
    errors = [[step.error for step in plan.steps] for plan in (first, again, other)]
    assert errors[0] == errors[1] != errors[2]
    assert 0 < sum(error is None for error in errors[0]) < 12
    assert first.chaos == "rate 0.5, seed 7"
    _plan(keyboard, tmp_path, "--chaos", "0.5", "--seed", "7")
    seen = keyboard.types("apply", str(tmp_path / "plan.json"), "--approve", "all")
    assert seen.exit_code == 3
    assert "failures made on purpose" in seen.stderr
    assert not list(keyboard.repo.glob("new-*.md"))


def test_without_a_rate_nothing_fails(keyboard: Keyboard, tmp_path: Path) -> None:
    plan = _plan(keyboard, tmp_path)
    assert plan.chaos is None
    assert all(step.error is None for step in plan.steps)


REFUSALS = {
    "a live run": (("--chaos", "0.5"), "--chaos is for a rehearsal"),
    "more than all": (("--dry-run", "--chaos", "1.5"), "a number from 0 to 1"),
    "less than none": (("--dry-run", "--chaos=-0.1"), "a number from 0 to 1"),
    "no number": (("--dry-run", "--chaos", "nan"), "a number from 0 to 1"),
    "a word": (("--dry-run", "--chaos", "often"), "a number from 0 to 1"),
    "a seed alone": (("--dry-run", "--seed", "7"), "--seed is for --chaos"),
    "a seed below nought": (("--dry-run", "--chaos", "0.5", "--seed", "-1"), "a whole number from 0 on"),
    "half a seed": (("--dry-run", "--chaos", "0.5", "--seed", "0.5"), "invalid int value"),
}


@pytest.mark.parametrize(("words", "said"), REFUSALS.values(), ids=REFUSALS)
def test_what_makes_no_sense_is_said_before_a_model_is_asked(
    keyboard: Keyboard, words: tuple[str, ...], said: str
) -> None:
    seen = keyboard.types("run", "x", *words)
    assert seen.exit_code == 2
    assert said in seen.stderr
    assert "Traceback" not in seen.stderr
    assert keyboard.model.asked == []
