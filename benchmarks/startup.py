"""How long until the command line answers, beside a Python that does nothing, in the same run.

    python benchmarks/startup.py [--repeat 21]

Prints the medians, and fails if help takes longer than a multiple of the bare interpreter plus 60 ms.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("dryrun-bot")
BARE = (sys.executable, "-c", "pass")
# What may be how many times the bare interpreter; each may take 60 ms more.
ALLOWED = {("--help",): 2.5, ("run", "--help"): 3.0}
MORE_S = 0.060


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeat", type=int, default=21)
    repeat = options.parse_args().repeat
    if not PROGRAM.exists():
        print(f"{PROGRAM} is not there: install the project first")
        return 2
    commands = {BARE: (BARE), **{words: (str(PROGRAM), *words) for words in ALLOWED}}
    # In turns, so that whatever else the machine does befalls all of them.
    times: dict[Sequence[str], list[float]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            times[name].append(seconds(command))
    bare = statistics.median(times[BARE])
    print(f"{'python -c pass':<24} {bare * 1000:7.1f} ms")
    too_slow = False
    for words, factor in ALLOWED.items():
        took = statistics.median(times[words])
        limit = factor * bare + MORE_S
        too_slow |= took > limit
        name = " ".join(("dryrun-bot", *words))
        print(f"{name:<24} {took * 1000:7.1f} ms  {took / bare:4.1f} x  (at most {limit * 1000:.1f} ms)")
    return 1 if too_slow else 0


def seconds(command: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=os.environ)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
