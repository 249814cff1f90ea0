"""What a recorded run brings with it: a model, a second one and a clock, which say what they said then."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import ModelFailed
from bot.replay.whole_run import Advice
from bot.sentence import Sentence
from bot.world import AMPLE, Room, Turn


class RecordedLlm:
    """Its turns in their order, whatever it is asked. Raises ModelFailed past the last one, with `lost`."""

    def __init__(self, model: str, turns: Sequence[Turn], *, lost: int = 0) -> None:
        self.model: Final = model
        self._lost: Final = lost
        self._turns: Final = list(turns)

    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn:
        del messages, tools, room
        if not self._turns:
            raise ModelFailed(
                "The recorded model has nothing more to say: the run goes on longer than it did",
                next_step="replay decisions, to ask a model for what comes next",
                lost=self._lost,
            )
        return self._turns.pop(0)


class RecordedAdvisor:
    """The same of the second model, which sometimes had no answer."""

    def __init__(self, advice: Sequence[Advice]) -> None:
        self.model: Final = advice[0].model
        self._advice: Final = list(advice)

    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn:
        del messages, tools, room
        said = self._advice.pop(0) if self._advice else None
        if said is None or said.turn is None:
            why = Sentence("it was not asked then" if said is None else said.problem or "")
            lost = 0 if said is None else said.lost
            raise ModelFailed(why, next_step="replay decisions, to ask a model", lost=lost)
        return said.turn


@dataclass(slots=True)
class RecordedClock:
    """`elapsed_s` are the readings before each call of the model; the run began at 0."""

    moment: datetime
    elapsed: list[float]
    is_begun: bool = False

    def now(self) -> datetime:
        return self.moment

    def elapsed_s(self) -> float:
        if not self.is_begun:
            self.is_begun = True
            return 0.0
        return self.elapsed.pop(0) if len(self.elapsed) > 1 else self.elapsed[0] if self.elapsed else 0.0
