"""SWE-agent's steps, each with a command line."""

import json
from typing import Any

import pytest

from bot.replay.importers import Unreadable
from bot.replay.importers.swe_agent import SWE_AGENT

STEP = {"response": "I look.", "thought": "I look.", "action": "ls -F\n", "observation": "a", "state": {}}
RUN: dict[str, Any] = {
    "environment": "swe_main",
    "trajectory": [
        STEP,
        {**STEP, "action": ""},
        {**STEP, "action": 'python -c "1"'},
        {**STEP, "action": "submit"},
    ],
    "history": [{"role": "system", "content": "x"}],
    "info": {"exit_status": "submitted", "submission": "diff"},
}


def test_every_action_is_a_command_line() -> None:
    assert SWE_AGENT.takes(RUN)
    run = SWE_AGENT.run(RUN)
    assert run.name == "swe_main"
    assert [call.command for call in run.calls] == ["ls -F", 'python -c "1"', "submit"]
    assert json.loads(run.calls[1].arguments) == {"command": 'python -c "1"'}
    assert {call.tool for call in run.calls} == {"run_command"}


@pytest.mark.parametrize("value", [None, [], {}, {"trajectory": "x"}, {"messages": []}])
def test_other_shapes_are_left_to_others(value: object) -> None:
    assert not SWE_AGENT.takes(value)


@pytest.mark.parametrize("step", ["words", {}, {"action": None}, {"action": ["ls"]}])
def test_a_step_without_an_action_is_refused_with_its_number(step: object) -> None:
    with pytest.raises(Unreadable, match="step 2 has no action"):
        SWE_AGENT.run({"trajectory": [STEP, step]})
