"""What came of replaying one run: nothing, a change, or why it was not replayed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from bot.impact import Change, Impact, Kind, Refused, Shard, Spent, assembled

DUPLICATE: Final = "recorded twice"


class Result(BaseModel):
    """`run` is its id, "" where not even that could be read; `left_out` is why it was not replayed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str
    change: Change | None = None
    refused: Refused | None = None
    left_out: str | None = None
    unjudged: Annotated[int, Field(ge=0)] = 0
    spent: Spent = Spent()


@dataclass(slots=True, kw_only=True)
class Tally:
    """Results in any order -> one Impact. It grows with what changed, and by a few bytes with each run."""

    runs: int = 0
    changes: list[Change] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    spent: Spent = field(default_factory=Spent)

    def add(self, results: Iterable[Result]) -> None:
        for result in results:
            if result.run and result.run in self.seen:
                self._leave_out(DUPLICATE)
                continue
            self.seen.add(result.run)
            self.spent += result.spent
            if result.refused is not None:
                self.refused.append(result.refused)
            elif result.left_out is not None:
                self._leave_out(result.left_out)
            else:
                self.runs += 1
                if result.change is not None:
                    self.changes.append(result.change)
                if result.unjudged:
                    self._leave_out(UNJUDGED, result.unjudged)

    def impact(self, kind: Kind, subject: dict[str, str], *, shard: Shard | None = None) -> Impact:
        return assembled(
            kind=kind,
            subject=subject,
            runs=self.runs,
            changes=self.changes,
            refused=self.refused,
            left_out=self.left_out,
            spent=self.spent,
            shard=shard,
        )

    def _leave_out(self, why: str, number: int = 1) -> None:
        self.left_out[why] = self.left_out.get(why, 0) + number


UNJUDGED: Final = "actions with a secret taken out of them"
