"""What asking a model about recorded runs again would cost, before it is spent: by what they took then."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Final

from bot.cost import Usage, cost_usd
from bot.dataclass import dataclass
from bot.impact import Shard
from bot.replay.result import Result
from bot.replay.source import File
from bot.replay.whole_file import WholeFile
from bot.replay.whole_run import WholeRun

# A run that comes out otherwise may be half or twice as long: no more is known beforehand.
_SHORTER: Final = 2
_LONGER: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """In US dollars, None where a model's price is unknown. `most` is where each run's own limit ends it."""

    runs: int
    tokens: int
    likely: Decimal | None
    most: Decimal

    @property
    def low(self) -> Decimal | None:
        return None if self.likely is None else self.likely / _SHORTER

    @property
    def high(self) -> Decimal:
        return self.most if self.likely is None else min(self.likely * _LONGER, self.most)

    def told(self) -> str:
        """One line for people."""
        runs = f"{self.runs} run{'' if self.runs == 1 else 's'}, about {self.tokens:,} tokens"
        if self.likely is None or self.low is None:
            return (
                f"{runs}; the model's price is not known, and the runs' own limits add up to ${self.most:.2f}"
            )
        return f"{runs}: about ${self.likely:.2f} (${self.low:.2f} to ${self.high:.2f})"


def estimate(
    files: Iterable[File],
    *,
    model: Callable[[WholeRun], str],
    shard: Shard | None = None,
    task: str | None = None,
) -> Estimate:
    """`model` is the one that a run would be asked of now. What can't be made again costs nothing."""
    runs = tokens = 0
    likely: Decimal | None = Decimal(0)
    most = Decimal(0)
    for file in files:
        for run in WholeFile(file, shard).runs():
            if isinstance(run, Result) or task not in {None, run.given.assignment.name}:
                continue
            usage = sum((turn.usage for turn in run.turns), Usage())
            cost = cost_usd(usage, model=model(run))
            likely = None if likely is None or cost is None else likely + cost
            runs, tokens = runs + 1, tokens + usage.tokens
            most += run.given.situation.rules.config.limits.usd
    return Estimate(runs=runs, tokens=tokens, likely=likely, most=most)
