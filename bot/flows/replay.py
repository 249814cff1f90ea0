"""The replay: past runs -> what would come out otherwise. Nothing here permits or changes anything.

policy      recorded actions -> the gate, under another policy: pure, free, exact
tools       recorded turns of the model -> today's dispatcher, on the recorded files: the same plan again
decisions   a new prompt or model -> recorded answers until the first other call, then the files: costs money
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot import __version__
from bot.action import canonical
from bot.dataclass import dataclass
from bot.gate.policy import Policy
from bot.impact import Impact, Kind, Shard
from bot.replay.batch import Done, Work, done, done_in_threads
from bot.replay.journal import Journal
from bot.replay.policy_work import ComparingWorker, PolicyWork
from bot.replay.result import Tally
from bot.replay.source import File, files_in
from bot.replay.subject import Policies
from bot.replay.voucher import Voucher

if TYPE_CHECKING:
    from bot.replay.again import Ground
    from bot.replay.decision_work import DecisionWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a replay is done, which changes nothing of what comes out.

    `state` is a folder for what is done already, None to keep nothing; `watch` hears of each file. `voucher`
    knows the indexes that can be asked instead of reading a transcript.
    """

    processes: int | None = None
    state: Path | None = None
    watch: Callable[[Done], None] = lambda _: None
    voucher: Voucher | None = None


_USUAL: Final = Manner()


def replay_policy(
    paths: Iterable[Path],
    policies: Policies,
    *,
    shard: Shard | None = None,
    unfinished: bool = False,
    manner: Manner = _USUAL,
) -> Impact:
    """Raises BadConfig for a policy that can't be read. A run that can't be is named in the impact."""
    subject = dict(policies.named())
    if unfinished:
        subject["runs that were killed"] = "are counted as far as they came"
    work = PolicyWork(policies=policies, shard=shard, unfinished=unfinished, voucher=manner.voucher)
    return _replayed("policy", paths, work, subject=subject, shard=shard, manner=manner)


def replay_between(
    paths: Iterable[Path],
    *,
    before: Sequence[Policy],
    after: Sequence[Policy],
    subject: Mapping[str, str],
) -> Impact:
    """The same with policies that are at hand already, and no other process."""
    worker, tally = ComparingWorker(before=before, after=after), Tally()
    for file in files_in(paths):
        tally.add(worker.results(file))
    return tally.impact("policy", dict(subject))


def replay_tools(
    paths: Iterable[Path], ground: "Ground", *, shard: Shard | None = None, manner: Manner = _USUAL
) -> Impact:
    """A run whose commit is not on `ground` is named in the impact, with what to do about it."""
    from bot.replay.tools_work import ToolsWork
    from bot.tools import tools_digest

    subject = {
        "after": f"dryrun-bot {__version__}, tools {tools_digest(ground.tools)[:12]}",
        "before": "the recorded plans",
    }
    work = ToolsWork(ground=ground, shard=shard)
    return _replayed("tools", paths, work, subject=subject, shard=shard, manner=manner)


def replay_decisions(
    paths: Iterable[Path],
    work: "DecisionWork",
    *,
    after: str,
    sample: int | None = None,
    manner: Manner = _USUAL,
) -> Impact:
    """`after` says with what; `sample` is how many runs to take at most. What it cost is in the impact."""
    subject = {"after": after, "before": "the recorded runs"}
    if sample is not None:
        subject["sample"] = f"{sample} runs at most, chosen by their ids"
    files = files_in(paths)
    if sample is not None:
        from bot.replay.sample import sample_of

        files = iter(sample_of(files, sample))
    threads = manner.processes or _AT_ONCE
    results = partial(done_in_threads, work=work, threads=threads)
    return _told("decisions", files, results, subject=subject, shard=work.shard, manner=manner)


def _replayed(
    kind: Kind,
    paths: Iterable[Path],
    work: Work,
    *,
    subject: Mapping[str, str],
    shard: Shard | None,
    manner: Manner,
) -> Impact:
    results = partial(done, work=work, processes=manner.processes)
    return _told(kind, files_in(paths), results, subject=subject, shard=shard, manner=manner)


def _told(
    kind: Kind,
    files: Iterator[File],
    results: Callable[[Iterator[File]], Iterator[Done]],
    *,
    subject: Mapping[str, str],
    shard: Shard | None,
    manner: Manner,
) -> Impact:
    """What was done before an interruption is taken as it is, and the rest is done."""
    tally = Tally()
    key = _key(kind, subject, shard)
    journal = None if manner.state is None else Journal(manner.state / f"{key[:32]}.jsonl", key=key)
    known: list[Done] = []
    todo = files if journal is None else journal.sorted_out(files, known)
    for one in results(todo):
        if journal is not None:
            journal.note(one)
        tally.add(one.results)
        manner.watch(one)
    for one in known:
        tally.add(one.results)
        manner.watch(one)
    if journal is not None:
        journal.forget()
    return tally.impact(kind, dict(subject), shard=shard)


# Most models' servers take so many at once.
_AT_ONCE: Final = 8


def _key(kind: str, subject: Mapping[str, str], shard: Shard | None) -> str:
    part = None if shard is None else [shard.number, shard.of]
    return hashlib.sha256(canonical([__version__, kind, subject, part])).hexdigest()
