"""(Number of files) -> a git repository of about 4.6 kB a file, the same in every run, made once and kept."""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from side_by_side import CACHE, run

WORDS: Final = "return import class value error result index buffer handler config parse token stream".split()
RARE: Final = "unusualneedle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Monorepo:
    folder: Path
    commit: str


def monorepo(files: int) -> Monorepo:
    folder = CACHE / f"monorepo-{files}"
    if not (folder / ".git" / "made").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _make(folder, files)
        (folder / ".git" / "made").touch()
    return Monorepo(folder=folder, commit=run(["git", "rev-parse", "HEAD"], cwd=folder).decode().strip())


def _make(folder: Path, files: int) -> None:
    chance = random.Random(7)
    blocks = [" ".join(chance.choices(WORDS, k=9)) + "\n" for _ in range(2000)]
    for number in range(files):
        path = folder / f"part{number % 50}" / f"module{number % 1000 // 50}" / f"file_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = chance.choices(blocks, k=75)
        if number % 2000 == 0:
            lines[37] = f"handler {RARE}\n"
        path.write_text("".join(lines))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gc.auto=0"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        run([*git, *command], cwd=folder)
