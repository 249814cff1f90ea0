"""A dispatcher that answers in a recorded run's words as long as the same is asked, and then in its own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.action import Call
from bot.dispatcher import Dispatcher
from bot.plan import Step
from bot.plan.told import Answer
from bot.proposal import propose
from bot.replay.whole_run import Act
from bot.tools import TOOLS


class Served:
    """`diverged_at` is the number of the first call that was not the recorded one, None while there is none.

    Every call goes through the dispatcher, so that its files are those of the new run when they are needed.
    """

    def __init__(self, dispatcher: Dispatcher, acts: Sequence[Act]) -> None:
        self.diverged_at: int | None = None
        self._dispatcher: Final = dispatcher
        self._acts: Final = acts
        self._calls = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._dispatcher.steps

    def dispatch(self, call: Call) -> Answer:
        answer = self._dispatcher.dispatch(call)
        self._calls += 1
        if self.diverged_at is not None:
            return answer
        recorded = self._acts[self._calls - 1] if self._calls <= len(self._acts) else None
        if recorded is None or propose(call, TOOLS).action.id != recorded.id:
            self.diverged_at = self._calls
            return answer
        return replace(answer, text=recorded.answer)
