"""What the program and action.yml say of themselves, as the reference pages of docs/ have it."""

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import yaml

from bot.cli.parser import _COMMANDS, Parser

ROOT = Path(__file__).parent.parent
COMMANDS_HEAD = """\
# Commands and exit codes

Every command and option, as the program has them: a test compares. Results are on stdout, progress and
questions on stderr. On pull requests people type comments instead: `/help` lists them.

| exit code | meaning |
|--:|:--|
| 0 | done |
| 1 | could not be done, or not to the end |
| 2 | bad usage, or a configuration that can't be used |
| 3 | refused: by the policy, by authority, or because a plan is stale |
| 130 | interrupted |
| 129, 143 | the same, by a terminal that was closed, or by SIGTERM |
"""
ACTION_HEAD = """\
# The action's inputs and outputs

As action.yml has them: a test compares. The workflows that use them are in [workflow.md](workflow.md), the
reason codes in [reason-codes.md](reason-codes.md).

The output folder (`$RUNNER_TEMP/dryrun-bot/`) is kept as an artifact, `dryrun-plan-...` with the plan's
digest, or `dryrun-transcript-...` without a plan: the plan's record, and everything that was said and done.
"""


def parsers() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Each command as it is typed, what it is for, and its own parser."""
    top = Parser(prog="dryrun-bot").add_subparsers()
    for name, purpose in _COMMANDS.items():
        import_module(f"bot.cli.{name}").add(top)
        yield from _below(f"dryrun-bot {name}", purpose, top.choices[name])


def _below(
    name: str, purpose: str, parser: argparse.ArgumentParser
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    branches = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not branches:
        yield name, purpose, parser
    for branch in branches:
        helps = {one.dest: one.help or "" for one in branch._choices_actions}
        for word, below in branch.choices.items():
            yield from _below(f"{name} {word}", helps[word], below)


def commands_page() -> str:
    parts = [COMMANDS_HEAD]
    for name, purpose, parser in parsers():
        parts.append(f"\n## `{name}`\n\n{purpose[:1].upper()}{purpose[1:].rstrip('.')}.\n")
        rows = [_row(one) for one in parser._actions if not isinstance(one, argparse._HelpAction)]
        if rows:
            parts.append("\n| | |\n|:--|:--|\n" + "".join(rows))
    return "".join(parts)


def _row(action: argparse.Action) -> str:
    value = str(action.metavar or action.dest.upper())
    if action.choices is not None and not action.metavar:
        value = "/".join(map(str, action.choices))
    words = list(action.option_strings) or [value]
    if action.option_strings and action.nargs != 0:
        words[-1] += f" {value}"
    told = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    return f"| `{_cell(', '.join(words))}` | {_cell(told)} |\n"


def action_page() -> str:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    parts = [ACTION_HEAD, "\n## Inputs\n\n| input | default | |\n|:--|:--|:--|\n"]
    for name, one in action["inputs"].items():
        default = str(one.get("default", ""))
        parts.append(
            f"| `{name}` | {f'`{_cell(default)}`' if default else ''} | {_cell(one['description'])} |\n"
        )
    parts.append("\n## Outputs\n\n| output | |\n|:--|:--|\n")
    parts += [f"| `{name}` | {_cell(one['description'])} |\n" for name, one in action["outputs"].items()]
    return "".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
