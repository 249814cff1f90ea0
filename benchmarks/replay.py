"""Policy replay of many recorded runs: runs a second and core, memory, and how time grows with the runs.

    python benchmarks/replay.py [--runs 2000] [--steps 30]

Runs are recorded by the product itself (real agent, dispatcher and gate, a scripted model), forty of them;
the rest are those under other numbers, once with the same actions and once with paths and commands of their
own: so what is worked out once is measured, and what is new each time. `cold` is a process that has seen
nothing, `warm` one that has seen the same files before. Both count the seconds that a core worked for it, and
not those in which it worked for others; "all cores" are seconds on the wall.

Fails if warm runs of file actions are fewer than 1,000 a second on one core, or runs full of commands fewer
than 200; if memory passes 300 MB; or if twice the runs take more than 2.5 times as long.
"""

import argparse
import hashlib
import json
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The scripted runs are those of the tests.
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from fakes import ScriptedLlm, call, turn  # noqa: E402
from recorded import POLICY, record  # noqa: E402

from bot.action import Call  # noqa: E402
from bot.flows.replay import Manner, replay_policy  # noqa: E402
from bot.replay.batch import Worker, done  # noqa: E402
from bot.replay.policy_work import PolicyWork  # noqa: E402
from bot.replay.source import files_in  # noqa: E402
from bot.replay.subject import Policies, PolicyFile  # noqa: E402

RECORDED = 40
ALLOWED = {"files": 1_000.0, "commands": 200.0}
MOST_MB = 300
NEXT = POLICY.replace(b'"docs/policies/**"', b'"docs/policies/**", "docs/legal/**"')
POLICIES = Policies(after=PolicyFile(file="next.yml", text=NEXT))


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--runs", type=int, default=2_000)
    options.add_argument("--steps", type=int, default=30)
    chosen = options.parse_args()
    is_slow = False
    print(f"{'':38}{'cold':>12}{'warm':>12}   runs a second on one core")
    for kind in ALLOWED:
        for is_distinct in (False, True):
            with tempfile.TemporaryDirectory(prefix="dryrun-benchmark-") as name:
                folder = Path(name)
                size = recorded(folder, kind, chosen.runs, chosen.steps, is_distinct=is_distinct)
                is_slow |= measured(folder, kind, chosen.runs, size, is_distinct=is_distinct)
    return 1 if is_slow else 0


def measured(folder: Path, kind: str, runs: int, size: int, *, is_distinct: bool) -> bool:
    cold, warm, memory_mb, halves = in_a_process_of_its_own(folder, runs)
    what = f"{kind}, {'each action its own' if is_distinct else 'actions that come again'}"
    print(f"{what:38}{runs / cold:>12,.0f}{runs / warm:>12,.0f}   ({size / 1e6 / runs:.3f} MB a run)")
    ratio = cold / halves
    began = time.perf_counter()
    impact = replay_policy([folder], POLICIES, manner=Manner())
    took = time.perf_counter() - began
    print(
        f"{'':4}{memory_mb:.0f} MB at most; twice the runs take {ratio:.2f} times as long; "
        f"all cores: {runs / took:,.0f} runs a second, {impact.headline}"
    )
    is_slow = not is_distinct and runs / warm < ALLOWED[kind]
    if is_slow:
        print(f"slow: fewer than {ALLOWED[kind]:,.0f} runs a second")
    if memory_mb > MOST_MB:
        print(f"large: more than {MOST_MB} MB")
    if ratio > 2.5:
        print("not linear: twice the runs take more than 2.5 times as long")
    return is_slow or memory_mb > MOST_MB or ratio > 2.5


def in_a_process_of_its_own(folder: Path, runs: int) -> tuple[float, float, float, float]:
    """(Seconds cold, seconds warm, megabytes at most, seconds for half of the runs)."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        half = pool.apply(passes, (folder, runs // 2, 1))[0][0]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (cold, *warm), memory_mb = pool.apply(passes, (folder, runs, 3))
    return cold, min(warm), memory_mb, half


@dataclass(frozen=True)
class Kept:
    """The same worker each time."""

    kept: Worker

    def worker(self) -> Worker:
        return self.kept


def passes(folder: Path, runs: int, number: int) -> tuple[list[float], float]:
    work = Kept(PolicyWork(policies=POLICIES).worker())
    files = sorted(files_in([folder]), key=lambda file: file.name)[:runs]
    took = []
    for _ in range(number):
        began = time.process_time()
        for one in done(files, work, processes=1):
            for result in one.results:
                assert result.refused is None
        took.append(time.process_time() - began)
    return took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def recorded(folder: Path, kind: str, runs: int, steps: int, *, is_distinct: bool) -> int:
    """Bytes in all."""
    with tempfile.TemporaryDirectory(prefix="dryrun-recorded-") as name:
        originals = []
        for seed in range(RECORDED):
            calls = list(calls_of(kind, steps, random.Random(seed)))
            turns = [turn(*calls[at : at + 2]) for at in range(0, steps, 2)]
            record(Path(name), seed, llm=ScriptedLlm(*turns, turn(text="Done.")))
            originals.append((Path(name) / f"transcript-{seed}.jsonl").read_bytes())
    size = 0
    for number in range(runs):
        content = renumbered(originals[number % RECORDED], number, is_distinct=is_distinct)
        (folder / f"transcript-{number:05}.jsonl").write_bytes(content)
        size += len(content)
    return size


def calls_of(kind: str, steps: int, chosen: random.Random) -> Iterator[Call]:
    for _ in range(steps):
        number = chosen.randint(1, 400)
        if kind == "commands":
            yield call("run_command", command=chosen.choice([
                f"pytest -q tests/test_number{number}.py && ruff check src/number{number}",
                f"python -m build --outdir out/number{number}",
                f"git diff --stat HEAD~1 -- src/number{number}.py | head -20",
            ]))  # fmt: skip
        else:
            yield chosen.choice([
                call("read_file", path="README.md"),
                call("write_file", path=f"docs/number{number}.md", content=f"Page {number}\n" * 40),
                call("edit_file", path="README.md", old=f"number{number}", new="x"),
            ])  # fmt: skip


def renumbered(content: bytes, number: int, *, is_distinct: bool) -> bytes:
    """The same run under another number; with paths and commands of its own, if they are to be distinct."""
    after = "0" * 64
    lines: list[bytes] = []
    for line in content.splitlines():
        if is_distinct:
            line = line.replace(b"number", b"number%d-" % number)  # noqa: PLW2901 - the same line
        rest = line[line.index(b",", 70) :]
        if not lines:
            rest = rest.replace(b'"pull_request":', b'"pull_request":1%05d' % number)
        written = b'{"_after":"%b"%b' % (after.encode(), rest)
        json.loads(written)
        after = hashlib.sha256(written).hexdigest()
        lines.append(written)
    return b"\n".join(lines) + b"\n"


if __name__ == "__main__":
    sys.exit(main())
