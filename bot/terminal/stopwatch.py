"""A clock that stands still while a person thinks: what limits a run's time is not theirs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from datetime import datetime

from bot.dataclass import dataclass
from bot.world import Clock


@dataclass(slots=True)
class Stopwatch:
    """A Clock over another one; only `elapsed_s` leaves the pauses out."""

    clock: Clock
    _waited_s: float = field(default=0.0, init=False)

    def now(self) -> datetime:
        return self.clock.now()

    def elapsed_s(self) -> float:
        return self.clock.elapsed_s() - self._waited_s

    @contextmanager
    def paused(self) -> Iterator[None]:
        began = self.clock.elapsed_s()
        try:
            yield
        finally:
            self._waited_s += self.clock.elapsed_s() - began
