"""Policy replay of recorded runs, packed with an index, beside a loop that reads the same runs with pydantic.

    python benchmarks/replay_index.py [--runs 1000] [--most 10000] [--steps 30] [--rounds 5]

The peer is what one would write in an afternoon: every line of every transcript through a pydantic model,
every action judged by the same gate, and the outcome compared with the recorded one; it proves no chain. It
reads plain files, which is quicker for it than to unpack them. A second row has the same loop judging nothing
at all. Both begin with nothing known in each round, on one core. Fails if a ratio is above its goal, if ten
times the runs take more than 13 times the work, or 60 MB more than a tenth of them.
"""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from replay import POLICIES, ROOT, recorded
from side_by_side import in_turns, rounds_wanted, told

sys.path[:0] = [str(ROOT)]

from pydantic import BaseModel, ConfigDict  # noqa: E402

from bot.action import Kind  # noqa: E402
from bot.gate import judge  # noqa: E402
from bot.gate.facts import Earlier, facts_after  # noqa: E402
from bot.gate.policy import Policy  # noqa: E402
from bot.noted.look import Look  # noqa: E402
from bot.replay.batch import done  # noqa: E402
from bot.replay.policy_work import PolicyWork  # noqa: E402
from bot.replay.shelf import kept  # noqa: E402
from bot.replay.source import files_in  # noqa: E402
from bot.replay.voucher import Voucher  # noqa: E402
from bot.verdict import Outcome  # noqa: E402

VOUCHER = Voucher(key=b"k" * 32)
GOAL = 0.25
MOST_TIMES = 13.0
MOST_MB = 60.0


class Line(BaseModel):
    model_config = ConfigDict(extra="allow")

    event: str
    look: Look | None = None


def main() -> int:
    options = rounds_wanted(__doc__)
    options.add_argument("--runs", type=int, default=1_000)
    options.add_argument("--most", type=int, default=10_000)
    options.add_argument("--steps", type=int, default=30)
    chosen = options.parse_args()
    rows, is_missed = [], False
    for kind in ("files", "commands"):
        with tempfile.TemporaryDirectory(prefix="dryrun-benchmark-") as name:
            plain, packed = Path(name, "plain"), Path(name, "packed")
            plain.mkdir()
            size = recorded(plain, kind, chosen.runs, chosen.steps, is_distinct=False)
            small = pack(plain, packed)
            print(f"{kind}: {size / chosen.runs:,.0f} bytes a run, {small / chosen.runs:,.0f} packed")
            (policy,) = POLICIES.after.config().policies
            for what, peer in (
                (f"{kind}, and the peer judges", looped(plain, policy)),
                (f"{kind}, and the peer only reads", looped(plain, None)),
            ):
                goal = GOAL if "judges" in what else 1.0
                rows.append(in_turns(what, replayed(packed), peer, goal=goal, rounds=chosen.rounds))
            is_missed |= not grows_evenly(packed, kind, chosen.runs, chosen.most)
    return told(f"policy replay of {chosen.runs:,} runs", rows, peer="a pydantic loop") or int(is_missed)


def pack(plain: Path, packed: Path) -> int:
    for file in files_in([plain]):
        kept(packed / file.name, file.path.read_bytes(), voucher=VOUCHER)
    return sum(file.path.stat().st_size for file in files_in([packed]))


def replayed(folder: Path) -> Callable[[], None]:
    def ours() -> None:
        work = PolicyWork(policies=POLICIES, voucher=VOUCHER)
        results = [result for one in done(files_in([folder]), work, processes=1) for result in one.results]
        assert not any(result.refused or result.change for result in results)

    return ours


def looped(folder: Path, policy: Policy | None) -> Callable[[], None]:
    def peer() -> None:
        for file in files_in([folder]):
            with file.path.open("rb") as stream:
                lines = map(Line.model_validate_json, stream)
                looks = [line.look for line in lines if line.look is not None]
            if policy is not None:
                assert not any(changes(looks, policy))

    return peer


def changes(looks: list[Look], policy: Policy) -> list[bool]:
    found, earlier, steps = [], Earlier(), 0
    for look in looks:
        facts = facts_after(earlier, look.after)
        verdict = judge(look.action, facts, policy)
        if look.kind is not Kind.READ:
            steps += 1
            is_denied = verdict.outcome is Outcome.DENY
            effects = () if is_denied else [effect.path for effect in look.effects]
            earlier = earlier.with_step(steps, facts.size, effects)
        assert look.verdict is not None
        found.append(verdict.outcome is not look.verdict.outcome)
    return found


def grows_evenly(packed: Path, kind: str, runs: int, most: int) -> bool:
    """Ten times the runs in ten times the time, and in the same memory. A run may be met again and again."""
    small, small_mb = in_a_process_of_its_own(packed, runs, runs)
    large, large_mb = in_a_process_of_its_own(packed, runs, most)
    times, more = large / small, most / runs
    print(
        f"{kind}: {most:,} runs take {times:.1f} times the work of {runs:,}, and {large_mb:.0f} MB, not "
        f"{small_mb:.0f} ({most / large:,.0f} runs a second on one core)"
    )
    return times <= MOST_TIMES * more / 10 and large_mb - small_mb <= MOST_MB


def in_a_process_of_its_own(folder: Path, runs: int, wanted: int) -> tuple[float, float]:
    """(Seconds that the core worked, megabytes at most)."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (folder, runs, wanted))


def measured(folder: Path, runs: int, wanted: int) -> tuple[float, float]:
    import resource

    files = list(files_in([folder]))

    def many() -> None:
        every = (files[number % runs] for number in range(wanted))
        for one in done(every, PolicyWork(policies=POLICIES, voucher=VOUCHER), processes=1):
            assert not any(result.refused for result in one.results)

    began = time.process_time()
    many()
    return time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
