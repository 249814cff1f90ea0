"""The forms in which conversations with OpenAI's servers are kept."""

from typing import Any

import pytest

from bot.replay.importers import Unreadable
from bot.replay.importers.openai_log import OPENAI_LOG, OPENAI_MESSAGES

ASKED = {"role": "user", "content": "Go."}
CALLED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}
    ],
}
OLD = {"role": "assistant", "function_call": {"name": "search", "arguments": "{}"}}

FORMS: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "messages": ({"messages": [ASKED, CALLED]}, "", ["read_file"]),
    "messages and tools, as for fine-tuning": ({"messages": [CALLED], "tools": [{}]}, "", ["read_file"]),
    "with a name": ({"id": "chat-7", "messages": [CALLED]}, "chat-7", ["read_file"]),
    "with a number": ({"id": 7, "messages": [CALLED]}, "7", ["read_file"]),
    "a request and its response": (
        {"request": {"messages": [ASKED, OLD]}, "response": {"choices": [{"message": CALLED}]}},
        "",
        ["search", "read_file"],
    ),
    "a line of a batch": (
        {"custom_id": "x", "method": "POST", "body": {"messages": [ASKED, CALLED]}},
        "",
        ["read_file"],
    ),
    "messages and choices side by side": (
        {"messages": [ASKED], "choices": [{"message": CALLED}]},
        "",
        ["read_file"],
    ),
}


@pytest.mark.parametrize(("value", "name", "tools"), FORMS.values(), ids=FORMS)
def test_a_conversation_is_found_in_what_is_around_it(
    value: dict[str, Any], name: str, tools: list[str]
) -> None:
    assert OPENAI_LOG.takes(value)
    run = OPENAI_LOG.run(value)
    assert (run.name, [call.tool for call in run.calls]) == (name, tools)


def test_bare_messages_are_a_run() -> None:
    assert OPENAI_MESSAGES.takes([ASKED, CALLED])
    assert [call.tool for call in OPENAI_MESSAGES.run([ASKED, CALLED, OLD]).calls] == ["read_file", "search"]


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"messages": "x"}, {"traj": []}, {"request": []}])
def test_other_shapes_are_left_to_others(value: object) -> None:
    assert not OPENAI_LOG.takes(value)
    assert not OPENAI_MESSAGES.takes(value)


@pytest.mark.parametrize("messages", [[], ["words"], [ASKED, {"role": 7}]])
def test_a_broken_conversation_is_refused(messages: list[object]) -> None:
    with pytest.raises(Unreadable):
        OPENAI_LOG.run({"messages": messages})
