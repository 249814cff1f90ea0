"""A workspace for a dry run on 100,000 files: an overlay beside a copy of hard links, `cp -al`.

    python benchmarks/workspace.py [--files 100000] [--rounds 5]

Ours is an overlay over the commit, and one file written in it; listing the commit is in neither.
It must take no byte on the disk: the files of the temporary folder are counted.

A second table has the memory that an overlay holds, by tracemalloc, after one line was added to so many
files, beside the bytes of a copy. It grows with what is changed. What grows with the tree is one list of its
paths, made when something is listed for the first time: that is a column of its own.
"""

import json
import shutil
import sys
import tempfile
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

from monorepo import Monorepo, monorepo
from side_by_side import CACHE, Row, rounds_wanted, run, seconds, told

from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.workspace.overlay import Overlay

GOAL = 0.001
SIZES = (1_000, 10_000, 100_000)
CHANGED = (1, 10, 100)


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
    told_memory([monorepo(files) for files in SIZES])
    return 1 if written else code


def told_memory(repositories: Sequence[Monorepo]) -> None:
    # What is imported or made once for all overlays is nobody's growth.
    memory(repositories[0], 1)
    heads = [*(f"{changed} changed" for changed in CHANGED), "list of paths", "a copy"]
    print(f"{'memory of an overlay, in bytes':32}" + "".join(f"{head:>15}" for head in heads))
    rows = []
    for files, repository in zip(SIZES, repositories, strict=True):
        held = [memory(repository, changed) for changed in CHANGED]
        sizes = [*(one for one, _ in held), held[0][1], _bytes_of_a_copy(repository)]
        print(f"{files:>26,} files" + "".join(f"{size:15,}" for size in sizes))
        rows.append({"files": files, **dict(zip(heads, sizes, strict=True))})
    print(json.dumps({"benchmark": "workspace memory", "unit": "bytes", "rows": rows}))


def memory(repository: Monorepo, changed: int) -> tuple[int, int]:
    """Bytes of the changes, and of the list of all paths."""
    with CommitTree(repository.commit, folder=repository.folder, remote=None) as tree:
        paths = list(tree.entries)[:: len(tree.entries) // changed][:changed]
        tree.read(paths[0])
        tracemalloc.start()
        overlay = Overlay(tree, Ripgrep())
        for path in paths:
            overlay.write(path, overlay.read(path) + b"one line more\n")
        of_changes, _ = tracemalloc.get_traced_memory()
        overlay.paths()
        with_list, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        if len(overlay.changes()) != changed:
            raise SystemExit("the files were not changed")
    return of_changes, with_list - of_changes


def _bytes_of_a_copy(repository: Monorepo) -> int:
    listed = run(["git", "ls-tree", "-r", "-l", repository.commit], cwd=repository.folder)
    return sum(int(row.split()[3]) for row in listed.splitlines())


if __name__ == "__main__":
    sys.exit(main())
