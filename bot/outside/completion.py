"""A chat completion as JSON -> Turn. The wire format is OpenAI's; what others leave out counts as empty.

An answer is taken as it is or refused with a reason; none is repaired by guessing.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from bot.action import Call
from bot.cost import Usage
from bot.errors import ModelFailed
from bot.world import Turn

REFUSAL: Final = "refusal"

_MOST_MESSAGE = 300
# English and code have 3 to 4 characters a token: so this is more than there are.
_CHARACTERS_PER_TOKEN = 3
# More than that was never counted, and prices could not be told any more.
_MOST_TOKENS = 10**12


def read_turn(answer: object, *, server: str, asked_characters: int) -> Turn:
    """`asked_characters` is the request's length, from which tokens are estimated where none are told.

    Raises ModelFailed where there is no answer in it.
    """
    match answer:
        case {"error": problem} if problem:
            raise ModelFailed(
                "The model at %(server)s answered with an error: %(answer)s",
                server=server,
                answer=message_of(answer),
                next_step="see the message; the server's log may say more",
            )
        case {"choices": [{"message": {} as message, **choice}, *_], **rest}:
            refusal = message.get("refusal")
            is_refused = isinstance(refusal, str) and bool(refusal)
            usage = _usage(rest.get("usage"))
            is_estimated = usage is None
            return Turn(
                text=str(refusal) if is_refused else _text(message.get("content")),
                calls=_calls(message.get("tool_calls"), server=server),
                usage=usage or _estimate(asked_characters, message),
                finish=REFUSAL if is_refused else str(choice.get("finish_reason") or ""),
                is_estimated=is_estimated,
            )
        case _:
            raise ModelFailed(
                "The model at %(server)s answered without a message",
                server=server,
                next_step="try again; if it stays so, the server does not speak chat completions",
            )


def message_of(body: object) -> str:
    """What an error's body says, in one line that is not too long."""
    match body:
        case (
            {"error": {"message": str() as message}}
            | {"message": str() as message}
            | {"error": str() as message}
        ):
            said = message
        case str():
            said = "a web page" if "<html" in body.lower() else body
        case _:
            said = json.dumps(body) if body else ""
    said = " ".join(said.split())
    return said if len(said) <= _MOST_MESSAGE else said[: _MOST_MESSAGE - 1] + "…"


def _text(content: object) -> str:
    match content:
        case str():
            return content
        case list():
            parts = (part.get("text") for part in content if isinstance(part, dict))
            return "".join(part for part in parts if isinstance(part, str))
        case _:
            return ""


def _calls(calls: object, *, server: str) -> tuple[Call, ...]:
    if not calls:
        return ()
    if not isinstance(calls, list):
        raise ModelFailed(
            "The model at %(server)s answered with tool calls that are not a list",
            server=server,
            next_step="try again; if it stays so, the server does not speak chat completions",
        )
    return _told_apart([_call(call) for call in calls])


def _call(call: object) -> Call:
    match call:
        case {"function": {"name": str() as tool} as function, **rest}:
            arguments = function.get("arguments", "")
            # Some servers send the arguments as an object instead of its text: the same thing, spelled once.
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            return Call(id=str(rest.get("id") or ""), tool=tool, arguments=text)
        case _:
            return Call(id="", tool="", arguments=json.dumps(call))


def _told_apart(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Ids only tie answers to calls: one that is missing or comes twice is replaced, and nothing is lost."""
    known: set[str] = set()
    apart = []
    for number, call in enumerate(calls, start=1):
        name = call.id
        if not name or name in known:
            name = f"call-{number}"
        while name in known:
            name += "-again"
        known.add(name)
        apart.append(Call(id=name, tool=call.tool, arguments=call.arguments))
    return tuple(apart)


def _usage(usage: object) -> Usage | None:
    """None where the server doesn't count."""
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if not tokens_in and not tokens_out:
        return None
    return Usage(
        calls=1,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        # Parts of the two above: more than the whole would be a price below nothing.
        cached_tokens=min(_count(usage.get("prompt_tokens_details"), "cached_tokens"), tokens_in),
        reasoning_tokens=min(_count(usage.get("completion_tokens_details"), "reasoning_tokens"), tokens_out),
    )


def _estimate(asked_characters: int, message: dict[Any, Any]) -> Usage:
    """On the high side, so that limits hold and no run looks free."""
    said_characters = len(json.dumps(message, ensure_ascii=False))
    return Usage(
        calls=1,
        input_tokens=-(-asked_characters // _CHARACTERS_PER_TOKEN),
        output_tokens=-(-said_characters // _CHARACTERS_PER_TOKEN),
    )


def _count(counts: object, name: str) -> int:
    count = counts.get(name) if isinstance(counts, dict) else None
    return count if type(count) is int and 0 < count < _MOST_TOKENS else 0
