"""`dryrun-bot policy`: check the file, print its schema, explain the verdict on any action."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot import CONFIG_PATH

if TYPE_CHECKING:
    from bot.config import Config
    from bot.explanation import Explanation
    from bot.workspace import Tree

_EXTENDS: Final = "a copy of what that extends; default: asked of GitHub, with GITHUB_TOKEN"


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("policy")
    choices = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    check = choices.add_parser(
        "check",
        help="read the file and look for rules that don't do what they seem to",
        description="Exit code 0: nothing found; 2: it can't be used, or something in it should change.",
    )
    check.add_argument("file", nargs="?", type=Path, default=Path(CONFIG_PATH), metavar="FILE")
    check.add_argument("--extends", type=Path, metavar="FILE", help=_EXTENDS)
    check.set_defaults(run=_check)

    schema = choices.add_parser("schema", help="print the JSON Schema of the file")
    schema.set_defaults(run=_schema)

    explain = choices.add_parser(
        "explain",
        help="print the verdict on an action, why, and the facts used",
        description=(
            "TOOL - reads JSON lines {tool, arguments} and prints one JSON line for each. Nothing is "
            "performed. The exit code is 0 whatever the verdict."
        ),
    )
    explain.add_argument("tool", metavar="TOOL", help="a tool's name, or - for JSON lines on stdin")
    explain.add_argument("arguments", nargs="?", default="{}", metavar="JSON", help="the tool's arguments")
    explain.add_argument("--config", type=Path, metavar="FILE", help=f"default: {CONFIG_PATH}, if any")
    explain.add_argument("--extends", type=Path, metavar="FILE", help=_EXTENDS)
    explain.add_argument("--repo", type=Path, metavar="DIR", help="the repository, for links and files")
    explain.add_argument("--json", action="store_true", help="print JSON")
    explain.set_defaults(run=_explain)


def _check(arguments: argparse.Namespace) -> int:
    from bot.config.policy_lint import findings_in
    from bot.foreign.plugins import known_tools
    from bot.words.sanitise import for_log

    config = _config_in(arguments.file, arguments.extends)
    findings = findings_in(config, tools=known_tools())
    for finding in findings:
        print(f"{for_log(finding.source)}: {for_log(finding.what)}. {for_log(finding.next_step)}.")
    if findings:
        return 2
    print(f"{arguments.file}: nothing to find fault with. Policy digest {config.policy_digest}")
    return 0


def _schema(_: argparse.Namespace) -> int:
    from bot.config.config_schema import schema_text

    sys.stdout.write(schema_text())
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    config, tree = _config_for(arguments), _tree_in(arguments.repo)
    if arguments.tool == "-":
        for line in sys.stdin:
            if line.strip():
                print(json.dumps(_explained_line(line, config, tree), ensure_ascii=False), flush=True)
        return 0
    explanation = _explanation(arguments.tool, arguments.arguments, config, tree)
    if arguments.json:
        print(json.dumps(explanation.to_json(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(_spelled(explanation)))
    return 0


def _explained_line(line: str, config: "Config", tree: "Tree") -> Mapping[str, object]:
    try:
        call = json.loads(line)
    except (ValueError, RecursionError):
        call = None
    match call:
        case {"tool": str() as tool, "arguments": dict() as arguments, **rest} if not rest:
            return _explanation(tool, json.dumps(arguments), config, tree).to_json()
        case _:
            # An answer for each line, so that whoever counts them loses none.
            return _explanation("", line, config, tree).to_json()


def _explanation(tool: str, arguments: str, config: "Config", tree: "Tree") -> "Explanation":
    from bot.explanation import explain
    from bot.outside.search import Ripgrep

    return explain(tool, arguments, tree=tree, searcher=Ripgrep(), policies=config.policies)


def _spelled(explanation: "Explanation") -> Iterator[str]:
    from bot.explanation import facts_to_json
    from bot.words.sanitise import for_log

    verdict = explanation.verdict
    yield f"{verdict.outcome.value}: {for_log(verdict.reason)}"
    yield f"  rule    {verdict.rule}"
    yield f"  source  {for_log(verdict.source)}"
    if explanation.error:
        yield f"  error   {for_log(explanation.error)}"
    for name, value in facts_to_json(explanation.facts).items():
        yield f"  {name:<14} {for_log(json.dumps(value, ensure_ascii=False))}"


def _config_for(arguments: argparse.Namespace) -> "Config":
    from bot.config import DEFAULT

    if arguments.config is not None:
        return _config_in(arguments.config, arguments.extends)
    file = (arguments.repo or Path()) / CONFIG_PATH
    return _config_in(file, arguments.extends) if file.exists() else DEFAULT


def _config_in(file: Path, copy: Path | None) -> "Config":
    """`copy` is one of what it extends; where neither that nor a token is there, that is said."""
    from bot.config import read_config
    from bot.errors import BadUsage

    try:
        text = file.read_bytes()
    except OSError as error:
        raise BadUsage(
            "%(file)s can't be read: %(why)s",
            file=file,
            why=error.strerror,
            next_step="name the file, or run `dryrun-bot init`",
        ) from error
    own = read_config(text, file=str(file))
    if own.extends is None:
        return own

    import os

    from bot.own_machine.extended import read_own_config
    from bot.terminal.surroundings import read_surroundings

    surroundings = read_surroundings(os.environ)
    if copy is not None or surroundings.github_token is not None:
        return read_own_config(text, file=str(file), copy=copy, surroundings=surroundings)
    print(f"{file} extends {own.extends}, which is not read here and may be stricter.", file=sys.stderr)
    print("  Next: set GITHUB_TOKEN, or give a copy of it with --extends FILE", file=sys.stderr)
    return own


def _tree_in(folder: Path | None) -> "Tree":
    from bot.workspace.empty_tree import EMPTY_TREE

    here = (folder or Path()).resolve()
    if any((parent / ".git").exists() for parent in (here, *here.parents)):
        from bot.outside.work_tree import WorkTree

        return WorkTree(here)
    if folder is None:
        return EMPTY_TREE
    from bot.outside.plain_folder import PlainFolder

    return PlainFolder(here)
