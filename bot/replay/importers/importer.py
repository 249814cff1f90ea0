"""What every importer does: a JSON value of another program's file -> one run, its calls in order."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from bot.dataclass import dataclass


class Unreadable(Exception):
    """The message ends a sentence that begins with the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A call as a model made it; `arguments` is its raw text. `command` is the command line it would run."""

    tool: str
    arguments: str
    command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """`name` is how its own program calls it, "" if it doesn't."""

    name: str
    calls: tuple[Called, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """`takes` says whether a value has this shape at all; `run` raises Unreadable for one that is broken."""

    name: str
    takes: Callable[[Any], bool]
    run: Callable[[Any], Run]


def calls_in(message: object, *, where: str) -> tuple[Called, ...]:
    """Those of one chat message, in OpenAI's shape; `where` is what to call it in an error."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise Unreadable(f"{where} is no chat message")
    if message["role"] != "assistant":
        return ()
    listed = message.get("tool_calls") or []
    if not isinstance(listed, list):
        raise Unreadable(f"{where} has tool_calls that are no list")
    functions = [call.get("function") if isinstance(call, dict) else None for call in listed]
    # As servers answered until 2023.
    if message.get("function_call"):
        functions.append(message["function_call"])
    return tuple(
        _called(function, where=f"call {number} of {where}") for number, function in enumerate(functions, 1)
    )


def _called(function: object, *, where: str) -> Called:
    match function:
        case {"name": str() as name, "arguments": str() as arguments}:
            return call_of(name, arguments)
        case {"name": str() as name, "arguments": dict() as fields}:
            # Some servers, and so their logs, have the object itself.
            return call_of(name, json.dumps(fields, ensure_ascii=False))
        case _:
            raise Unreadable(f"{where} has no name and arguments")


def call_of(tool: str, arguments: str) -> Called:
    """Under the names that agents give to a shell, the arguments are a command line."""
    return Called(tool=tool, arguments=arguments, command=_command(tool, arguments))


def _command(tool: str, arguments: str) -> str | None:
    if tool not in _SHELLS:
        return None
    try:
        fields = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, Mapping):
        return None
    for name in ("command", "cmd"):
        match fields.get(name):
            case str() as line:
                return line
            case ["bash" | "sh", "-c" | "-lc", str() as line]:
                return line
            case _:
                continue
    return None


def in_shell(line: str) -> Called:
    """A command line, where the other program has no name for what runs it."""
    return Called(
        tool="run_command", arguments=json.dumps({"command": line}, ensure_ascii=False), command=line
    )


_SHELLS = frozenset({"bash", "shell", "sh", "terminal", "execute_bash", "run_shell_command", "local_shell"})
