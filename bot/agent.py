"""The loop: ask the model, dispatch what it calls, until it is done or a limit is met.

A limit ends the run in an honest plan: what was planned so far stands, and `stopped_by` says why there is
no more.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Protocol

from bot.action import Json
from bot.config import RunLimits
from bot.cost import Usage, cost_usd
from bot.last_words import why_no_summary
from bot.proposal import storable_text
from bot.sanitise import for_model
from bot.told import Answer
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.turn_record import kept_turn
from bot.world import Call, Clock, Llm, Turn

# A model gets two more tries after a turn in which no call could be understood.
_MOST_UNREADABLE: Final = 3


class Dispatches(Protocol):
    """A dispatcher; or, in a replay, what answers as one did, as long as the same is asked."""

    def dispatch(self, call: Call) -> Answer: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """`cost` is in US dollars, None when the model's price is unknown: then the token limit is what holds.

    `is_estimated`: the model's server counted no tokens, and `usage` is on the high side.
    """

    summary: str
    usage: Usage
    cost: Decimal | None
    stopped_by: str | None
    is_estimated: bool = False


@dataclass(slots=True)
class _Talk:
    """What was said so far, and what it took. `unreadable` counts the last turns without one good call."""

    messages: list[Mapping[str, Json]]
    usage: Usage = field(default_factory=Usage)
    is_estimated: bool = False
    unreadable: int = 0

    def ended(self, model: str, *, summary: str = "", stopped_by: str | None) -> Ended:
        return Ended(
            summary=summary,
            usage=self.usage,
            cost=cost_usd(self.usage, model=model),
            stopped_by=stopped_by,
            is_estimated=self.is_estimated,
        )


def run(
    messages: Sequence[Mapping[str, Json]],
    *,
    llm: Llm,
    dispatcher: Dispatches,
    tools: Mapping[str, Tool[Any]],
    limits: RunLimits,
    clock: Clock,
    transcript: Transcript,
) -> Ended:
    """Raises ModelFailed when the model can't be asked; what was planned until then is in the transcript."""
    talk = _Talk(list(messages))
    schemas = [tool.schema() for tool in tools.values()]
    transcript.note("prompted", model=llm.model, messages=talk.messages, tools=schemas)
    began = clock.elapsed_s()
    while True:
        elapsed_s = clock.elapsed_s() - began
        if why := _limit_met(talk, cost_usd(talk.usage, model=llm.model), elapsed_s=elapsed_s, limits=limits):
            transcript.note("stopped", why=why, elapsed_s=elapsed_s)
            return talk.ended(llm.model, stopped_by=why)
        turn = llm.ask(talk.messages, tools=schemas)
        talk.usage += turn.usage
        talk.is_estimated |= turn.is_estimated
        transcript.note("turn", elapsed_s=elapsed_s, **kept_turn(turn))
        if not turn.calls:
            summary, why_none = storable_text(turn.text).strip(), why_no_summary(turn, tools)
            return talk.ended(llm.model, summary=summary, stopped_by=why_none)
        _dispatch(turn, talk, dispatcher, transcript)


def _dispatch(turn: Turn, talk: _Talk, dispatcher: Dispatches, transcript: Transcript) -> None:
    """All calls of one turn, in order, with their answers added to the talk."""
    talk.messages.append(_said(turn))
    answers = [dispatcher.dispatch(call) for call in turn.calls]
    for call, answer in zip(turn.calls, answers, strict=True):
        told = for_model(answer.text, is_source=True).text
        transcript.note("told", call=call.id, text=told)
        talk.messages.append({"role": "tool", "tool_call_id": call.id, "content": told})
    is_unreadable = all(answer.is_malformed for answer in answers)
    talk.unreadable = talk.unreadable + 1 if is_unreadable else 0


def _limit_met(talk: _Talk, cost: Decimal | None, *, elapsed_s: float, limits: RunLimits) -> str | None:
    usage = talk.usage
    if usage.calls >= limits.steps:
        return f"stopped after {_counted(limits.steps, 'step')}"
    if usage.tokens >= limits.tokens:
        return f"stopped after {usage.tokens:,} tokens (the limit is {limits.tokens:,})"
    if cost is not None and cost >= limits.usd:
        return f"stopped after ${cost} (the limit is ${limits.usd})"
    if elapsed_s >= limits.seconds:
        return f"stopped after {_counted(limits.seconds, 'second')}"
    if talk.unreadable >= _MOST_UNREADABLE:
        return f"stopped after {_MOST_UNREADABLE} turns in a row in which no call could be understood"
    return None


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _said(turn: Turn) -> dict[str, Json]:
    calls: list[Json] = [
        {"id": call.id, "type": "function", "function": {"name": _name(call), "arguments": _arguments(call)}}
        for call in turn.calls
    ]
    return {"role": "assistant", "content": turn.text, "tool_calls": calls}


def _name(call: Call) -> str:
    """As servers take it back: for one that breaks their rules they refuse the whole conversation."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call.tool)[:64] or "unnamed"


def _arguments(call: Call) -> str:
    """As servers take them back: some parse them, and fail on what is no object."""
    try:
        is_object = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return call.arguments if is_object else json.dumps({"unparsed": call.arguments})
