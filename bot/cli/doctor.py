"""`dryrun-bot doctor`: what is missing here, each with the next step."""

import argparse
import os
from pathlib import Path


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "doctor",
        description="Changes nothing and costs nothing: the model's server is asked for its list of models, "
        "GitHub for what the token in $GITHUB_TOKEN or $GH_TOKEN may do. "
        "Exit code 1: something is missing that all needs.",
    )
    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="default: this folder")
    parser.add_argument("--offline", action="store_true", help="ask no server")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.own_machine.checkup import checkup
    from bot.terminal.surroundings import read_surroundings
    from bot.words.redaction import Redactor
    from bot.words.sanitise import for_log

    is_well, surroundings = True, read_surroundings(os.environ)
    redact = Redactor(surroundings.secrets)
    for check in checkup(arguments.repo, surroundings, is_offline=arguments.offline):
        state = "ok" if check.next_step is None else "MISSING" if check.is_needed else "note"
        print(f"{state:<8} {check.what:<14} {redact(for_log(check.found))}", flush=True)
        if check.next_step is not None:
            print(f"{'':<8} {'':<14} Next: {redact(for_log(check.next_step))}")
            is_well = is_well and not check.is_needed
    return 0 if is_well else 1
