"""The replay: past runs -> what would come out otherwise. Nothing here permits or changes anything.

policy      recorded actions -> the gate, under another policy: pure, free, exact
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bot import __version__
from bot.action import canonical
from bot.impact import Impact, Shard
from bot.replay.batch import Done, done
from bot.replay.journal import Journal
from bot.replay.policy_work import PolicyWork
from bot.replay.result import Tally
from bot.replay.source import files_in
from bot.replay.subject import Policies


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a replay is done, which changes nothing of what comes out.

    `state` is a folder for what is done already, None to keep nothing; `watch` hears of each file.
    """

    processes: int | None = None
    state: Path | None = None
    watch: Callable[[Done], None] = lambda _: None


def replay_policy(
    paths: Iterable[Path],
    policies: Policies,
    *,
    shard: Shard | None = None,
    unfinished: bool = False,
    manner: Manner = Manner(),
) -> Impact:
    """Raises BadConfig for a policy that can't be read. A run that can't be is named in the impact."""
    work = PolicyWork(policies=policies, shard=shard, unfinished=unfinished)
    subject = dict(policies.named())
    tally = Tally()
    key = _key("policy", subject, shard, unfinished=unfinished)
    journal = None if manner.state is None else Journal(manner.state / f"{key[:32]}.jsonl", key=key)
    known: list[Done] = []
    files = files_in(paths)
    todo = files if journal is None else journal.sorted_out(files, known)
    for one in done(todo, work, processes=manner.processes):
        if journal is not None:
            journal.note(one)
        tally.add(one.results)
        manner.watch(one)
    for one in known:
        tally.add(one.results)
        manner.watch(one)
    if journal is not None:
        journal.forget()
    return tally.impact("policy", subject, shard=shard)


def _key(kind: str, subject: dict[str, str], shard: Shard | None, *, unfinished: bool) -> str:
    part = None if shard is None else [shard.number, shard.of]
    return hashlib.sha256(canonical([__version__, kind, subject, part, unfinished])).hexdigest()
