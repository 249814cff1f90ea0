"""The scripted model through the real client, and its faults."""

import json
import time
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from bot.demo.model import NAME, Raw, Said, ScriptedModel, ToolCall

GO = [{"role": "system", "content": "be good"}, {"role": "user", "content": "go"}]
TURNED = [*GO, {"role": "assistant", "content": "I looked"}]
SCRIPT = [
    Said(
        text="I look.",
        calls=[
            ToolCall(tool="read_file", arguments={"path": "ä.md"}),
            ToolCall(tool="read_file", arguments='{"path": '),
        ],
    ),
    Said(text="Done."),
]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(SCRIPT) as model:
        yield model


def ask(model: ScriptedModel, messages: list[Any], **more: Any) -> Any:
    with openai.OpenAI(base_url=model.base_url, api_key="none", max_retries=0) as client:
        return client.chat.completions.create(model=more.pop("name", NAME), messages=messages, **more)


def test_the_turn_is_told_from_the_messages_alone(model: ScriptedModel) -> None:
    answers = [ask(model, messages).choices[0] for messages in (TURNED, GO, TURNED, GO)]
    assert [one.message.content for one in answers] == ["Done.", "I look.", "Done.", "I look."]
    assert [one.finish_reason for one in answers] == ["stop", "tool_calls", "stop", "tool_calls"]
    calls = answers[1].message.tool_calls
    assert [call.id for call in calls] == ["call_0_0", "call_0_1"]
    assert json.loads(calls[0].function.arguments) == {"path": "ä.md"}
    assert calls[1].function.arguments == '{"path": ', "what is not JSON is sent as it is"


def test_its_name_says_that_it_is_scripted_whatever_it_was_asked_for(model: ScriptedModel) -> None:
    assert ask(model, GO, name="gpt-5.4-mini").model == "scripted-model"
    with openai.OpenAI(base_url=model.base_url, api_key="none") as client:
        assert [one.id for one in client.models.list()] == ["scripted-model"]


def test_past_its_end_a_script_says_that_it_is_over(model: ScriptedModel) -> None:
    over = ask(model, [*TURNED, *TURNED]).choices[0]
    assert (over.message.content, over.message.tool_calls) == ("(The script is over.)", None)


def test_a_line_and_a_whole_script_may_be_functions_of_the_messages() -> None:
    def echo(messages: list[dict[str, Any]]) -> Said:
        return Said(text=messages[-1]["content"].upper(), finish="length")

    for script in ([echo], echo):
        with ScriptedModel(script) as model:
            answer = ask(model, GO).choices[0]
            assert (answer.message.content, answer.finish_reason) == ("GO", "length")


def test_usage_grows_with_what_was_said(model: ScriptedModel) -> None:
    short, long = ask(model, GO).usage, ask(model, [*GO, {"role": "user", "content": "x" * 4000}]).usage
    assert long.prompt_tokens - short.prompt_tokens >= 1000
    assert ask(model, GO).usage == short
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    assert ask(model, GO, tools=tools).usage.prompt_tokens > short.prompt_tokens
    assert short.total_tokens == short.prompt_tokens + short.completion_tokens


def test_every_request_is_kept(model: ScriptedModel) -> None:
    ask(model, GO, temperature=0)
    assert model.asked[0].messages == GO
    assert model.asked[0].body["temperature"] == 0
    assert model.asked[0].headers["authorization"] == "Bearer none"


FAULTS: dict[str, tuple[Raw, type[Exception]]] = {
    "wait": (Raw(status=429, headers={"Retry-After": "1"}, body=b"{}"), openai.RateLimitError),
    "broken": (Raw(status=500, body=b"oops"), openai.InternalServerError),
    "no key": (Raw(status=401, body=b'{"error": {"message": "no"}}'), openai.AuthenticationError),
    "no answer": (Raw(drop=True), openai.APIConnectionError),
    "too slow": (Raw(delay_s=60, body=b"{}"), openai.APITimeoutError),
}


@pytest.mark.parametrize(("fault", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_served_once_and_then_the_script_goes_on(
    model: ScriptedModel, fault: Raw, expected: type[Exception]
) -> None:
    model.faults.append(fault)
    with pytest.raises(expected):
        ask(model, GO, timeout=0.4 if fault.delay_s else 30)
    assert ask(model, GO).choices[0].message.content == "I look."
    assert len(model.asked) == 2


WRONG = {
    "not JSON": ("/chat/completions", b"{"),
    "no messages": ("/chat/completions", b"{}"),
    "another address": ("/responses", b'{"messages": []}'),
    "a stream": ("/chat/completions", b'{"messages": [], "stream": true}'),
}


@pytest.mark.parametrize(("path", "body"), WRONG.values(), ids=WRONG)
def test_what_it_cannot_do_it_says(model: ScriptedModel, path: str, body: bytes) -> None:
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(model.base_url + path, data=body, timeout=10)
    with refused.value as answer:
        assert 400 <= answer.code < 500
        assert json.loads(answer.read())["error"]["message"]


def test_leaving_it_waits_for_what_is_under_way_and_then_nothing_answers() -> None:
    began = time.monotonic()
    with ScriptedModel(SCRIPT) as model:
        ask(model, GO)
    assert time.monotonic() - began < 10
    with pytest.raises(openai.APIConnectionError):
        ask(model, GO)
