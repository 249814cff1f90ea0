"""`dryrun-bot render PLAN.json`: a saved plan for people to read."""

import argparse
import sys
from pathlib import Path


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "render",
        description="Markdown on stdout, as in the job summary; or one page that loads nothing.",
    )
    parser.add_argument("plan", type=Path, metavar="PLAN.json", help="a plan record")
    parser.add_argument("--html", action="store_true", help="a page instead of Markdown")
    parser.add_argument("--language", choices=("en", "es"), default="en", help="default: en")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.plan.saved import plan_in

    plan = plan_in(arguments.plan)
    if arguments.html:
        from bot.render.html import page

        shown = page(plan, language=arguments.language)
    else:
        from bot.render.plan import plan_summary

        shown = plan_summary(plan, language=arguments.language).body
    sys.stdout.buffer.write(shown.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
    return 0
