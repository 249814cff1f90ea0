"""The command line as a whole: which commands there are, and what they say of themselves."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from bot import __version__

# Modules of this folder, in the order in which people meet them.
_COMMANDS: Final = (
    "run",
    "apply",
    "render",
    "init",
    "doctor",
    "policy",
    "replay",
    "transcripts",
    "event",
    "demo",
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """`run` in what it returns does the command. Exits with 2 on bad usage, as argparse does."""
    parser = argparse.ArgumentParser(
        prog="dryrun-bot",
        description="Terraform's plan and apply, for agents: rehearse, review the exact plan, apply it.",
        epilog="Exit codes: 0 done, 1 could not be done, 2 bad usage or config, 3 refused, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # Whoever has typed one command needn't wait for the others.
    for name in [arguments[0]] if arguments and arguments[0] in _COMMANDS else _COMMANDS:
        import_module(f"bot.cli.{name}").add(commands)
    return parser.parse_args(arguments)
