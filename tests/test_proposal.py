"""What a model sent -> what it may be taken for. What can't be understood is refused, never repaired."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.action import Call, Kind, canonical
from bot.proposal import Proposal, propose
from bot.tools import TOOLS
from bot.tools.shell import RunCommand


def _propose(tool: str, arguments: str) -> Proposal:
    return propose(Call(id="call-1", tool=tool, arguments=arguments), TOOLS)


def test_a_good_call_is_its_tool_kind_and_arguments_in_the_records_order() -> None:
    proposal = _propose("write_file", '{"path": "a.txt", "content": "x", "intent": "It is needed."}')
    assert proposal.problem is None
    assert proposal.tool is TOOLS["write_file"]
    assert (proposal.action.tool, proposal.action.kind) == ("write_file", Kind.WRITE)
    assert list(proposal.action.arguments.items()) == [("content", "x"), ("path", "a.txt")]
    assert proposal.action.intent == "It is needed."


UNREADABLE = {
    "nothing": ("", "not valid JSON"),
    "words": ("please", "not valid JSON"),
    "half an object": ('{"path": "a', "not valid JSON"),
    "single quotes": ("{'path': 'a'}", "not valid JSON"),
    "a comma too many": ('{"path": "a",}', "not valid JSON"),
    "two objects": ('{"path": "a"}{"path": "b"}', "not valid JSON"),
    "an object in a fence": ('```json\n{"path": "a"}\n```', "not valid JSON"),
    "a constant that is no JSON": ('{"path": NaN}', "NaN is not a JSON value"),
    "a name that stands twice": ('{"path": "a", "path": "b"}', "a name stands twice"),
    "one deep inside that does": ('{"path": {"a": [{"b": 1, "b": 2}]}}', "a name stands twice"),
    "a number with too many digits": ('{"path": ' + "9" * 5000 + "}", "not valid JSON"),
    "a list": ('["a.txt"]', "not an object"),
    "a text": ('"a.txt"', "not an object"),
    "null": ("null", "not an object"),
    "nested deeper than anybody reads": ('{"path": ' + "[" * 40 + "]" * 40 + "}", "levels deep"),
    "nested without end": ('{"path": ' + "[" * 100_000, "not valid JSON"),
}


@pytest.mark.parametrize(("arguments", "problem"), UNREADABLE.values(), ids=UNREADABLE)
def test_arguments_that_cant_be_read_are_kept_as_they_came(arguments: str, problem: str) -> None:
    proposal = _propose("write_file", arguments)
    assert problem in str(proposal.problem)
    assert proposal.arguments is None
    assert proposal.action.arguments == {"unparsed": arguments}


UNFIT = {
    "a name that the tool hasn't": ('{"path": "a", "content": "x", "mode": "0777"}', "mode: "),
    "one that is missing": ('{"path": "a"}', "content: "),
    "a wrong type": ('{"path": 1, "content": "x"}', "path: "),
    "a type that would fit if it were converted": ('{"path": "a", "content": 1}', "content: "),
    "null for a text": ('{"path": null, "content": "x"}', "path: "),
    "half a character": ('{"path": "a\\ud800", "content": "x"}', "half a character"),
    "half a character in a name": ('{"path": "a", "content": "x", "\\ud800": 1}', "half a character"),
    "a number that JSON can't carry": ('{"path": "a", "content": 9007199254740993}', "can't carry"),
    "an infinite number": ('{"path": "a", "content": 1e999}', "can't carry"),
}


@pytest.mark.parametrize(("arguments", "problem"), UNFIT.values(), ids=UNFIT)
def test_arguments_that_dont_fit_are_named_and_not_converted(arguments: str, problem: str) -> None:
    proposal = _propose("write_file", arguments)
    assert problem in str(proposal.problem)
    assert proposal.arguments is None
    assert proposal.action.arguments.keys() != {"unparsed"}


def test_a_number_is_judged_as_it_will_be_read_back_from_the_record() -> None:
    for spelled in ("120", "120.0", "1.2e2"):
        proposal = _propose("run_command", f'{{"command": "ls", "timeout_s": {spelled}}}')
        assert proposal.arguments == RunCommand(command="ls", timeout_s=120)


def test_what_an_unknown_tool_would_do_is_unknown_so_it_counts_as_what_can_do_most() -> None:
    proposal = _propose("rm_rf", '{"path": "/", "intent": "Trust me."}')
    assert (proposal.tool, proposal.arguments) == (None, None)
    assert proposal.action.kind is Kind.EXTERNAL
    assert proposal.action.intent == "Trust me."


def test_a_tool_that_only_reads_takes_no_intent() -> None:
    assert "intent" in str(_propose("read_file", '{"path": "a", "intent": "x"}').problem)


@pytest.mark.parametrize("intent", ['{"a": 1}', "7", "[]", "true", '"\\ud800"'])
def test_an_intent_is_text_whatever_it_was(intent: str) -> None:
    action = _propose("delete_file", f'{{"path": "a", "intent": {intent}}}').action
    assert isinstance(action.intent, str)
    assert canonical(action.intent)
    assert "intent" not in action.arguments


DESCRIPTIONS = {
    "a path": (
        "write_file",
        {"path": "tests/test_auth.py", "content": "x"},
        "write_file → tests/test_auth.py",
    ),
    "a short command": ("run_command", {"command": "pytest -q"}, "run_command → pytest -q"),
    "a command of 60 characters": ("run_command", {"command": "x" * 60}, f"run_command → {'x' * 60}"),
    "a long command": ("run_command", {"command": "x" * 61}, f"run_command → {'x' * 60}... (truncated)"),
    "other arguments": ("other", {"to": "x", "body": "y"}, "other → body, to"),
    "no arguments": ("list_files", {}, "list_files → (no arguments)"),
    "a path that is none": ("other", {"path": 7}, "other → path"),
}


@pytest.mark.parametrize(("tool", "arguments", "said"), DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_a_call_is_described_in_one_of_five_forms(tool: str, arguments: object, said: str) -> None:
    assert _propose(tool, json.dumps(arguments)).description == said


def test_a_call_is_spelled_on_one_line_with_long_values_cut() -> None:
    arguments = {"path": "a\n.txt", "content": "ä" * 100}
    spelled = _propose("write_file", json.dumps(arguments)).spelled
    assert spelled == f'write_file(content="{"ä" * 59}… (102 characters), path="a\\n.txt")'


@given(tool=st.sampled_from([*TOOLS, "", "no such"]), arguments=st.text(st.characters(exclude_categories=())))
def test_whatever_was_sent_has_a_record(tool: str, arguments: str) -> None:
    proposal = _propose(tool, arguments)
    assert json.loads(canonical(proposal.action.arguments)) == proposal.action.arguments
    assert (proposal.arguments is not None) is (proposal.problem is None and tool in TOOLS)
