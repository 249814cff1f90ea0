import json
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree, call

from bot.action import Call, Kind
from bot.dispatcher import Dispatcher
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.plan import Step
from bot.tools import TOOLS, registry
from bot.tools.tool import Arguments, Stage, Tool
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay

FILES = {"a.txt": "alpha\n", "src/app.py": "x = 1\n", "tests/test_app.py": "def test(): ...\n"}


_URL = "https://t.example/T-dry"


class Ticket(Arguments):
    title: str
    parent: str = ""
    number: int = 0


def _created(arguments: Ticket, _: Stage) -> str:
    return json.dumps({"ticket": "T-dry", "number": 4711, "votes": 1, "is_open": True, "url": _URL})


CREATE = Tool(
    name="create_ticket",
    kind=Kind.EXTERNAL,
    description="",
    arguments=Ticket,
    execute=_created,
    simulate=_created,
)
POLICY = Policy.model_validate(
    {
        "defaults": {"command": "ask"},
        "tools": {"create_ticket": "ask"},
        "commands": {"deny": [{"argv": ["rm", "**"]}]},
    }
)


def _steps(tmp_path: Path, *calls: Call) -> tuple[Step, ...]:
    dispatcher = Dispatcher.rehearsing(
        tools=registry([*TOOLS.values(), CREATE]),
        overlay=Overlay(MemoryTree(FILES), Ripgrep()),
        policies=[POLICY],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    for each in calls:
        dispatcher.dispatch(each)
    return dispatcher.steps


_FIRST = call("create_ticket", title="First")

CASES: dict[str, tuple[list[Call], list[tuple[int, ...]]]] = {
    "writes on writes hold as they are": (
        [
            call("edit_file", path="a.txt", old="alpha", new="beta"),
            call("edit_file", path="a.txt", old="beta", new="gamma"),
        ],
        [(), ()],
    ),
    "an edit after a command that has nothing to do with it": (
        [
            call("run_command", command="pytest -q tests"),
            call("edit_file", path="a.txt", old="alpha", new="x"),
        ],
        [(), ()],
    ),
    "an edit of what the command reads": (
        [
            call("run_command", command="pytest -q tests"),
            call("edit_file", path="tests/test_app.py", old="...", new="pass"),
        ],
        [(), ()],
    ),
    "a command after a command": (
        [call("run_command", command="pip install -e ."), call("run_command", command="pytest -q")],
        [(), (1,)],
    ),
    "a third command rests on the second, which rests on the first": (
        [call("run_command", command=f"echo {word}") for word in ("a", "b", "c")],
        [(), (1,), (2,)],
    ),
    "a file that only a command would make": (
        [
            call("run_command", command="make > build/log.txt"),
            call("write_file", path="build/log.txt", content="done\n"),
            call("write_file", path="notes.txt", content="done\n"),
        ],
        [(), (1,), ()],
    ),
    "a folder that only a command would make": (
        [call("run_command", command="mkdir dist"), call("write_file", path="dist/x.js", content="x")],
        [(), (1,)],
    ),
    "a command that reads what such a step wrote": (
        [
            call("run_command", command="mkdir dist"),
            call("write_file", path="dist/x.js", content="x"),
            call("edit_file", path="dist/x.js", old="x", new="y"),
        ],
        [(), (1,), (1,)],
    ),
    "a denied command makes nothing": (
        [call("run_command", command="rm -rf dist"), call("write_file", path="dist/x.js", content="x")],
        [(), ()],
    ),
    "the name of a ticket that nobody made": (
        [_FIRST, call("create_ticket", title="Second", parent="T-dry")],
        [(), (1,)],
    ),
    "its number": ([_FIRST, call("create_ticket", title="Second", number=4711)], [(), (1,)]),
    "its name in a text": (
        [_FIRST, call("write_file", path="notes.txt", content="T-dry")],
        [(), (1,)],
    ),
    "its address in the middle of a text": (
        [_FIRST, call("write_file", path="notes.txt", content="See https://t.example/T-dry for more.\n")],
        [(), (1,)],
    ),
    "what is in every result": (
        [_FIRST, call("create_ticket", title="Second", number=1)],
        [(), ()],
    ),
    "another ticket": ([_FIRST, call("create_ticket", title="Second", parent="T-1")], [(), ()]),
    "a command after a ticket": ([_FIRST, call("run_command", command="pytest -q")], [(), ()]),
    "what rests on what rests on it": (
        [
            _FIRST,
            call("write_file", path="notes.txt", content="T-dry"),
            call("edit_file", path="notes.txt", old="T-dry", new="T-1"),
            call("edit_file", path="notes.txt", old="T-1", new="T-2"),
        ],
        [(), (1,), (1,), (1,)],
    ),
}


@pytest.mark.parametrize(("calls", "expected"), CASES.values(), ids=CASES)
def test_a_step_names_the_simulated_results_that_it_rests_on(
    tmp_path: Path, calls: list[Call], expected: list[tuple[int, ...]]
) -> None:
    assert [step.conditional_on for step in _steps(tmp_path, *calls)] == expected


def test_the_id_that_a_rehearsal_gave_is_known_wherever_it_stands(tmp_path: Path) -> None:
    name = _steps(tmp_path, _FIRST)[0].id
    for later in (
        call("create_ticket", title="Second", parent=name),
        call("write_file", path="notes.txt", content=f"See {name}.\n"),
        call("write_file", path=f"{name}.txt", content="x"),
    ):
        assert _steps(tmp_path, _FIRST, later)[1].conditional_on == (1,)


def test_an_apply_finds_the_same_again(tmp_path: Path) -> None:
    for calls, _ in CASES.values():
        assert _steps(tmp_path, *calls) == _steps(tmp_path, *calls)


def test_deep_results_are_walked_through(tmp_path: Path) -> None:
    def simulate(_: Any, __: Stage) -> str:
        return json.dumps({"a": [[{"b": {"c": ["deep-value"]}}]]})

    deep = Tool(
        name="deep",
        kind=Kind.EXTERNAL,
        description="",
        arguments=Arguments,
        execute=simulate,
        simulate=simulate,
    )
    dispatcher = Dispatcher.rehearsing(
        tools=registry([*TOOLS.values(), deep]),
        overlay=Overlay(MemoryTree(FILES), Ripgrep()),
        policies=[Policy.model_validate({"tools": {"deep": "allow"}})],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    dispatcher.dispatch(call("deep"))
    dispatcher.dispatch(call("write_file", path="n.txt", content="deep-value"))
    assert dispatcher.steps[1].conditional_on == (1,)
