"""A recorded run <-> the little of it that a policy replay needs: who it is, what was seen of each action.

An index is made of a transcript that was proven to its end, by whoever reads it afterwards: see `packing`.
Lines of JSON: the run first, then a `Look` for each action in order, with a `!` where a secret was taken out.
"""

from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.action import storable
from bot.dataclass import dataclass
from bot.replay.own_run import Began, OwnRun
from bot.replay.sight import Sight, Sights, look_in

SCHEMA: Final = "dryrun-bot/index/1"


class _Head(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid", strict=True)

    index: str
    run: str
    link: str | None
    began: Began


@dataclass(slots=True, kw_only=True)
class IndexedRun:
    """`whole` reads the transcript itself, for whoever wants to know more."""

    run_id: str
    began: Began
    sights: Sequence[Sight]
    whole: Callable[[], OwnRun]
    _link: str | None

    @property
    def name(self) -> str:
        return self.began.name

    @property
    def is_apply(self) -> bool:
        return self.began.applies is not None

    def described(self, number: int) -> tuple[str, str]:
        return self.whole().described(number)

    def link(self) -> str | None:
        return self._link


def index_of(run: OwnRun) -> bytes:
    link = run.link()
    head = _Head(
        index=SCHEMA, run=run.run_id, link=None if link is None else str(storable(link)), began=run.began
    )
    looks = (look_in(run.recording, number, body) for number, body in run.judged)
    return b"\n".join([head.model_dump_json().encode(), *looks])


def read_index(index: bytes, sights: Sights, *, whole: Callable[[], OwnRun]) -> IndexedRun | None:
    """None for one that another version made, in words that are not this one's."""
    first, *looks = index.split(b"\n")
    try:
        head = _Head.model_validate_json(first)
        known = [sights.told(look) for look in looks]
    except ValidationError:
        return None
    if head.index != SCHEMA:
        return None
    return IndexedRun(run_id=head.run, began=head.began, sights=known, whole=whole, _link=head.link)
