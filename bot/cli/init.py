"""`dryrun-bot init`: the workflow and a commented configuration, written where they belong."""

import argparse
import sys
from pathlib import Path
from typing import Final

# What is written, and what it starts as: see bot/starter.
_FILES: Final = {
    ".github/workflows/dryrun-bot.yml": "workflow.yml",
    ".github/dryrun-bot.yml": "config.yml",
}


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "init",
        description="A file that is there already is left as it is.",
    )
    parser.add_argument("--yes", action="store_true", help="don't ask before writing")
    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="default: this folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import os
    from importlib.resources import files

    from bot.errors import BadUsage
    from bot.outside.archive import write_whole
    from bot.outside.own_repository import OwnRepository
    from bot.terminal.surroundings import read_surroundings

    root = OwnRepository.opened(arguments.repo, home=read_surroundings(os.environ).home).root
    missing = {path: name for path, name in _FILES.items() if not os.path.lexists(root / path)}
    for path in _FILES.keys() - missing.keys():
        print(f"{path} is there already, and stays as it is.")
    if missing and not arguments.yes and not sys.stdin.isatty():
        raise BadUsage("There is no terminal to ask in", next_step="add --yes to write the files")
    written = 0
    for path, name in missing.items():
        if arguments.yes or _agreed(path):
            write_whole(root / path, (files("bot") / "starter" / name).read_bytes())
            print(f"{path} is written.")
            written += 1
    if written:
        print("Next: look at what was written, commit it to the default branch,")
        print("and add the repository secret OPENAI_API_KEY.")
    return 0


def _agreed(path: str) -> bool:
    print(f"Write {path}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes", "s", "si", "sí"}
