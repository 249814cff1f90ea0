"""The registry: every tool by name. A tool that is not in here can't be asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bot.action import Json, Kind, canonical
from bot.errors import BadTool
from bot.tools.files import DELETE_FILE, EDIT_FILE, READ_FILE, WRITE_FILE
from bot.tools.http_request import HTTP_REQUEST
from bot.tools.patch import APPLY_PATCH
from bot.tools.pull_request import PULL_REQUEST_TOOLS
from bot.tools.search import FIND_FILES, GREP, LIST_FILES, SEARCH_CODE
from bot.tools.shell import READ_OUTPUT, RUN_COMMAND
from bot.verdict import Outcome

if TYPE_CHECKING:
    from bot.gate.policy import Policy
    from bot.tools.tool import Tool

__all__ = ["EVERY_TOOL", "READ_TOOLS", "TOOLS", "WRITE_TOOLS", "offered", "registry", "tools_digest"]


def registry(tools: Iterable[Tool[Any]]) -> Mapping[str, Tool[Any]]:
    """By name, in the order given; raises BadTool for a name that comes twice, if only as models see it."""
    named: dict[str, Tool[Any]] = {}
    offered: set[str] = set()
    for tool in tools:
        if tool.offered_name in offered:
            raise BadTool(
                "Two tools are called %(name)s",
                name=repr(tool.name),
                next_step="rename or leave out one of them",
            )
        named[tool.name] = tool
        offered.add(tool.offered_name)
    return MappingProxyType(named)


def offered(
    tools: Mapping[str, Tool[Any]], policies: Iterable[Policy], *, runs_commands: bool = False
) -> Mapping[str, Tool[Any]]:
    """Those that a model is told of: what the policy denies whatever the arguments only costs tokens.

    So does reading on in the output of a command where none is run.
    """
    every = tuple(policies)
    useless = frozenset() if runs_commands else frozenset({READ_OUTPUT.name})
    return MappingProxyType(
        {
            name: tool
            for name, tool in tools.items()
            if name not in useless and not any(_is_denied(tool, policy) for policy in every)
        }
    )


def _is_denied(tool: Tool[Any], policy: Policy) -> bool:
    if not tool.after_commit:
        return False
    default = policy.defaults.external if tool.kind is Kind.EXTERNAL else policy.defaults.write
    return policy.tools.get(tool.name, default) is Outcome.DENY


def tools_digest(tools: Mapping[str, Tool[Any]]) -> str:
    """64 hex digits over names, kinds, schemas and what is behind them: a plan made with others is stale."""
    rows: list[Json] = [
        {
            "after_commit": tool.after_commit,
            "binding": tool.binding,
            "kind": tool.kind.value,
            "name": name,
            "schema": tool.schema(),
        }
        for name, tool in sorted(tools.items())
    ]
    return hashlib.sha256(canonical(rows)).hexdigest()


TOOLS: Final = registry(
    (
        READ_FILE,
        LIST_FILES,
        FIND_FILES,
        SEARCH_CODE,
        GREP,
        WRITE_FILE,
        EDIT_FILE,
        APPLY_PATCH,
        DELETE_FILE,
        RUN_COMMAND,
    )
)
# With those that need a pull request, the web, or a command that ran.
EVERY_TOOL: Final = registry((*TOOLS.values(), READ_OUTPUT, *PULL_REQUEST_TOOLS, HTTP_REQUEST))
READ_TOOLS: Final = frozenset(name for name, tool in TOOLS.items() if tool.kind is Kind.READ)
WRITE_TOOLS: Final = frozenset(name for name, tool in TOOLS.items() if tool.kind is not Kind.READ)
