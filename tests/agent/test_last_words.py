"""Which last words are a summary, and which are a sign that the plan may not be whole."""

import pytest
from fakes import turn

from bot.agent.last_words import why_no_summary
from bot.tools import TOOLS
from bot.world import Turn

SUMMARIES = {
    "a sentence": "I mended one typo in README.md.",
    "a sentence that names a tool": "I used write_file twice; edit_file was denied.",
    "code that is no call": 'The file says `{"name": "widgets", "version": 1}`.',
    "markup that is no call": "The page uses <function> and <tool> elements.",
    "a call that was quoted in prose": "A run would execute: write_file(path=...)",
}


@pytest.mark.parametrize("text", SUMMARIES.values(), ids=SUMMARIES)
def test_words_are_a_summary(text: str) -> None:
    assert why_no_summary(turn(text=text), TOOLS) is None


CALLS_AS_TEXT = {
    "Hermes and Qwen": '<tool_call>\n{"name": "write_file", "arguments": {"path": "a"}}\n</tool_call>',
    "Mistral": '[TOOL_CALLS][{"name": "x", "arguments": {}}]',
    "Llama with a tag": '<|python_tag|>{"name": "x"}',
    "Llama without one": '{"type": "function", "name": "read_file", "parameters": {}}',
    "Llama's other way": '<function=read_file>{"path": "a"}</function>',
    "DeepSeek": "<\uff5ctool\u2581calls\u2581begin\uff5c>function",
    "Claude": '<function_calls>\n<invoke name="read_file">',
    "a fence of JSON": '```json\n{"tool": "grep", "arguments": {"text": "x"}}\n```',
    "OpenAI's inner name": 'to={"name":"functions.run_command","arguments":"{}"}',
    "after some words": 'Now I will do it: {"function" : "delete_file", "arguments": {"path": "a"}}',
}


@pytest.mark.parametrize("text", CALLS_AS_TEXT.values(), ids=CALLS_AS_TEXT)
def test_a_call_written_as_text_is_told(text: str) -> None:
    assert "wrote a call as text" in str(why_no_summary(turn(text=text), TOOLS))


FINISHES = {
    "length": "cut off",
    "content_filter": "content filter",
    "refusal": "refused",
}


@pytest.mark.parametrize(("finish", "why"), FINISHES.items(), ids=FINISHES)
def test_an_answer_that_is_not_whole_is_told(finish: str, why: str) -> None:
    said = Turn(text="I mended", calls=(), usage=turn().usage, finish=finish)
    assert why in str(why_no_summary(said, TOOLS))


@pytest.mark.parametrize("finish", ["stop", "", "end_turn", "tool_calls"])
def test_other_finish_reasons_are_an_end(finish: str) -> None:
    said = Turn(text="Done.", calls=(), usage=turn().usage, finish=finish)
    assert why_no_summary(said, TOOLS) is None


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_silence_is_no_summary(text: str) -> None:
    assert "neither words nor calls" in str(why_no_summary(turn(text=text), TOOLS))
