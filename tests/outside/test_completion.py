"""What servers answer, well-formed or not: each becomes a turn or a reason, and nothing is guessed."""

import json

import pytest

from bot.action import Call
from bot.cost import Usage
from bot.errors import ModelFailed
from bot.outside.completion import message_of, read_turn
from bot.world import Turn

COUNTED = {"prompt_tokens": 10, "completion_tokens": 2}


def _answer(message: object, **more: object) -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": COUNTED} | more


def _read(answer: object) -> Turn:
    return read_turn(answer, server="a-server", asked_characters=300)


def _tool_call(**fields: object) -> dict[str, object]:
    return {"id": "call_1", "type": "function", "function": {"name": "grep", "arguments": "{}"}} | fields


UNREADABLE = {
    "no choices": ({"choices": []}, "without a message"),
    "no choices at all": ({}, "without a message"),
    "choices of null": ({"choices": None}, "without a message"),
    "a message of null": (_answer(None), "without a message"),
    "a message of text": (_answer("hello"), "without a message"),
    "a list": ([1], "without a message"),
    "null": (None, "without a message"),
    "an error in an answer with status 200": ({"error": {"message": "overloaded"}}, "error: overloaded"),
    "an error of text": ({"error": "overloaded"}, "error: overloaded"),
    "an error of another shape": ({"error": {"code": 7}}, 'error: {"error": {"code": 7}}'),
    "tool calls that are an object": (_answer({"tool_calls": {"a": 1}}), "not a list"),
    "tool calls that are a number": (_answer({"tool_calls": 7}), "not a list"),
}


@pytest.mark.parametrize(("answer", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_answer_without_a_message_is_a_reason_that_names_the_server(answer: object, said: str) -> None:
    with pytest.raises(ModelFailed) as raised:
        _read(answer)
    assert said in raised.value.what
    assert "a-server" in raised.value.what
    assert raised.value.next_step


CALLS = {
    "as OpenAI sends it": (_tool_call(), Call(id="call_1", tool="grep", arguments="{}")),
    "arguments as an object": (
        _tool_call(function={"name": "grep", "arguments": {"text": "ä"}}),
        Call(id="call_1", tool="grep", arguments='{"text": "\\u00e4"}'),
    ),
    "arguments left out": (
        _tool_call(function={"name": "grep"}),
        Call(id="call_1", tool="grep", arguments=""),
    ),
    "arguments of null": (
        _tool_call(function={"name": "grep", "arguments": None}),
        Call(id="call_1", tool="grep", arguments="null"),
    ),
    "arguments that are not JSON": (
        _tool_call(function={"name": "grep", "arguments": "{text: x}"}),
        Call(id="call_1", tool="grep", arguments="{text: x}"),
    ),
    "a padded id": (_tool_call(id=" call_1 "), Call(id=" call_1 ", tool="grep", arguments="{}")),
    "an id that is a number": (_tool_call(id=7), Call(id="7", tool="grep", arguments="{}")),
    "no id": (_tool_call(id=None), Call(id="call-1", tool="grep", arguments="{}")),
    "no name": (
        _tool_call(function={"arguments": "{}"}),
        Call(
            id="call-1",
            tool="",
            arguments='{"id": "call_1", "type": "function", "function": {"arguments": "{}"}}',
        ),
    ),
    "no call at all": ("grep", Call(id="call-1", tool="", arguments='"grep"')),
}


@pytest.mark.parametrize(("sent", "call"), CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("finish", ["tool_calls", "stop", "something_new", None])
def test_a_tool_call_is_taken_as_it_is_whatever_the_finish_reason(
    sent: object, call: Call, finish: str | None
) -> None:
    answer = {"choices": [{"message": {"content": None, "tool_calls": [sent]}, "finish_reason": finish}]}
    turn = _read(answer)
    assert turn.calls == (call,)
    assert (turn.text, turn.finish) == ("", finish or "")


IDS = {
    "all missing": (["", None, ""], ["call-1", "call-2", "call-3"]),
    "twice the same": (["a", "a", "b"], ["a", "call-2", "b"]),
    "one that looks like ours": (["call-2", "call-2"], ["call-2", "call-2-again"]),
    "all different": (["a", "b", "c"], ["a", "b", "c"]),
}


@pytest.mark.parametrize(("sent", "told_apart"), IDS.values(), ids=IDS)
def test_every_call_has_an_id_of_its_own(sent: list[object], told_apart: list[str]) -> None:
    turn = _read(_answer({"tool_calls": [_tool_call(id=each) for each in sent]}))
    assert [call.id for call in turn.calls] == told_apart


WORDS = {
    "text": ({"content": "Done."}, "Done."),
    "null": ({"content": None}, ""),
    "nothing": ({}, ""),
    "parts": ({"content": [{"type": "text", "text": "Do"}, {"type": "text", "text": "ne."}]}, "Done."),
    "parts of other kinds": ({"content": [{"type": "image"}, {"text": 7}, "x", {"text": "Done."}]}, "Done."),
    "a number": ({"content": 7}, ""),
}


@pytest.mark.parametrize(("message", "text"), WORDS.values(), ids=WORDS)
def test_what_the_model_says_is_text_or_nothing(message: object, text: str) -> None:
    assert _read(_answer(message)).text == text


def test_a_refusal_is_told_from_an_answer() -> None:
    turn = _read(_answer({"content": None, "refusal": "I can't help with that."}))
    assert (turn.text, turn.finish) == ("I can't help with that.", "refusal")
    assert _read(_answer({"content": "Yes.", "refusal": None})).finish == "stop"


USAGES = {
    "as OpenAI counts": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "prompt_tokens_details": {"cached_tokens": 64},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
        Usage(calls=1, input_tokens=100, output_tokens=20, cached_tokens=64, reasoning_tokens=5),
    ),
    "without details": (COUNTED, Usage(calls=1, input_tokens=10, output_tokens=2)),
    "details of null": (
        COUNTED | {"prompt_tokens_details": None, "completion_tokens_details": None},
        Usage(calls=1, input_tokens=10, output_tokens=2),
    ),
    "parts that are more than the whole": (
        COUNTED
        | {
            "prompt_tokens_details": {"cached_tokens": 999},
            "completion_tokens_details": {"reasoning_tokens": 999},
        },
        Usage(calls=1, input_tokens=10, output_tokens=2, cached_tokens=10, reasoning_tokens=2),
    ),
    "numbers below nothing": (
        {"prompt_tokens": -5, "completion_tokens": 2},
        Usage(calls=1, output_tokens=2),
    ),
}


@pytest.mark.parametrize(("sent", "usage"), USAGES.values(), ids=USAGES)
def test_tokens_are_counted_as_the_server_tells_them(sent: object, usage: Usage) -> None:
    turn = _read(_answer({"content": "Done."}, usage=sent))
    assert (turn.usage, turn.is_estimated) == (usage, False)


UNCOUNTED = {
    "left out": {},
    "null": {"usage": None},
    "zero": {"usage": {"prompt_tokens": 0, "completion_tokens": 0}},
    "true for a number": {"usage": {"prompt_tokens": True, "completion_tokens": True}},
    "more than there could be": {"usage": {"prompt_tokens": 10**30, "completion_tokens": 10**12}},
    "words": {"usage": {"prompt_tokens": "10", "completion_tokens": "2"}},
    "a list": {"usage": [1]},
}


@pytest.mark.parametrize("usage", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_is_not_counted_is_estimated_and_never_free(usage: dict[str, object]) -> None:
    message = {"content": "x" * 290}
    turn = _read({"choices": [{"message": message}], **usage})
    assert turn.is_estimated
    assert turn.usage == Usage(calls=1, input_tokens=100, output_tokens=-(-len(json.dumps(message)) // 3))


MESSAGES = {
    "OpenAI's shape": ({"error": {"message": "No such\n model"}}, "No such model"),
    "an inner error": ({"message": "No such model", "code": 404}, "No such model"),
    "an error of text": ({"error": "No such model"}, "No such model"),
    "another shape": ({"detail": [1]}, '{"detail": [1]}'),
    "plain text": ("No such model", "No such model"),
    "a web page": ("<!DOCTYPE html><HTML><body>Bad Gateway</body></HTML>", "a web page"),
    "nothing": (None, ""),
    "very long": ({"message": "x" * 5000}, "x" * 299 + "…"),
}


@pytest.mark.parametrize(("body", "message"), MESSAGES.values(), ids=MESSAGES)
def test_an_errors_message_is_one_short_line(body: object, message: str) -> None:
    assert message_of(body) == message
