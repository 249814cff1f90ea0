"""Trajectories of mini-swe-agent (`.traj.json`): messages, each with the command lines that were run for it.

Version 2 lists them beside the message; version 1 has one fenced block in the text, and ran it if it was one.

Source: mini-swe-agent.com, "Output files".
"""

import re
from typing import Any, Final

from bot.replay.importers.importer import Called, Importer, Run, Unreadable, calls_in, in_shell


def _takes(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    said = value.get("trajectory_format")
    if isinstance(said, str):
        return said.startswith("mini-swe-agent")
    return isinstance(value.get("info"), dict) and "exit_status" in value["info"]


def _run(value: Any) -> Run:  # noqa: ANN401 - any JSON value
    name = value.get("instance_id")
    calls = (_calls(message, number) for number, message in enumerate(value["messages"], 1))
    return Run(
        name=name if isinstance(name, str) else "", calls=tuple(call for of_one in calls for call in of_one)
    )


def _calls(message: object, number: int) -> tuple[Called, ...]:
    where = f"message {number}"
    called = calls_in(message, where=where)
    if called or not isinstance(message, dict) or message["role"] != "assistant":
        return called
    match message.get("extra"):
        case {"actions": list() as actions}:
            return tuple(_action(action, where=where) for action in actions)
        case _:
            pass
    blocks = _BLOCK.findall(message["content"]) if isinstance(message.get("content"), str) else []
    return (in_shell(blocks[0].strip()),) if len(blocks) == 1 else ()


def _action(action: object, *, where: str) -> Called:
    match action:
        case {"command": str() as command}:
            return in_shell(command)
        case _:
            raise Unreadable(f"{where} has an action without a command")


_BLOCK: Final = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n```", re.DOTALL)

MINI_SWE_AGENT: Final = Importer(name="mini-swe-agent trajectory", takes=_takes, run=_run)
