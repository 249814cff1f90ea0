"""A workspace for a dry run on 100,000 files: an overlay beside a copy of hard links, `cp -al`.

    python benchmarks/workspace.py [--files 100000] [--rounds 5]

Ours is an overlay over the commit, and one file written in it; listing the commit is in neither.
It must take no byte on the disk: the files of the temporary folder are counted.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from monorepo import monorepo
from side_by_side import CACHE, Row, rounds_wanted, run, seconds, told

from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.workspace.overlay import Overlay

GOAL = 0.001


def main() -> int:
    options = rounds_wanted(__doc__)
    options.add_argument("--files", type=int, default=100_000)
    chosen = options.parse_args()
    repository = monorepo(chosen.files)
    ours, peer = [], []
    with (
        tempfile.TemporaryDirectory() as temporary,
        CommitTree(repository.commit, folder=repository.folder, remote=None) as tree,
    ):
        tempfile.tempdir = temporary
        path = list(tree.entries)[len(tree.entries) // 2]
        for _ in range(chosen.rounds):
            copy = CACHE / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            peer.append(seconds(lambda: run(["cp", "-al", str(repository.folder), str(copy)])))  # noqa: B023
            shutil.rmtree(copy)
            ours.append(seconds(lambda: Overlay(tree, Ripgrep()).write(path, b"planned\n")))
        written = [file for file in Path(temporary).rglob("*") if file.is_file()]
    code = told("workspace", [Row(what="a workspace", ours=ours, peer=peer, goal=GOAL)], peer="cp -al")
    print(f"bytes on the disk: {sum(file.stat().st_size for file in written)}")
    return 1 if written else code


if __name__ == "__main__":
    sys.exit(main())
