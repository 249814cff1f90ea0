"""find_files over 100,000 files with planned changes, beside `git ls-files` with the same pattern.

    python benchmarks/listing.py [--files 100000] [--rounds 9]

Ours is the whole call as an agent makes it, proposal, gate and record included. git reads its index anew.
"""

import sys
from collections.abc import Callable

from monorepo import Monorepo, monorepo
from search import searcher
from side_by_side import in_turns, rounds_wanted, run, told

from bot.outside.checkout import CommitTree

# Ours, and git's way to say the same
PATTERNS = {
    "every file": ("*.py", "*.py"),
    "one ending that is nowhere": ("*.toml", "*.toml"),
    "the beginning of a name": ("file_4242*", "*file_4242*"),
    "a folder": ("part7/**/*.py", "part7/*.py"),
    "one file": ("/part1/module0/file_1.py", "part1/module0/file_1.py"),
    "wildcards in the middle": ("module1?/*_11.py", "*module1?/*_11.py"),
}
GOAL = 0.10


def main() -> int:
    options = rounds_wanted(__doc__, usual=9)
    options.add_argument("--files", type=int, default=100_000)
    chosen = options.parse_args()
    repository = monorepo(chosen.files)
    with CommitTree(repository.commit, folder=repository.folder, remote=None) as tree:
        find = searcher(tree, 100, tool="find_files")
        rows = [
            in_turns(
                what,
                _ours(find, pattern),
                _gits(repository, pathspec),
                goal=GOAL,
                rounds=chosen.rounds,
                is_warmed=True,
            )
            for what, (pattern, pathspec) in PATTERNS.items()
        ]
    return told("find_files", rows, peer="git ls-files")


def _ours(find: Callable[[str], str], pattern: str) -> Callable[[], object]:
    return lambda: find(pattern)


def _gits(repository: Monorepo, pathspec: str) -> Callable[[], object]:
    return lambda: run(["git", "ls-files", "--", pathspec], cwd=repository.folder)


if __name__ == "__main__":
    sys.exit(main())
