import pytest

from bot.tools.dispatchable import why_not_dispatchable

INPUTS = """\
on:
  push:
  workflow_dispatch:
    inputs:
      tag: {required: true}
      dry: {required: true, default: 'yes'}
      note: {}
"""
CASES: dict[str, tuple[str, dict[str, str], str | None]] = {
    "a bare word": ("on: workflow_dispatch\n", {}, None),
    "a list": ("on: [push, workflow_dispatch]\n", {}, None),
    "a mapping without inputs": ("on:\n  workflow_dispatch:\n", {}, None),
    "all inputs": (INPUTS, {"tag": "v1", "note": "x"}, None),
    "an input with a default": (INPUTS, {"tag": "v1"}, None),
    "quoted": ('"on": workflow_dispatch\n', {}, None),
    "a missing input": (INPUTS, {"note": "x"}, "needs the input 'tag'"),
    "an empty input": (INPUTS, {"tag": ""}, "needs the input 'tag'"),
    "a missing input that is needed in capitals": (
        "on: {workflow_dispatch: {inputs: {tag: {required: True}}}}\n",
        {},
        "needs the input 'tag'",
    ),
    "needed in a way that is none": (
        "on: {workflow_dispatch: {inputs: {tag: {required: [true]}, b: }}}\n",
        {},
        None,
    ),
    "lists in a list": ("on: [[push], {a: b}, workflow_dispatch]\n", {}, None),
    "empty inputs": ("on: {workflow_dispatch: {inputs: }}\n", {}, None),
    "inputs that are a list": ("on: {workflow_dispatch: {inputs: [a]}}\n", {"a": "x"}, "knows no input 'a'"),
    "an unknown input": (INPUTS, {"tag": "v1", "evil": "x"}, "knows no input 'evil'"),
    "an input where there are none": ("on: workflow_dispatch\n", {"tag": "x"}, "knows no input 'tag'"),
    "another event": ("on: push\n", {}, "has no workflow_dispatch"),
    "other events": ("on: {push: {}}\n", {}, "has no workflow_dispatch"),
    "an event that only looks like it": ("on: [workflow_dispatch_x]\n", {}, "has no workflow_dispatch"),
    "no events": ("jobs: {}\n", {}, "has no workflow_dispatch"),
    "no mapping": ("- on\n", {}, "has no workflow_dispatch"),
    "nothing": ("", {}, "has no workflow_dispatch"),
    "a number": ("on: 3\n", {}, "has no workflow_dispatch"),
    "broken YAML": ("on: [\n", {}, "is no valid YAML"),
    "a deep nest": ("on: " + "[" * 5000, {}, "is no valid YAML"),
    "too much": (INPUTS, {"tag": "v" * 70_000}, "takes no more than 65,535 characters"),
}


@pytest.mark.parametrize(("file", "inputs", "why"), CASES.values(), ids=CASES)
def test_a_workflow_can_be_started_by_hand_as_github_would_let_it(
    file: str, inputs: dict[str, str], why: str | None
) -> None:
    found = why_not_dispatchable(file.encode(), inputs)
    assert (found is None) if why is None else (found or "").startswith(why)


def test_bytes_that_are_no_text_are_an_answer() -> None:
    assert why_not_dispatchable(b"\xff\xfe\xff", {}) == "is no valid YAML"
