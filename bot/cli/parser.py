"""The command line as a whole: which commands there are, and what they say of themselves."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final

from bot import CONFIG_PATH, __version__

# Modules of this folder and what they are for, in the order in which people meet them.
_COMMANDS: Final = {
    "run": "an agent on your own work tree: a plan with --dry-run, or live",
    "apply": "carry out a saved plan on your own work tree",
    "render": "show a saved plan",
    "init": "write the workflow and a commented configuration",
    "doctor": "what is missing here, each with the next step",
    "policy": "check the policy file, print its schema, or explain a verdict",
    "replay": "what a new policy, prompt or model would have done to past runs",
    "transcripts": "bring recorded runs from GitHub, list, show, pack them",
    "event": "answer the GitHub event of this workflow run",
    "demo": "the whole story on this machine: no token, no key, no network",
}
_USUAL_COLUMNS: Final = 80


class Parser(argparse.ArgumentParser):
    """Knows the terminal's width by itself: argparse loads every kind of archive to find it out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - argparse's own
        super().__init__(*args, **{"formatter_class": _formatter, **kwargs})

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - argparse's own
        """Help that can't be written is no success: argparse would say nothing of it."""
        if file is sys.stdout:
            file.write(message)
            file.flush()
        else:
            super()._print_message(message, file)


def words(typed: str) -> str:
    """What was typed, as text for a record: what the locale could not read is UTF-8, or else spelled out."""
    try:
        typed.encode()
    except UnicodeEncodeError:
        return os.fsencode(typed).decode("utf-8", "backslashreplace")
    return typed


def number_from(least: int) -> Callable[[str], int]:
    """For an option that is a number; argparse tells whoever wrote something else, and ends with 2."""

    def number(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            found = least - 1
        if found < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} on")
        return found

    return number


def add_own_repository(parser: argparse.ArgumentParser) -> None:
    """The options of what works on a person's own repository, by its committed configuration."""
    # Here, for --help alone needs no paths.
    from pathlib import Path

    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="default: this folder")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help=f"default: {CONFIG_PATH} as committed, if any"
    )
    parser.add_argument(
        "--mcp", action="store_true", help="start the MCP servers that the configuration names"
    )
    parser.add_argument(
        "--extends", type=Path, metavar="FILE", help="a copy of what that extends; default: asked of GitHub"
    )


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=_columns() - 2)


def _columns() -> int:
    """As shutil.get_terminal_size has it."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL_COLUMNS  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return _USUAL_COLUMNS


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """`run` in what it returns does the command. Exits with 2 on bad usage, as argparse does."""
    parser = Parser(
        prog="dryrun-bot",
        description="Terraform's plan and apply, for agents: rehearse, review the exact plan, apply it.",
        epilog="Exit codes: 0 done, 1 could not be done, 2 bad usage or config, 3 refused, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # Whoever has typed one command needn't wait for the others, and whoever typed none for any.
    if chosen := next((word for word in arguments if word in _COMMANDS), None):
        import_module(f"bot.cli.{chosen}").add(commands)
    else:
        for name, purpose in _COMMANDS.items():
            commands.add_parser(name, help=purpose)
    if not arguments:
        parser.print_help(sys.stderr)
        sys.exit(2)
    return parser.parse_args(arguments)
