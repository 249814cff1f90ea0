"""`dryrun-bot demo`: the whole story on this machine."""

import argparse
from pathlib import Path


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "demo",
        description="One pull request from event to commit, with an embedded GitHub and a scripted model.",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("demo-output"), help="folder for the page (default: %(default)s)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from tempfile import TemporaryDirectory

    from bot.demo.story import tell

    with TemporaryDirectory(prefix="dryrun-bot-demo-") as scratch:
        return tell(arguments.out, scratch=Path(scratch))
