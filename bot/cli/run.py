"""`dryrun-bot run TASK`: an agent on a person's own work tree, rehearsed or live."""

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.cli.parser import add_own_repository, words

if TYPE_CHECKING:
    from bot.config import ChaosRules
    from bot.local_run.report import Format

_SUFFIXES: Final = {
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
}
# With less there is no room for the tools, let alone an answer.
_LEAST_WINDOW: Final = 2_048


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "run",
        description=(
            "Results go to stdout, progress and questions to stderr. Without --dry-run each step is judged, "
            "asked about as --mode says, carried out on a private copy, and written to your files at last, "
            "all of it or nothing. What the policy denies is denied in every mode."
        ),
    )
    parser.add_argument(
        "task", type=words, metavar="TASK", help="the name of a configured task, or free words"
    )
    parser.add_argument("--dry-run", action="store_true", help="change nothing; print the plan")
    parser.add_argument(
        "--mode",
        choices=("confirm-sensitive", "confirm-all", "yolo"),
        default="confirm-sensitive",
        help="live: be asked for what the policy asks about (default), for every change, or for nothing",
    )
    add_own_repository(parser)
    parser.add_argument("--report", choices=("json", "markdown", "html"), help="print a report")
    parser.add_argument(
        "--report-file", type=Path, metavar="FILE", help="write it there; its name may tell the format"
    )
    parser.add_argument("--plan-out", type=Path, metavar="FILE", help="dry run: the record for `apply`")
    parser.add_argument("--transcript-out", type=Path, metavar="FILE", help="everything said and done")
    parser.add_argument("--show-costs", action="store_true", help="tokens and money at the end")
    parser.add_argument("--language", choices=("en", "es"), help="default: your locale's, if it is one")
    _add_model(parser)
    _add_chaos(parser)
    parser.add_argument("--estimate", action="store_true", help="tell the most it can cost, and end")
    parser.set_defaults(run=run)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=words, metavar="NAME", help="default: the configuration's")
    parser.add_argument(
        "--window",
        type=_window,
        metavar="TOKENS",
        help="what an unknown model can see at once",
    )
    parser.add_argument("--base-url", metavar="URL", help="default: $OPENAI_BASE_URL, or OpenAI itself")


def _add_chaos(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--chaos",
        metavar="RATE",
        help="dry run: make this part of all calls fail, 0 to 1, as services and disks fail",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="with --chaos: the same number, the same failures (default 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    from bot.outside.llm import load_ahead
    from bot.own_machine.session import Session, Wanted
    from bot.terminal.question import Mode
    from bot.terminal.surroundings import read_surroundings

    wanted = Wanted(
        task=arguments.task,
        mode=None if arguments.dry_run else Mode(arguments.mode),
        folder=arguments.repo,
        config_file=arguments.config,
        report=_format(arguments),
        report_file=arguments.report_file,
        plan_file=arguments.plan_out,
        transcript_file=arguments.transcript_out,
        with_costs=arguments.show_costs,
        language=arguments.language,
        model=arguments.model,
        base_url=arguments.base_url,
        chaos=_chaos(arguments),
        extended=arguments.extends,
        window=arguments.window,
        with_servers=arguments.mcp,
    )
    _check(arguments)
    if not arguments.estimate:
        # git is asked first what there is, and both take about as long in a large repository.
        load_ahead()
    session = Session.of(wanted, read_surroundings(os.environ))
    return session.estimate() if arguments.estimate else session.run()


def _chaos(arguments: argparse.Namespace) -> "ChaosRules | None":
    from pydantic import ValidationError

    from bot.config import ChaosRules
    from bot.errors import BadUsage

    if arguments.chaos is None:
        if arguments.seed is not None:
            raise BadUsage("--seed is for --chaos", next_step="add --chaos RATE, or leave --seed out")
        return None
    if not arguments.dry_run:
        raise BadUsage("--chaos is for a rehearsal", next_step="add --dry-run, or leave --chaos out")
    try:
        return ChaosRules(rate=arguments.chaos, seed=arguments.seed or 0)
    except ValidationError as error:
        raise BadUsage(
            "--chaos is a number from 0 to 1, and --seed a whole number from 0 on",
            next_step="write, for instance, --chaos 0.2 --seed 7",
        ) from error


def _window(text: str) -> int:
    if not re.fullmatch(r"[0-9]{4,9}", text) or int(text) < _LEAST_WINDOW:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of tokens from {_LEAST_WINDOW:,} on")
    return int(text)


def _format(arguments: argparse.Namespace) -> "Format | None":
    from bot.errors import BadUsage
    from bot.local_run.report import Format

    if arguments.report is not None:
        return Format(arguments.report)
    if arguments.report_file is None:
        return None
    suffix = arguments.report_file.suffix.lower()
    if suffix not in _SUFFIXES:
        raise BadUsage(
            "%(report_file)s: its name doesn't tell the report's format",
            report_file=arguments.report_file,
            next_step="add --report json, markdown or html",
        )
    return Format(_SUFFIXES[suffix])


def _check(arguments: argparse.Namespace) -> None:
    """What can be known to fail is told before a model is paid for."""
    from bot.errors import BadUsage
    from bot.outside.archive import check_asked

    if arguments.plan_out is not None and not arguments.dry_run:
        raise BadUsage("--plan-out is for a plan", next_step="add --dry-run, or leave --plan-out out")
    named = [arguments.report_file, arguments.plan_out, arguments.transcript_out]
    files = [file for file in named if file is not None]
    for file in files:
        check_asked(file)
    if len({os.path.realpath(file) for file in files}) < len(files):
        raise BadUsage("Two outputs have one file", next_step="name a file for each")
