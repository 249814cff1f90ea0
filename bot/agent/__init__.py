"""The loop: ask the model, dispatch what it calls, until it is done or a limit is met.

A limit ends the run in an honest plan: what was planned so far stands, and `stopped_by` says why there is
no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any, Final, Protocol

from bot.action import Call, Json
from bot.agent.last_words import why_no_summary
from bot.agent.talk import Talk
from bot.agent.turn_record import kept_turn
from bot.budget import LARGEST_ANSWER, LEAST_ANSWER, Budget
from bot.cost import Usage
from bot.dataclass import dataclass
from bot.errors import ModelFailed
from bot.plan.told import Answer
from bot.proposal import storable_text
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.words.sanitise import for_model
from bot.world import Llm, Room, Turn

# A model gets two more tries after a turn in which no call could be understood.
_MOST_UNREADABLE: Final = 3


class Dispatches(Protocol):
    """A dispatcher; or, in a replay, what answers as one did, as long as the same is asked."""

    def dispatch(self, call: Call) -> Answer: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """`cost` is in US dollars, None when the model's price is unknown: then the token limit is what holds.

    `findings` are plain sentences about these numbers.
    """

    summary: str
    usage: Usage
    cost: Decimal | None
    stopped_by: str | None
    findings: tuple[str, ...] = ()


def run(
    messages: Sequence[Mapping[str, Json]],
    *,
    nonce: str,
    llm: Llm,
    dispatcher: Dispatches,
    tools: Mapping[str, Tool[Any]],
    budget: Budget,
    transcript: Transcript,
) -> Ended:
    """`nonce` is that of the opening's envelopes; `budget` is the model's, and its time runs already.

    Raises ModelFailed when the model can't be asked; what was planned until then is in the transcript.
    """
    schemas = [tool.schema() for tool in tools.values()]
    talk = Talk(messages=list(messages), schemas=schemas, nonce=nonce, window=budget.window)
    transcript.note("prompted", model=llm.model, messages=talk.messages, tools=schemas)
    unreadable = 0
    while True:
        elapsed_s = budget.elapsed_s
        if folded := talk.fold():
            transcript.note("folded", calls=list(folded))
        room = _room(talk, budget, elapsed_s=elapsed_s, unreadable=unreadable)
        if isinstance(room, str):
            transcript.note("stopped", why=room, elapsed_s=elapsed_s)
            return _ended(budget, stopped_by=room)
        try:
            turn = llm.ask(talk.messages, tools=schemas, room=room)
        except ModelFailed as failed:
            why, failed_s = _why_over(budget, failed, prompt_tokens=talk.most_tokens)
            if why is None:
                transcript.note("failed", lost=failed.lost, usage=asdict(budget.usage), elapsed_s=failed_s)
                raise
            transcript.note("stopped", why=why, asked_s=elapsed_s, elapsed_s=failed_s, lost=failed.lost)
            return _ended(budget, stopped_by=why)
        budget.spend(turn)
        transcript.note("turn", elapsed_s=elapsed_s, **kept_turn(turn))
        if not turn.calls:
            why = _why_cut(turn, room, budget) or why_no_summary(turn, tools)
            return _ended(budget, summary=storable_text(turn.text).strip(), stopped_by=why)
        is_readable = _dispatch(turn, talk, dispatcher, transcript)
        unreadable = 0 if is_readable else unreadable + 1


def _dispatch(turn: Turn, talk: Talk, dispatcher: Dispatches, transcript: Transcript) -> bool:
    """All calls of one turn, in order, with their answers added to the talk; whether one was understood."""
    answers = [dispatcher.dispatch(call) for call in turn.calls]
    told = [for_model(answer.text, is_source=True).text for answer in answers]
    for call, text in zip(turn.calls, told, strict=True):
        transcript.note("told", call=call.id, text=text)
    talk.add(turn, told)
    return not all(answer.is_malformed for answer in answers)


def _room(talk: Talk, budget: Budget, *, elapsed_s: float, unreadable: int) -> Room | str:
    """For the next answer; or why the run ends here."""
    room = budget.room(prompt_tokens=talk.most_tokens, elapsed_s=elapsed_s)
    if isinstance(room, str):
        return room
    if unreadable >= _MOST_UNREADABLE:
        return f"stopped after {_MOST_UNREADABLE} turns in a row in which no call could be understood"
    left = talk.left
    if left is None or room.tokens is None:
        return room
    if left < LEAST_ANSWER and not budget.usage.calls:
        # The first call is always made: what is too long from the beginning, the server says best.
        return room
    if left < LEAST_ANSWER:
        return f"stopped where the conversation fills the model's context window ({talk.window:,} tokens)"
    return replace(room, tokens=min(room.tokens, left))


def _why_over(budget: Budget, failed: ModelFailed, *, prompt_tokens: int) -> tuple[str | None, float]:
    """Whether it failed for want of time, tokens or money, in words for `stopped_by`; and when that was."""
    budget.lose(failed.lost)
    elapsed_s = budget.elapsed_s
    if elapsed_s < budget.limits.seconds and not failed.lost:
        return None, elapsed_s
    room = budget.room(prompt_tokens=prompt_tokens, elapsed_s=elapsed_s)
    return room if isinstance(room, str) else None, elapsed_s


def _why_cut(turn: Turn, room: Room, budget: Budget) -> str | None:
    """Where the last answer was cut off by a limit of the run, and not by one of the server's own."""
    if turn.finish != "length" or room.tokens is None or room.tokens >= LARGEST_ANSWER:
        return None
    return (
        f"the model's last answer was cut off at {room.tokens:,} tokens, so that the run keeps within "
        f"{budget.limits.tokens:,} tokens and ${budget.limits.usd}"
    )


def _ended(budget: Budget, *, summary: str = "", stopped_by: str | None) -> Ended:
    return Ended(
        summary=summary,
        usage=budget.usage,
        cost=budget.cost,
        stopped_by=stopped_by,
        findings=tuple(budget.findings),
    )
