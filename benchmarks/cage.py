"""What the cage costs: a command beside a plain subprocess, and the copy for rehearsals beside git's own.

Prints both, measured in the same run, and exits with 1 where a bound is missed:
25 ms a command; the first copy of 100,000 files 1.2 times `git checkout-index -a`, a later one 0.1 of that.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bot.outside.checkout import CommitTree, materialise
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.workspace.copied import CopiedTree
from bot.workspace.overlay import Overlay
from bot.workspace.private_folder import private_folder

MOST_MS, MOST_FIRST, MOST_LATER = 25.0, 1.2, 0.1
SIZES = (200, 800, 2_000, 4_000, 8_000, 12_000)


def median_ms(work: Callable[[], object], times: int) -> float:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def overhead_ms(times: int) -> float:
    shell = LandlockShell()
    plain = ["/bin/bash", "--noprofile", "--norc", "-c", "true"]
    with shell.folder() as folder:
        caged = median_ms(lambda: shell.run("true", folder=folder, timeout_s=20), times)
        bare = median_ms(lambda: subprocess.run(plain, cwd=folder, capture_output=True, check=True), times)
    print(f"a command: {caged:.1f} ms in the cage, {bare:.1f} ms as a plain subprocess")
    return caged - bare


def repository(folder: Path, files: int) -> str:
    """A repository of so many files of usual sizes in some thousand folders; the commit's name."""
    chance = random.Random(10)
    words = [f"{chance.getrandbits(40):x} " for _ in range(2_000)]
    git = ["git", "-C", str(folder)]
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    with subprocess.Popen([*git, "fast-import", "--quiet"], stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None
        importing.stdin.write(b"commit refs/heads/main\ncommitter a <a@b.c> 1700000000 +0000\ndata 1\nx\n")
        for number in range(files):
            text = "".join(chance.choices(words, k=chance.choice(SIZES) // 11)) + f"{number}\n"
            head = f"M 100644 inline d{number % 97}/e{number % 31}/f{number}.txt\ndata {len(text)}\n"
            importing.stdin.write(f"{head}{text}\n".encode())
    subprocess.run([*git, "read-tree", "main"], check=True)
    return subprocess.run(
        [*git, "rev-parse", "main"], capture_output=True, check=True, text=True
    ).stdout.strip()


def copies(base: Path, files: int) -> tuple[float, float]:
    """The first copy as a multiple of git's, and a later one as a part of it."""
    source = base / "source"
    commit = repository(source, files)
    by_git, by_us = [], []
    for number in range(3):
        began = time.perf_counter()
        target = f"--prefix={base}/git-{number}/"
        subprocess.run(["git", "-C", str(source), "checkout-index", "-a", target], check=True)
        by_git.append(time.perf_counter() - began)
        began = time.perf_counter()
        with CommitTree(commit, folder=source, remote=None) as tree:
            copy = CopiedTree(base / f"ours-{number}", tree, materialise=materialise)
            overlay = Overlay(tree, Ripgrep())
            copy.follow(overlay)
            by_us.append(time.perf_counter() - began)
    again = []
    for _ in range(3):
        (copy.folder / "new.txt").write_text("x")
        began = time.perf_counter()
        assert [one.path for one in copy.changed(overlay)] == ["new.txt"]
        copy.restore(overlay)
        again.append(time.perf_counter() - began)
    git, ours, later = min(by_git), min(by_us), min(again)
    print(
        f"{files} files: git checkout-index {git:.2f} s, first copy {ours:.2f} s, a later one {later:.2f} s"
    )
    return ours / git, later / git


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--files", type=int, default=100_000)
    given = parser.parse_args()
    overhead = overhead_ms(given.times)
    with private_folder() as base:
        first, later = copies(base, given.files)
    rows = (
        ("overhead in ms", overhead, MOST_MS),
        ("first copy", first, MOST_FIRST),
        ("later", later, MOST_LATER),
    )
    for name, found, most in rows:
        print(f"{'ok' if found <= most else 'MISSED'}: {name} {found:.2f} (at most {most})")
    return 0 if all(found <= most for _, found, most in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
