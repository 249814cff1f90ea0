"""`dryrun-bot doctor`: what is missing here, each with the next step."""

import argparse
import os
from pathlib import Path


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "doctor",
        description="Asks no server and changes nothing. Exit code 1: something is missing that all needs.",
    )
    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="default: this folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.own_machine.checkup import checkup
    from bot.terminal.surroundings import read_surroundings
    from bot.words.sanitise import for_log

    is_well = True
    for check in checkup(arguments.repo, read_surroundings(os.environ)):
        state = "ok" if check.next_step is None else "MISSING" if check.is_needed else "note"
        print(f"{state:<8} {check.what:<14} {for_log(check.found)}", flush=True)
        if check.next_step is not None:
            print(f"{'':<8} {'':<14} Next: {for_log(check.next_step)}")
            is_well = is_well and not check.is_needed
    return 0 if is_well else 1
