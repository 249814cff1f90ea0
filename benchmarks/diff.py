"""The diff of two texts as a plan shows it, beside one `git diff --no-index` of the same two files.

    python benchmarks/diff.py [--rounds 5]

The texts are what makes a diff slow: many lines, few of them changed or none the same, moved, doubled, in
another order. `difflib` on 40,000 lines with three edits took 12.5 s where this takes hundredths.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from side_by_side import in_turns, rounds_wanted, told

from bot.workspace import Change, Entry, Mode, blob_sha
from bot.workspace.diff import file_diff

GOAL = 1.5


def texts() -> dict[str, tuple[list[str], list[str]]]:
    chance = random.Random(11)
    words = [f"value = {number}" for number in range(200)]
    lines = [chance.choice(words) + f" # {number}" for number in range(100_000)]
    few = list(lines)
    for at in (10, 50_000, 99_990):
        few[at] = "changed"
    shuffled = list(lines[:40_000])
    chance.shuffle(shuffled)
    doubled = [chance.choice("abc") for _ in range(20_000)]
    again = [chance.choice("abc") for _ in range(20_000)]
    return {
        "10 lines, one edit": (lines[:10], [*lines[:5], "x", *lines[6:10]]),
        "1,000 lines, one edit": (lines[:1000], [*lines[:500], "x", *lines[501:1000]]),
        "100,000 lines, three edits": (lines, few),
        "100,000 lines, every tenth changed": (
            lines,
            [line + "!" if at % 10 == 0 else line for at, line in enumerate(lines)],
        ),
        "100,000 lines, nothing the same": (lines, [line + "!" for line in lines]),
        "100,000 lines, halves swapped": (lines, lines[50_000:] + lines[:50_000]),
        "40,000 lines in another order": (lines[:40_000], shuffled),
        "20,000 lines of three words": (doubled, again),
        "100,000 lines, made": ([], lines),
        "100,000 equal lines and one more": (
            ["same"] * 100_000,
            ["same"] * 50_000 + ["new"] + ["same"] * 50_000,
        ),
    }


def main() -> int:
    rounds = rounds_wanted(__doc__).parse_args().rounds
    rows = []
    with tempfile.TemporaryDirectory(prefix="dryrun-benchmark-") as name:
        folder = Path(name)
        for what, (before, after) in texts().items():
            old, new = ("".join(f"{line}\n" for line in side).encode() for side in (before, after))
            (folder / "a").write_bytes(old)
            (folder / "b").write_bytes(new)
            rows.append(in_turns(what, ours(old, new), peers(folder), goal=GOAL, rounds=rounds))
    return told("diff", rows, peer="git diff --no-index")


def ours(old: bytes, new: bytes) -> Callable[[], object]:
    change = Change(
        path="file",
        before=Entry(mode=Mode.FILE, blob=blob_sha(old)),
        after=Entry(mode=Mode.FILE, blob=blob_sha(new)),
        content_before=old,
        content_after=new,
    )
    return lambda: file_diff(change)


def peers(folder: Path) -> Callable[[], object]:
    command = ["git", "diff", "--no-index", "--no-color", "a", "b"]
    return lambda: subprocess.run(command, cwd=folder, check=False, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
