"""One answer of a model -> how a transcript keeps it, and back: whole, so that a replay gets the same."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bot.action import Call, Json
from bot.cost import Usage
from bot.world import Turn


class _Call(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    id: str
    tool: str
    arguments: str


class _Turn(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    text: str
    calls: tuple[_Call, ...]
    usage: Usage
    finish: str
    is_estimated: bool
    # Added later than the rest: a transcript from before says nothing of it.
    lost: int = Field(default=0, ge=0, le=1_000)


def kept_turn(turn: Turn) -> dict[str, Json]:
    usage = turn.usage
    return {
        "text": turn.text,
        "calls": [{"id": call.id, "tool": call.tool, "arguments": call.arguments} for call in turn.calls],
        "usage": {
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "reasoning_tokens": usage.reasoning_tokens,
        },
        "finish": turn.finish,
        "is_estimated": turn.is_estimated,
        "lost": turn.lost,
    }


def turn_of(kept: Mapping[str, Any]) -> Turn:
    """Raises pydantic's ValidationError for what `kept_turn` doesn't make; further fields are let be."""
    read = _Turn.model_validate(kept)
    return Turn(
        text=read.text,
        calls=tuple(Call(id=call.id, tool=call.tool, arguments=call.arguments) for call in read.calls),
        usage=read.usage,
        finish=read.finish,
        is_estimated=read.is_estimated,
        lost=read.lost,
    )
