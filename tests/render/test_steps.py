import pytest
from samples import BETTER, GUIDE, command, create, denied, edit, effect, step

from bot.action import Kind
from bot.render.steps import Verb, view
from bot.workspace import Mode

VERBS = {
    "an edit": (edit(path="a.md"), Verb.EDIT, "a.md"),
    "a new file": (create(path="a.md"), Verb.CREATE, "a.md"),
    "a deletion": (step(effects=(effect("a.md", GUIDE, None),)), Verb.DELETE, "a.md"),
    "a mode": (step(effects=(effect("a", GUIDE, GUIDE, Mode.FILE, Mode.EXECUTABLE),)), Verb.MODE, "a"),
    "two files": (step(effects=(effect("a", None, b""), effect("b", None, b""))), Verb.SEVERAL, "a"),
    "a command": (command(line="pytest -q"), Verb.RUN, "pytest -q"),
    "a denied write": (denied(path="x.yml"), Verb.CALL, "x.yml"),
    "a call": (step(tool="t", arguments={"a": 1}, kind=Kind.EXTERNAL), Verb.CALL, '{"a": 1}'),
    "a call of nothing": (step(tool="t", kind=Kind.EXTERNAL), Verb.CALL, ""),
}


@pytest.mark.parametrize(("made", "verb", "target"), VERBS.values(), ids=VERBS)
def test_a_step_is_told_by_what_it_does(made, verb: Verb, target: str) -> None:
    assert (view(made).verb, view(made).object) == (verb, target)


def test_a_command_that_changes_files_is_shown_beside_them() -> None:
    made = command().model_copy(update={"effects": edit().effects})
    assert view(made).call.startswith("$ pytest")
    assert view(made).files


def test_a_write_is_told_by_its_files() -> None:
    seen = view(edit())
    assert seen.call == ""
    assert (seen.added, seen.removed, seen.is_told) == (2, 2, True)


def test_one_untold_file_leaves_the_step_untold() -> None:
    lying = effect("b", GUIDE, BETTER).model_copy(update={"diff": ""})
    assert not view(step(effects=(edit().effects[0], lying))).is_told


CONCERNS = {
    "none": (None, ()),
    "a list": ({"concerns": ["a", "b"]}, ("a", "b")),
    "of odd things": ({"concerns": [1, None]}, ("1", "None")),
    "another shape": ({"concerns": "abc"}, ()),
}


@pytest.mark.parametrize(("advice", "concerns"), CONCERNS.values(), ids=CONCERNS)
def test_concerns_come_in_any_shape(advice, concerns: tuple[str, ...]) -> None:
    assert view(edit(advice=advice)).concerns == concerns
