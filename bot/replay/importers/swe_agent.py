"""Trajectories of SWE-agent (`.traj`): steps, each with the command line that its model wrote.

Source: swe-agent.com, "Output files".
"""

from typing import Any, Final

from bot.replay.importers.importer import Called, Importer, Run, Unreadable, in_shell


def _takes(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return isinstance(value, dict) and isinstance(value.get("trajectory"), list)


def _run(value: Any) -> Run:  # noqa: ANN401 - any JSON value
    name = value.get("instance_id") or value.get("environment")
    steps = (_called(step, number) for number, step in enumerate(value["trajectory"], 1))
    return Run(name=name if isinstance(name, str) else "", calls=tuple(call for call in steps if call))


def _called(step: object, number: int) -> Called | None:
    action = step.get("action") if isinstance(step, dict) else None
    if action is None or not isinstance(action, str):
        raise Unreadable(f"step {number} has no action")
    # A step in which its model wrote nothing to do.
    return in_shell(action.strip()) if action.strip() else None


SWE_AGENT: Final = Importer(name="SWE-agent trajectory", takes=_takes, run=_run)
