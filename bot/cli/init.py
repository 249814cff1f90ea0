"""`dryrun-bot init`: the workflow and a commented configuration, written where they belong."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bot.own_machine.first_files import Wanted

# Copies of what first_files has, so that --help costs no import; a test compares them.
RECIPES: Final = ("docs-only", "test-writer", "dependencies", "code-mods")
WORKFLOWS: Final = ("four-jobs", "one-job")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "init",
        description="Asks three questions, each of which a flag answers as well. "
        "A file that is there already is left as it is.",
    )
    parser.add_argument(
        "--recipe", choices=(*RECIPES, "none"), help="what the agent is for (none: no task yet)"
    )
    parser.add_argument("--model", metavar="NAME", help="the model that acts and advises")
    parser.add_argument(
        "--base-url", metavar="URL", help="of an OpenAI-compatible server; default: OpenAI's own"
    )
    parser.add_argument("--workflow", choices=WORKFLOWS, help="default: four-jobs")
    parser.add_argument("--yes", action="store_true", help="take the default of whatever no flag answers")
    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="default: this folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import os

    from bot.errors import BadUsage
    from bot.outside.archive import write_whole
    from bot.outside.own_repository import OwnRepository
    from bot.own_machine.first_files import first_files
    from bot.terminal.surroundings import read_surroundings

    root = OwnRepository.opened(arguments.repo, home=read_surroundings(os.environ).home).root
    if not arguments.yes and not sys.stdin.isatty():
        raise BadUsage("There is no terminal to ask in", next_step="add --yes to write the files")
    wanted = _wanted(arguments)
    if wanted is None:
        print("Nothing is written.")
        return 0
    written = []
    for path, text in first_files(wanted).items():
        # lexists: a link that leads nowhere is somebody's as well.
        if os.path.lexists(root / path):
            print(f"{path} is there already, and stays as it is.")
        else:
            write_whole(root / path, text.encode())
            print(f"{path} is written.")
            written.append(path)
    if written:
        _say_what_next(written, wanted)
    return 0


def _wanted(arguments: argparse.Namespace) -> "Wanted | None":
    """From the flags, and where they say nothing from whoever sits here; None if they leave."""
    from bot.own_machine import first_files

    recipe, model, base_url = arguments.recipe, arguments.model, arguments.base_url
    workflow = arguments.workflow
    try:
        if recipe is None and not arguments.yes:
            recipe = _chosen(
                "What shall the agent do?",
                [*first_files.RECIPES.items(), ("none", "nothing yet; show every setting as a comment")],
                default="none",
            )
        if model is None and base_url is None and not arguments.yes:
            said = _said("Which model? Enter for gpt-5.4-mini at OpenAI, else NAME, or NAME at URL")
            name, _, url = said.partition(" at ")
            model, base_url = name.strip() or None, url.strip() or None
        if workflow is None and not arguments.yes:
            workflow = _chosen("Which workflow?", list(first_files.WORKFLOWS.items()), default="four-jobs")
    except EOFError:
        return None
    return first_files.Wanted(
        recipe=None if recipe in {None, "none"} else recipe,
        workflow=workflow or "four-jobs",
        model=model,
        base_url=base_url,
    )


def _chosen(question: str, choices: Sequence[tuple[str, str]], *, default: str) -> str:
    """By number or by name. Raises EOFError for whoever leaves."""
    names = [name for name, _ in choices]
    lines = [f"  {number} {name:<13} {what}" for number, (name, what) in enumerate(choices, start=1)]
    print("\n".join([question, *lines]), file=sys.stderr)
    while True:
        said = _said(f"1 to {len(names)}, or Enter for {default}").casefold() or default
        if said in names:
            return said
        if said.isdecimal() and 1 <= int(said) <= len(names):
            return names[int(said) - 1]


def _said(question: str) -> str:
    print(f"{question} ([q]uit): ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line or line.strip().casefold() == "q":
        raise EOFError
    return line.strip()


def _say_what_next(written: Sequence[str], wanted: "Wanted") -> None:
    if wanted.base_url is None:
        key = "Add the repository secret OPENAI_API_KEY: Settings, Secrets and variables, Actions."
    else:
        key = f"If {wanted.base_url} asks for a key, make it the repository secret OPENAI_API_KEY."
    if wanted.recipe is None:
        begin = "Comment `/plan` and what you want on a pull request."
    else:
        begin = "Open a pull request, or comment `/plan` on one that is open."
    steps = (
        "Read what was written; every line of it says what it is for.",
        f"git add {' '.join(written)}, commit, and push it to the default branch.",
        key,
        "Run `dryrun-bot doctor`: it says what is still missing.",
        begin,
    )
    print("\nNext:")
    for number, step in enumerate(steps, start=1):
        print(f"  {number}. {step}")
