"""The command line as a whole: which commands there are, and what they say of themselves."""

import argparse
from collections.abc import Sequence

from bot import __version__
from bot.cli import apply, demo, doctor, event, init, policy, render, run


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """`run` in what it returns does the command. Exits with 2 on bad usage, as argparse does."""
    parser = argparse.ArgumentParser(
        prog="dryrun-bot",
        description="Terraform's plan and apply, for agents: rehearse, review the exact plan, apply it.",
        epilog="Exit codes: 0 done, 1 could not be done, 2 bad usage or config, 3 refused, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (run, apply, render, init, doctor, policy, event, demo):
        command.add(commands)
    return parser.parse_args(arguments)
