"""Searches over a large tree with planned changes: an agent's tool beside `rg --sort path` on the same files.

    python benchmarks/search.py [--files 100000] [--changed 100] [--rounds 5]

Ours is the whole call of search_code as an agent makes it, policy and overlay included, with its cap of 200
hits, on a commit whose every byte is checked. The first search of a run reads the files, later ones need not.
ripgrep gives all its hits, for its cap is one for each file. `most` is the worst of the later searches alone.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from monorepo import RARE, Monorepo, monorepo
from side_by_side import Row, in_turns, rounds_wanted, seconds, told

from bot.action import Call
from bot.dispatcher import Dispatcher
from bot.gate.policy import Policy
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay

RIPGREP = str(Path(sys.executable).parent / "rg")
PATTERNS = {
    "nowhere": "qqzzqqzz",
    "rare": RARE,
    "regular expression": r"handler\s+unusual\w+",
    "a word of every file": "return",
    "alternatives": "qqzz|unusualneedle|zzqq",
    "whole words": r"\bunusualneedle\b",
    "any letters": r"[a-z]+needle$",
}
FIRST, LATER, WORST = 1.25, 0.25, 1.0


class Unwritten(Transcript):
    def note(self, event: str, **facts: object) -> None:
        """Nothing."""


def main() -> int:
    options = rounds_wanted(__doc__)
    options.add_argument("--files", type=int, default=100_000)
    options.add_argument("--changed", type=int, default=100)
    chosen = options.parse_args()
    repository = monorepo(chosen.files)
    rows = [first(repository, chosen.changed, chosen.rounds)]
    with CommitTree(repository.commit, folder=repository.folder, remote=None) as tree:
        search = searcher(tree, chosen.changed)
        search(RARE)
        later = [
            in_turns(
                f"later: {what}",
                lambda pattern=pattern: search(pattern),  # type: ignore[misc]
                lambda pattern=pattern: ripgrep(repository, pattern),  # type: ignore[misc]
                goal=WORST,
                rounds=chosen.rounds,
            )
            for what, pattern in PATTERNS.items()
        ]
    every = Row(
        what="later searches, all seven",
        ours=[sum(times) for times in zip(*(row.ours for row in later), strict=True)],
        peer=[sum(times) for times in zip(*(row.peer for row in later), strict=True)],
        goal=LATER,
    )
    return told("search", [*rows, every, *later], peer="rg --sort path")


def first(repository: Monorepo, changed: int, rounds: int) -> Row:
    """The listing of the tree is there before a model can ask for anything, and is no part of a search."""
    ours, peer = [], []
    for _ in range(rounds):
        with CommitTree(repository.commit, folder=repository.folder, remote=None) as tree:
            search = searcher(tree, changed)
            ours.append(seconds(lambda: search(RARE)))  # noqa: B023 - called at once
        peer.append(seconds(lambda: ripgrep(repository, RARE)))
    return Row(what="first search", ours=ours, peer=peer, goal=FIRST)


def searcher(tree: CommitTree, changed: int, *, tool: str = "search_code") -> Callable[[str], str]:
    overlay = Overlay(tree, Ripgrep())
    paths = overlay.paths()
    for path in paths[:: max(1, len(paths) // changed)][:changed]:
        overlay.write(path, f"a planned line in {path}\nhandler unusualchange\n".encode() * 20)
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS, overlay=overlay, policies=[Policy()], transcript=Unwritten(file=Path("none"))
    )

    def search(pattern: str) -> str:
        said = dispatcher.dispatch(Call(id="c", tool=tool, arguments=json.dumps({"pattern": pattern})))
        return str(said)

    return search


def ripgrep(repository: Monorepo, pattern: str) -> None:
    command = [RIPGREP, "--no-config", "--hidden", "--no-ignore", "--glob", "!.git", "--sort", "path"]
    command += ["--line-number", "--", pattern, "."]
    subprocess.run(command, cwd=repository.folder, check=False, stdout=subprocess.PIPE)


if __name__ == "__main__":
    sys.exit(main())
