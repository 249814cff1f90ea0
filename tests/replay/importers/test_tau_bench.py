"""tau-bench's runs: the shape, and 200 real ones."""

from collections import Counter
from pathlib import Path

import pytest
from tau_bench.airline import airline_runs

from bot.replay.importers.tau_bench import TAU_BENCH
from bot.replay.json_stream import JsonStream

CALL = {
    "id": "c",
    "type": "function",
    "function": {"name": "get_user_details", "arguments": '{"user_id": "m"}'},
}
RUN = {
    "task_id": 3,
    "trial": 1,
    "reward": 0.0,
    "info": {},
    "traj": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}],
}


def test_a_trajectory_is_a_run_named_by_its_task_and_trial() -> None:
    assert TAU_BENCH.takes(RUN)
    run = TAU_BENCH.run(RUN)
    assert run.name == "task 3 trial 1"
    assert [(call.tool, call.arguments) for call in run.calls] == [("get_user_details", '{"user_id": "m"}')]
    assert TAU_BENCH.run({**RUN, "trial": None}).name == "task 3"


@pytest.mark.parametrize("value", [None, [], {"task_id": 1}, {"traj": []}, {"task_id": 1, "traj": "x"}])
def test_other_shapes_are_left_to_others(value: object) -> None:
    assert not TAU_BENCH.takes(value)


def test_all_real_runs_are_read_with_all_their_calls(tmp_path: Path) -> None:
    airline = airline_runs(tmp_path)
    with airline.open("rb") as stream:
        values = list(JsonStream(stream, file=airline.name).values())
    assert all(TAU_BENCH.takes(value) for _, value in values)
    runs = [TAU_BENCH.run(value) for _, value in values]
    calls = Counter(call.tool for run in runs for call in run.calls)
    assert (len(runs), len({run.name for run in runs}), calls.total()) == (200, 200, 1164)
    assert calls["book_reservation"] == 53
