"""Work of ours and of a peer's -> a table with ratios, and one JSON line. What every benchmark here shares.

Both run in turns in one run, so that whatever else the machine does befalls both alike; the median of all
rounds counts. Peers live in environments of their own, under a cache folder, and are installed once.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CACHE: Final = Path(
    os.environ.get("DRYRUN_BENCHMARKS")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dryrun-bot" / "benchmarks"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Seconds of every round, or counts. `goal` is the most that the ratio of the medians may be."""

    what: str
    ours: Sequence[float]
    peer: Sequence[float]
    goal: float

    @property
    def ratio(self) -> float:
        return statistics.median(self.ours) / statistics.median(self.peer)

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.goal


def rounds_wanted(description: str | None, *, usual: int = 5) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rounds", type=int, default=usual)
    return options


def in_turns(
    what: str,
    ours: Callable[[], object],
    peer: Callable[[], object],
    *,
    goal: float,
    rounds: int,
    is_warmed: bool = False,
) -> Row:
    if is_warmed:
        ours()
        peer()
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for times, work in zip(took, (ours, peer), strict=True):
            times.append(seconds(work))
    return Row(what=what, ours=took[0], peer=took[1], goal=goal)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def told(benchmark: str, rows: Sequence[Row], *, peer: str, unit: str = "ms") -> int:
    """The exit code: 1 if a goal is missed."""
    scale = {"ms": 1e3, "us": 1e6}.get(unit, 1.0)
    print(f"{benchmark:46}{'ours':>16}{peer:>24}{'ratio':>10}{'at most':>9}")
    for row in rows:
        ours, peers = (_with_spread(times, scale, unit) for times in (row.ours, row.peer))
        mark = "" if row.is_met else "   MISSED"
        print(f"{row.what:46}{ours:>16}{peers:>24}{row.ratio:10.4f}{row.goal:9g}{mark}")
    line = {
        "benchmark": benchmark,
        "peer": peer,
        "rows": [
            {
                "what": row.what,
                "ours": statistics.median(row.ours),
                "peer": statistics.median(row.peer),
                "ratio": round(row.ratio, 5),
                "goal": row.goal,
                "met": row.is_met,
                "rounds": len(row.ours),
            }
            for row in rows
        ],
    }
    print(json.dumps(line))
    return 0 if all(row.is_met for row in rows) else 1


def _with_spread(times: Sequence[float], scale: float, unit: str) -> str:
    """The median, and how much slower than the fastest the slowest round was."""
    spread = max(times) / min(times) if min(times) else 1.0
    return f"{statistics.median(times) * scale:,.1f} {unit} ±{(spread - 1) * 50:.0f}%"


def run(command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> bytes:
    """What it printed. Raises when it fails: a time of what did not work means nothing."""
    done = subprocess.run(command, cwd=cwd, env=env, check=False, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def peer_python(name: str, *packages: str, options: Sequence[str] = ()) -> Path:
    """The interpreter of an environment with exactly these packages; made when it isn't there."""
    folder = CACHE / "peers" / name
    python, note = folder / "bin" / "python", folder / "packages.txt"
    wanted = "\n".join(packages)
    if not note.exists() or note.read_text() != wanted:
        print(f"installing {', '.join(packages)} into {folder} ...", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*pip, *options, *packages])
        note.write_text(wanted)
    return python
