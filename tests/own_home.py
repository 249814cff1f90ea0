"""A person's own repository in a folder, opened as a run in a terminal opens it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from fakes import FixedClock
from real_git import Executable, Files, Link, committed

from bot.config import read_config
from bot.local_run.home import Home
from bot.own_machine import Opened, open_home
from bot.plan import Step
from bot.terminal.surroundings import Surroundings, read_surroundings

FILES: Files = {
    "README.md": b"# Sample\n\nteh first line\n",
    "old.txt": b"old\n",
    "crlf.txt": b"one\r\ntwo\r\n",
    "run.sh": Executable(b"#!/bin/sh\necho hi\n"),
    "link": Link("README.md"),
    ".gitignore": b"ignored/\n*.pyc\n",
    "docs/guide.md": b"guide\n",
}


def surroundings(folder: Path, **environ: str) -> Surroundings:
    return read_surroundings({"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), **environ})


def opened(folder: Path, *, config: str = "", files: Files = FILES) -> Opened:
    """The repository is in `folder`/repo, with an ignored file and one that isn't committed."""
    root = folder / "repo"
    if not root.exists():
        committed(root, files)
        (root / "ignored").mkdir()
        (root / "ignored/secret.txt").write_text("ignored\n")
        (root / "notes.txt").write_text("not committed\n")
    made = open_home(root, config_file=None, surroundings=surroundings(folder))
    home = replace(made.home, clock=FixedClock())
    if config:
        home = replace(home, config=read_config(config.encode(), file="policy.yml"))
    return replace(made, home=home)


def files_in(root: Path) -> Mapping[str, tuple[int, bytes]]:
    """Everything but git's own, ignored files too, with permissions; of a link its target."""
    return {
        str(one.relative_to(root)): (
            one.lstat().st_mode,
            bytes(one.readlink()) if one.is_symlink() else one.read_bytes(),
        )
        for one in sorted(root.rglob("*"))
        if (one.is_symlink() or one.is_file()) and ".git" not in one.relative_to(root).parts
    }


class Agreeing:
    """A person who agrees to all but some steps, and remembers what they were asked."""

    def __init__(self, *, but: tuple[int, ...] = (), second: bool = True) -> None:
        self.asked: list[Step] = []
        self._but = but
        self._second = second

    def agrees(self, step: Step) -> bool:
        again = any(step.number == one.number for one in self.asked)
        self.asked.append(step)
        return step.number not in self._but and (self._second or not again)


def secrets_of(home: Home) -> list[str]:
    return [path for path in home.tree.entries if home.is_secret(path)]
