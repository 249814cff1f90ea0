"""What all importers make of a chat message, and what they refuse."""

from typing import Any

import pytest

from bot.replay.importers import Called, Unreadable
from bot.replay.importers.importer import calls_in, in_shell


def _call(name: object, arguments: object) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


SAID: dict[str, tuple[dict[str, Any], list[Called]]] = {
    "somebody else's words": ({"role": "user", "content": "x", "tool_calls": [1]}, []),
    "words": ({"role": "assistant", "content": "x"}, []),
    "no calls, as some servers say it": ({"role": "assistant", "content": "x", "tool_calls": None}, []),
    "two calls": (
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [_call("a", '{"x": 1}'), _call("b", "not json")],
        },
        [Called(tool="a", arguments='{"x": 1}'), Called(tool="b", arguments="not json")],
    ),
    "arguments as an object": (
        {"role": "assistant", "tool_calls": [_call("a", {"x": "ä"})]},
        [Called(tool="a", arguments='{"x": "ä"}')],
    ),
    "a call of old": (
        {"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}},
        [Called(tool="a", arguments="{}")],
    ),
    "a shell": (
        {"role": "assistant", "tool_calls": [_call("bash", '{"command": "ls -l"}')]},
        [Called(tool="bash", arguments='{"command": "ls -l"}', command="ls -l")],
    ),
    "a shell by another name": (
        {"role": "assistant", "tool_calls": [_call("shell", '{"cmd": "ls"}')]},
        [Called(tool="shell", arguments='{"cmd": "ls"}', command="ls")],
    ),
    "a shell that is told in words": (
        {"role": "assistant", "tool_calls": [_call("shell", '{"command": ["bash", "-lc", "ls | wc"]}')]},
        [Called(tool="shell", arguments='{"command": ["bash", "-lc", "ls | wc"]}', command="ls | wc")],
    ),
    "a shell without a command": (
        {
            "role": "assistant",
            "tool_calls": [_call("bash", "[1]"), _call("bash", "{no"), _call("bash", "{}")],
        },
        [Called(tool="bash", arguments=text) for text in ("[1]", "{no", "{}")],
    ),
}


@pytest.mark.parametrize(("message", "calls"), SAID.values(), ids=SAID)
def test_the_calls_of_a_message_are_kept_as_they_came(message: dict[str, Any], calls: list[Called]) -> None:
    assert list(calls_in(message, where="message 1")) == calls


BROKEN: dict[str, tuple[object, str]] = {
    "no object": ("words", "message 3 is no chat message"),
    "no role": ({"content": "x"}, "message 3 is no chat message"),
    "calls that are no list": ({"role": "assistant", "tool_calls": {"a": 1}}, "tool_calls that are no list"),
    "a call that is none": ({"role": "assistant", "tool_calls": [1]}, "call 1 of message 3 has no name"),
    "a call without a name": (
        {"role": "assistant", "tool_calls": [_call(None, "{}")]},
        "call 1 of message 3",
    ),
    "a call without arguments": (
        {"role": "assistant", "tool_calls": [_call("a", None)]},
        "call 1 of message 3",
    ),
}


@pytest.mark.parametrize(("message", "told"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_message_is_refused_with_its_number(message: object, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        calls_in(message, where="message 3")
    assert told in str(refused.value)


def test_a_command_line_is_a_call_of_our_own_shell() -> None:
    assert in_shell('echo "ä"') == Called(
        tool="run_command", arguments='{"command": "echo \\"ä\\""}', command='echo "ä"'
    )
