"""A recorded run made again gives the very plan, whatever happens around it; and a changed tool shows."""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import NOON, FixedClock, MemoryTree, ScriptedLlm, call, turn
from recorded import FILES, POLICY, record

from bot.cost import Usage
from bot.errors import ModelFailed
from bot.outside.search import Ripgrep
from bot.replay.again import Ended, made_again
from bot.replay.whole_run import WholeRun, read_whole_run
from bot.tools import TOOLS, registry
from bot.tools.pull_request import PULL_REQUEST_TOOLS
from bot.tools.tool import Tool
from bot.workspace import Tree
from bot.world import Turn

EDIT = call("edit_file", path="README.md", old="teh first", new="the first", intent="A typo.")


class Ground:
    """The files of every commit are those that the runs were recorded on."""

    def __init__(self, tools: Mapping[str, Tool[Any]] = TOOLS) -> None:
        self.searcher = Ripgrep()
        self.tools = tools

    def tree_at(self, commit: str) -> Tree:
        return MemoryTree(FILES)


def again(folder: Path, seed: int, ground: Ground | None = None) -> tuple[WholeRun, Ended]:
    file = folder / f"transcript-{seed}.jsonl"
    run = read_whole_run(io.BytesIO(file.read_bytes()), file=file.name)
    return run, made_again(run, ground or Ground())


@pytest.mark.parametrize("seed", range(12))
def test_the_same_plan_comes_out_again(tmp_path: Path, seed: int) -> None:
    plan = record(tmp_path, seed)
    _, ended = again(tmp_path, seed)
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest


class Slow(FixedClock):
    """A second passes each time that somebody looks."""

    def __init__(self) -> None:
        super().__init__(NOON + timedelta(days=3))
        self.seconds = 0.0

    def elapsed_s(self) -> float:
        self.seconds += 7.25
        return self.seconds


def test_a_run_that_the_clock_ended_is_ended_by_its_own_clock(tmp_path: Path) -> None:
    policy = POLICY.replace(b"policy:\n", b"limits: {seconds: 20}\npolicy:\n")
    turns = [turn(call("read_file", path="README.md")) for _ in range(9)]
    plan = record(tmp_path, 1, policy=policy, llm=ScriptedLlm(*turns, turn(text="Done.")), clock_is=Slow())
    assert plan.stopped_by == "stopped after 20 seconds"
    _, ended = again(tmp_path, 1)
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest


class Second:
    """A second model with an opinion on the first step, or with none at all."""

    model = "second-model"

    def __init__(self, answer: Turn | None) -> None:
        self._answer = answer

    def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
        if self._answer is None:
            raise ModelFailed("The second model is busy", next_step="wait")
        return self._answer


WORRY = (
    '{"steps": [{"number": 1, "predicted_effect": "A word changes.", "reversible": true,'
    ' "blast_radius": "single_file", "concerns": ["It may be a name."]}]}'
)


@pytest.mark.parametrize("answer", [None, turn(text=WORRY), turn(text="I think it is fine.")])
def test_what_the_second_model_said_is_said_again(tmp_path: Path, answer: Turn | None) -> None:
    llm = ScriptedLlm(turn(EDIT), turn(text="Done."))
    plan = record(tmp_path, 1, llm=llm, advisor=Second(answer))
    run, ended = again(tmp_path, 1)
    assert len(run.advice) == 1
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest


class Losing(ScriptedLlm):
    """Its later calls are lost with all the money that there was."""

    def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
        if len(self.asked) == 2:
            raise ModelFailed("The line broke", next_step="wait", lost=3)
        return super().ask(messages, tools=tools, **room)


def test_what_was_lost_on_the_way_is_lost_again_and_counted_alike(tmp_path: Path) -> None:
    policy = POLICY.replace(b"policy:\n", b"limits: {tokens: 90000}\npolicy:\n")
    turns = [replace(turn(EDIT), lost=1), turn(call("read_file", path="README.md"))]
    plan = record(tmp_path, 1, policy=policy, llm=Losing(*turns), clock_is=Slow())
    assert plan.usage.calls == 6
    assert str(plan.stopped_by).startswith("stopped after ")
    assert "4 calls to scripted-model" in plan.findings[-1]
    run, ended = again(tmp_path, 1)
    assert (run.lost, [one.lost for one in run.turns]) == (3, [1, 0])
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest


def test_a_second_model_that_was_not_asked_is_not_asked_again(tmp_path: Path) -> None:
    policy = POLICY.replace(b"policy:\n", b"limits: {tokens: 30000}\npolicy:\n")
    used = Usage(calls=1, input_tokens=14_500)
    llm = ScriptedLlm(turn(EDIT, usage=used), turn(text="Done.", usage=used))
    plan = record(tmp_path, 1, policy=policy, llm=llm, advisor=Second(turn(text=WORRY)))
    assert any("could break a limit" in finding for finding in plan.findings)
    _, ended = again(tmp_path, 1)
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest


def _worse(tool: Tool[Any]) -> Tool[Any]:
    """The same tool, that leaves a trace in every file it edits."""

    def act(arguments: Any, stage: Any) -> str:
        said = tool.execute(arguments, stage)
        content = stage.workspace.read(arguments.path)
        stage.workspace.write(arguments.path, content + b"edited\n")
        return said

    return replace(tool, execute=act, simulate=act)


def _with(name: str, change: Callable[[Tool[Any]], Tool[Any]]) -> Mapping[str, Tool[Any]]:
    return registry([change(tool) if tool.name == name else tool for tool in TOOLS.values()])


def test_a_tool_that_works_otherwise_today_gives_another_plan(tmp_path: Path) -> None:
    plan = record(tmp_path, 1, llm=ScriptedLlm(turn(EDIT), turn(text="Done.")))
    run, ended = again(tmp_path, 1, Ground(_with("edit_file", _worse)))
    assert ended.run is not None
    assert ended.run.planned.digest != plan.digest
    assert (run.acts[0].look.content.added_lines, ended.run.acts[0].look.content.added_lines) == (1, 2)


def test_a_run_that_would_go_on_has_no_end_and_says_why(tmp_path: Path) -> None:
    """Once calls could not be understood three times; today they can, and the recorded model is silent."""
    policy = POLICY.replace(b"policy:\n", b"limits: {steps: 2}\npolicy:\n")
    turns = [turn(call("read_file", path="README.md")) for _ in range(2)]
    record(tmp_path, 1, policy=policy, llm=ScriptedLlm(*turns))
    file = tmp_path / "transcript-1.jsonl"
    run = read_whole_run(io.BytesIO(file.read_bytes()), file=file.name)
    rules = run.given.situation.rules
    longer = rules.config.replaced(limits=rules.config.limits.replaced(steps=5))
    situation = replace(run.given.situation, rules=replace(rules, config=longer))
    ended = made_again(replace(run, given=replace(run.given, situation=situation)), Ground())
    assert ended.run is None
    assert "goes on longer" in ended.why


def test_what_was_asked_of_the_pull_request_is_answered_as_then(tmp_path: Path) -> None:
    class GitHub:
        author = "mona"

        def has_label(self, name: str) -> bool:
            return name == "bug"

    policy = b"policy: {defaults: {external: ask}}\n"
    labels = [call("add_labels", labels=["bug"]), call("add_labels", labels=["nope"])]
    llm = ScriptedLlm(turn(*labels), turn(text="Done."))
    tools = registry([*TOOLS.values(), *PULL_REQUEST_TOOLS])
    plan = record(tmp_path, 1, policy=policy, llm=llm, lookout=lambda _: GitHub(), tools=tools)
    assert [step.error is None for step in plan.steps] == [True, False]
    run, ended = again(tmp_path, 1, Ground(tools))
    assert len(run.looked) == 2
    assert ended.run is not None
    assert ended.run.planned.digest == plan.digest
