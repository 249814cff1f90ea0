"""Logs of OpenAI's chat completions: the messages of a conversation, with or without what is around them.

Source: platform.openai.com, "Chat completions", and its format for fine-tuning.
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.replay.importers.importer import Importer, Run, Unreadable, calls_in

_NAMES: Final = ("id", "name", "instance_id", "task_id")


def _has_messages(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return isinstance(value, dict) and any(isinstance(it.get("messages"), list) for it in _parts(value))


def _run(value: Any) -> Run:  # noqa: ANN401 - any JSON value
    messages = next(it["messages"] for it in _parts(value) if isinstance(it.get("messages"), list))
    name = next((str(value[name]) for name in _NAMES if isinstance(value.get(name), str | int)), "")
    return Run(name=name, calls=_calls([*messages, *_answer(value)]).calls)


def _parts(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The value itself, and the request in it, as some logs keep the two sides apart."""
    return [value, *(part for key in ("request", "body") if isinstance(part := value.get(key), dict))]


def _answer(value: dict[str, Any]) -> list[Any]:
    """The message that the server answered with, where the log has it beside what was sent."""
    for holder in (value.get("response"), value):
        match holder:
            case {"choices": [{"message": message}, *_]}:
                return [message]
            case _:
                continue
    return []


def _calls(messages: Sequence[Any]) -> Run:
    if not messages:
        raise Unreadable("the conversation has no messages")
    calls = (calls_in(message, where=f"message {number}") for number, message in enumerate(messages, 1))
    return Run(name="", calls=tuple(call for of_message in calls for call in of_message))


def _are_messages(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return (
        isinstance(value, list) and bool(value) and all(isinstance(it, dict) and "role" in it for it in value)
    )


OPENAI_LOG: Final = Importer(name="OpenAI chat log", takes=_has_messages, run=_run)
OPENAI_MESSAGES: Final = Importer(name="OpenAI messages", takes=_are_messages, run=_calls)
