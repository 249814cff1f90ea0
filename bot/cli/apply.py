"""`dryrun-bot apply PLAN.json`: a saved plan becomes changes to your own files, exactly that or nothing."""

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.parser import add_own_repository

if TYPE_CHECKING:
    from bot.command import Approval


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "apply",
        description=(
            "Everything is checked again first: commit, files, policy, tools, age, every step's verdict and "
            "effect. Exit code 3: refused, and nothing was changed. No model is asked."
        ),
    )
    parser.add_argument("plan", type=Path, metavar="PLAN.json", help="what --plan-out wrote")
    parser.add_argument(
        "--approve", type=_approval, metavar="2,4|all", help="the steps that ask, by number, or all of them"
    )
    add_own_repository(parser)
    parser.add_argument("--language", choices=("en", "es"), help="default: your locale's, if it is one")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.command import Approval
    from bot.own_machine.application import apply_here
    from bot.terminal.surroundings import read_surroundings

    return apply_here(
        arguments.plan,
        approval=arguments.approve or Approval(),
        folder=arguments.repo,
        config_file=arguments.config,
        extended=arguments.extends,
        with_mcp=arguments.mcp,
        language=arguments.language,
        surroundings=read_surroundings(os.environ),
    )


def _approval(text: str) -> "Approval":
    from bot.command import Approval

    if text.strip().lower() == "all":
        return Approval(everything=True)
    if not re.fullmatch(r"[0-9]{1,6}(\s*,\s*[0-9]{1,6})*", text.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is neither numbers, as in 2,4, nor all")
    return Approval(steps=frozenset(int(number) for number in text.split(",")))
