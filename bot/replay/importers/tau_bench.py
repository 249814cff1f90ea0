"""Trajectories of tau-bench: a list of runs, each with the messages of its conversation.

Source: github.com/sierra-research/tau-bench, `historical_trajectories`.
"""

from typing import Any, Final

from bot.replay.importers.importer import Importer, Run, calls_in


def _takes(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return isinstance(value, dict) and "task_id" in value and isinstance(value.get("traj"), list)


def _run(value: Any) -> Run:  # noqa: ANN401 - any JSON value
    calls = (calls_in(message, where=f"message {number}") for number, message in enumerate(value["traj"], 1))
    trial = f" trial {value['trial']}" if isinstance(value.get("trial"), int) else ""
    return Run(
        name=f"task {value['task_id']}{trial}", calls=tuple(call for of_one in calls for call in of_one)
    )


TAU_BENCH: Final = Importer(name="tau-bench trajectory", takes=_takes, run=_run)
