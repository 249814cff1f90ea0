"""What came of replaying one run: nothing, a change, or why it was not replayed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from bot.dataclass import dataclass
from bot.impact import Change, Impact, Kind, Refused, Shard, Spent, assembled

DUPLICATE: Final = "recorded twice"


class Result(BaseModel):
    """`run` is its id, "" where not even that could be read; `left_out` is why it was not replayed."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    run: str
    change: Change | None = None
    refused: Refused | None = None
    left_out: str | None = None
    unjudged: Annotated[int, Field(ge=0)] = 0
    spent: Spent = Field(default_factory=Spent)


@dataclass(slots=True, kw_only=True)
class Tally:
    """Results in any order -> one Impact. It grows with what changed, and by a few bytes with each run.

    Of a run that is there several times one result counts, whichever comes first. What was refused is no
    such result: a broken copy takes nobody's place, and is told.
    """

    refused: list[Refused] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    _seen: set[str] = field(default_factory=set)
    # Of those of which there is more to say than that nothing changed.
    _told: dict[str, Result] = field(default_factory=dict)
    _left_out: Counter[str] = field(default_factory=Counter)

    def add(self, results: Iterable[Result]) -> None:
        for result in results:
            self.spent += result.spent
            if result.refused is not None:
                self.refused.append(result.refused)
            elif not result.run:
                self._left_out[result.left_out or ""] += 1
            elif result.run in self._seen:
                self._left_out[DUPLICATE] += 1
                self._keep(max(result, self._told.get(result.run, Result(run=result.run)), key=_weight))
            else:
                self._seen.add(result.run)
                self._keep(result)

    def _keep(self, result: Result) -> None:
        if result.change is not None or result.left_out is not None or result.unjudged:
            self._told[result.run] = result
        else:
            self._told.pop(result.run, None)

    def impact(self, kind: Kind, subject: dict[str, str], *, shard: Shard | None = None) -> Impact:
        told = self._told.values()
        left_out = self._left_out + Counter(one.left_out for one in told if one.left_out is not None)
        left_out[UNJUDGED] += sum(one.unjudged for one in told)
        return assembled(
            kind=kind,
            subject=subject,
            runs=len(self._seen) - sum(one.left_out is not None for one in told),
            changes=(one.change for one in told if one.change is not None),
            refused=self.refused,
            left_out=left_out,
            spent=self.spent,
            shard=shard,
        )


def _weight(result: Result) -> tuple[bool, bool, str]:
    """Of several of one run the one that says most counts; among those, always the same."""
    said = result.model_dump_json(exclude={"spent"})
    return result.left_out is None, result.change is not None, said


UNJUDGED: Final = "actions with a secret taken out of them"
