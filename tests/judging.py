"""Actions, policies and their verdicts, as the tests of the gate make them."""

from pathlib import Path
from typing import Any

import yaml

from bot.action import Action, Kind
from bot.config import DEFAULT, read_config
from bot.gate import judge
from bot.gate.facts import Earlier, Facts, How, Size, Touch, facts_of
from bot.gate.policy import Policy
from bot.verdict import Verdict
from bot.workspace import Change, Entry, Mode, Reader
from bot.workspace.empty_tree import EMPTY_TREE

CASES = Path(__file__).parent / "cases"
COMMANDS: dict[str, Any] = yaml.safe_load((CASES / "commands.yaml").read_text("utf-8"))
PATHS: dict[str, Any] = yaml.safe_load((CASES / "paths.yaml").read_text("utf-8"))
FILE = ".github/dryrun-bot.yml"
FEW: Policy = DEFAULT.policy


def policy(**sections: object) -> Policy:
    return read_config(yaml.safe_dump({"policy": sections}).encode(), file=FILE).policy


LISTED = policy(commands={"allow": [{"argv": words} for words in COMMANDS["allow"]]})


def change(path: str, after: bytes | None, before: bytes | None = None, mode: Mode = Mode.FILE) -> Change:
    there = Entry(mode=mode, blob="0" * 40)
    return Change(
        path=path,
        before=None if before is None else there,
        after=None if after is None else there,
        content_before=before,
        content_after=after,
    )


def verdict_on_path(
    path: str,
    how: How = How.WRITE,
    *,
    by: Policy = FEW,
    tree: Reader = EMPTY_TREE,
    effects: tuple[Change, ...] = (),
    tool: str = "write_file",
    earlier: Earlier = Earlier(),  # noqa: B008 - frozen
) -> Verdict:
    kind = Kind.READ if how in {How.READ, How.LIST} else Kind.WRITE
    action = Action(tool=tool, kind=kind, arguments={"path": path})
    touches = (Touch(path=path, how=how),)
    facts = facts_of(action, touches=touches, command=None, tree=tree, earlier=earlier, effects=effects)
    return judge(action, facts, by)


def verdict_on_command(
    command: str, by: Policy = LISTED, *, tree: Reader = EMPTY_TREE, wrote: tuple[str, ...] = ()
) -> Verdict:
    action = Action(tool="run_command", kind=Kind.EXTERNAL, arguments={"command": command})
    earlier = Earlier(size=Size(actions=1, files=1), wrote=dict.fromkeys(wrote, (1,)))
    facts = facts_of(action, touches=(), command=command, tree=tree, earlier=earlier)
    return judge(action, facts, by)


def verdict_on(facts: Facts, by: Policy = FEW, tool: str = "tool") -> Verdict:
    return judge(Action(tool=tool, kind=facts.kind, arguments={}), facts, by)


NO_PUSH = policy(defaults={"command": "allow"}, commands={"deny": [{"argv": ["git", "push", "**"]}]})
PYTEST = policy(commands={"allow": [{"argv": ["pytest", "**"]}, {"argv": ["cat", "**"]}, {"argv": ["mine"]}]})
