"""While an agent works: one comment, edited at most every ten seconds, in the place of the plan to come."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from bot.action import Json
from bot.conversation import Conversation
from bot.dataclass import dataclass
from bot.render import answers
from bot.render.layout import Reply
from bot.world import AMPLE, Clock, Llm, Room, Turn

_EVERY_S = 10.0

Watch: TypeAlias = Callable[[int, int], None]


@dataclass(slots=True, kw_only=True)
class Progress:
    """Told of (model calls, planned actions). A run that is soon over says nothing on its way."""

    task: str
    reply: Reply
    conversation: Conversation
    clock: Clock
    began_s: float = field(init=False)
    told_s: float = field(init=False)

    def __post_init__(self) -> None:
        self.began_s = self.told_s = self.clock.elapsed_s()

    def __call__(self, calls: int, actions: int) -> None:
        now_s = self.clock.elapsed_s()
        if now_s - self.told_s < _EVERY_S:
            return
        self.told_s = now_s
        seconds = int(now_s - self.began_s)
        body = answers.progress_comment(
            self.task, self.reply, calls=calls, actions=actions, seconds=seconds
        ).body
        self.conversation.hold_place(body)


@dataclass(slots=True, kw_only=True)
class WatchedLlm:
    """The same model, with `watch` told of each answer, and of how many there were."""

    llm: Llm
    watch: Callable[[int], None]
    calls: int = 0

    @property
    def model(self) -> str:
        return self.llm.model

    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn:
        turn = self.llm.ask(messages, tools=tools, room=room)
        self.calls += 1
        self.watch(self.calls)
        return turn
