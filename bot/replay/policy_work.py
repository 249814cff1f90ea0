"""All that a process needs to know to do its share of a policy replay, and the one that does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from bot.dataclass import dataclass
from bot.errors import BadTranscript
from bot.impact import Refused, Shard
from bot.replay.foreign_run import Strangers
from bot.replay.judge import Judge
from bot.replay.policy_replay import PolicyReplay
from bot.replay.result import Result
from bot.replay.sight import Sights
from bot.replay.source import File, Source

if TYPE_CHECKING:
    from bot.gate.policy import Policy
    from bot.replay.subject import Policies, PolicyFile
    from bot.replay.voucher import Voucher


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyWork:
    policies: Policies
    shard: Shard | None = None
    unfinished: bool = False
    voucher: Voucher | None = None

    def worker(self) -> PolicyWorker:
        return PolicyWorker(self)


class PolicyWorker:
    """Keeps what it found of equal actions from one file to the next."""

    def __init__(self, work: PolicyWork) -> None:
        before = work.policies.before
        self._replay: Final = PolicyReplay(
            before=None if before is None else _judge(before),
            after=_judge(work.policies.after),
            fallback=_judge(work.policies.fallback),
        )
        self._source: Final = _source(shard=work.shard, unfinished=work.unfinished, voucher=work.voucher)

    def results(self, file: File) -> Iterator[Result]:
        return _results(self._source, self._replay, file)


class ComparingWorker:
    """The same for policies that are at hand already, as they are on a pull request."""

    def __init__(self, *, before: Sequence[Policy], after: Sequence[Policy]) -> None:
        self._replay: Final = PolicyReplay(before=Judge(before), after=Judge(after), fallback=Judge(before))
        self._source: Final = _source(shard=None, unfinished=False)

    def results(self, file: File) -> Iterator[Result]:
        return _results(self._source, self._replay, file)


def _results(source: Source, replay: PolicyReplay, file: File) -> Iterator[Result]:
    for past in source.pasts(file):
        if isinstance(past, Result):
            yield past
            continue
        try:
            yield replay.result(past)
        except BadTranscript as error:
            # What only a change makes anybody look at may be as broken as the rest.
            yield Result(run=past.run_id, refused=Refused(file=file.name, why=error.what))


def _source(*, shard: Shard | None, unfinished: bool, voucher: Voucher | None = None) -> Source:
    return Source(shard=shard, unfinished=unfinished, sights=Sights(), strangers=Strangers(), voucher=voucher)


def _judge(policy: PolicyFile) -> Judge:
    return Judge(policy.config().policies)
