"""All that a process needs to know to do its share of a policy replay, and the one that does it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.impact import Shard
from bot.replay.foreign_run import Strangers
from bot.replay.judge import Judge
from bot.replay.policy_replay import PolicyReplay
from bot.replay.result import Result
from bot.replay.sight import Sights
from bot.replay.source import File, Source
from bot.replay.subject import Policies, PolicyFile


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyWork:
    policies: Policies
    shard: Shard | None = None
    unfinished: bool = False

    def worker(self) -> "PolicyWorker":
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
        self._source: Final = Source(
            shard=work.shard, unfinished=work.unfinished, sights=Sights(), strangers=Strangers()
        )

    def results(self, file: File) -> Iterator[Result]:
        for past in self._source.pasts(file):
            yield past if isinstance(past, Result) else self._replay.result(past)


def _judge(policy: PolicyFile) -> Judge:
    return Judge(policy.config().policies)
