"""The loop: ask the model, dispatch what it calls, until it is done or a limit is met.

A limit ends the run in an honest plan: what was planned so far stands, and `stopped_by` says why there is
no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bot.action import Json
from bot.config import RunLimits
from bot.cost import Usage, cost_usd
from bot.dispatcher import Dispatcher
from bot.proposal import storable_text
from bot.sanitise import for_model
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.world import Clock, Llm, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """`cost` is in US dollars, None when the model's price is unknown: then the token limit is what holds."""

    summary: str
    usage: Usage
    cost: Decimal | None
    stopped_by: str | None


def run(
    messages: Sequence[Mapping[str, Json]],
    *,
    llm: Llm,
    dispatcher: Dispatcher,
    tools: Mapping[str, Tool[Any]],
    limits: RunLimits,
    clock: Clock,
    transcript: Transcript,
) -> Ended:
    """Raises ModelFailed when the model can't be asked; what was planned until then is in the transcript."""
    conversation = list(messages)
    schemas = [tool.schema() for tool in tools.values()]
    transcript.note("prompted", model=llm.model, messages=conversation, tools=schemas)
    usage, began = Usage(), clock.elapsed_s()
    while True:
        cost = cost_usd(usage, model=llm.model)
        if why := _limit_met(usage, cost, elapsed_s=clock.elapsed_s() - began, limits=limits):
            transcript.note("stopped", why=why)
            return Ended(summary="", usage=usage, cost=cost, stopped_by=why)
        turn = llm.ask(conversation, tools=schemas)
        usage += turn.usage
        transcript.note(
            "turn", text=turn.text, finish=turn.finish, calls=len(turn.calls), usage=_spelled(turn.usage)
        )
        if not turn.calls:
            return Ended(
                summary=storable_text(turn.text).strip(),
                usage=usage,
                cost=cost_usd(usage, model=llm.model),
                stopped_by=None,
            )
        conversation.append(_said(turn))
        for call in turn.calls:
            answer = dispatcher.dispatch(call)
            told = for_model(answer.text, is_source=True).text
            conversation.append({"role": "tool", "tool_call_id": call.id, "content": told})


def _limit_met(usage: Usage, cost: Decimal | None, *, elapsed_s: float, limits: RunLimits) -> str | None:
    if usage.calls >= limits.steps:
        return f"stopped after {limits.steps} steps"
    if usage.tokens >= limits.tokens:
        return f"stopped after {usage.tokens:,} tokens (the limit is {limits.tokens:,})"
    if cost is not None and cost >= limits.usd:
        return f"stopped after ${cost} (the limit is ${limits.usd})"
    if elapsed_s >= limits.seconds:
        return f"stopped after {limits.seconds} seconds"
    return None


def _said(turn: Turn) -> dict[str, Json]:
    calls: list[Json] = [
        {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}
        for call in turn.calls
    ]
    return {"role": "assistant", "content": turn.text, "tool_calls": calls}


def _spelled(usage: Usage) -> dict[str, Json]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
    }
