import pytest
from samples import BETTER, GUIDE, command, create, denied, edit, effect, failed, step

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


BADGES = {
    "allowed": (edit(), "allow"),
    "asks": (command(), "ask"),
    "denied": (denied(), "deny"),
    "failed": (failed(), "failed"),
    "denied and failed": (denied().model_copy(update={"error": "x"}), "deny"),
}


@pytest.mark.parametrize(("made", "badge"), BADGES.values(), ids=BADGES)
def test_a_step_wears_its_verdict(made, badge: str) -> None:
    assert view(made).badge == badge


def test_a_command_is_shown_line_by_line() -> None:
    assert view(command(line="make \\\n  test")).call == "$ make \\\n>   test"


def test_a_call_is_shown_with_every_argument() -> None:
    made = step(
        tool="create", arguments={"title": "x", "body": "a\nb", "n": [1, {"c": None}]}, kind=Kind.EXTERNAL
    )
    assert view(made).call == 'create\n  title: "x"\n  body:\n  │ a\n  │ b\n  n: [1, {"c": null}]'


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
