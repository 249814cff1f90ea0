"""Whole files of runs made again: what changed is told, and what can't be made again is said to be that."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fakes import MemoryTree, ScriptedLlm, call, turn
from recorded import FILES, record

from bot.errors import CheckoutFailed
from bot.impact import Impact, Shard
from bot.outside.search import Ripgrep
from bot.replay.result import Tally
from bot.replay.source import files_in
from bot.replay.tools_work import ToolsWork
from bot.tools import TOOLS, registry
from bot.tools.tool import Tool
from bot.workspace import Tree

EDIT = call("edit_file", path="README.md", old="teh first", new="the first")


class Ground:
    def __init__(self, tools: Mapping[str, Tool[Any]] = TOOLS, *, is_there: bool = True) -> None:
        self.searcher = Ripgrep()
        self.tools = tools
        self._is_there = is_there

    def tree_at(self, commit: str) -> Tree:
        if not self._is_there:
            raise CheckoutFailed(f"there is no commit {commit[:7]}", next_step="fetch it")
        return MemoryTree(FILES)


def impact_of(folder: Path, ground: Ground, *, shard: Shard | None = None) -> Impact:
    worker, tally = ToolsWork(ground=ground, shard=shard).worker(), Tally()
    for file in files_in([folder]):
        tally.add(worker.results(file))
    return tally.impact("tools", {})


def test_recorded_runs_come_out_as_they_did(tmp_path: Path) -> None:
    for seed in range(20):
        record(tmp_path, seed)
    impact = impact_of(tmp_path, Ground())
    assert (impact.headline, impact.refused) == ("changed 0 of 20", ())
    parts = [impact_of(tmp_path, Ground(), shard=Shard(number=number, of=3)).runs for number in (1, 2, 3)]
    assert sum(parts) == 20


def test_a_tool_with_another_description_makes_another_plan(tmp_path: Path) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(turn(EDIT), turn(text="Done.")))
    tools = registry([replace(TOOLS["read_file"], description="Read."), *list(TOOLS.values())[1:]])
    (change,) = impact_of(tmp_path, Ground(tools)).changes
    assert (change.what, change.about) == ("other tools_digest", "the plan itself")


def test_a_tool_that_fails_today_is_told_with_its_words(tmp_path: Path) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(turn(EDIT), turn(text="Done.")))

    def fails(_arguments: Any, _stage: Any) -> str:
        from bot.errors import ToolFailed

        raise ToolFailed("not today")

    edit = replace(TOOLS["edit_file"], execute=fails, simulate=fails)
    tools = registry([edit if name == "edit_file" else tool for name, tool in TOOLS.items()])
    (change,) = impact_of(tmp_path, Ground(tools)).changes
    assert (change.action, change.what, change.after) == (1, "fails now", "not today")
    assert change.link == "https://github.com/acme/widgets/pull/1"


def test_files_that_are_gone_are_told_with_what_to_do(tmp_path: Path) -> None:
    record(tmp_path, 1)
    impact = impact_of(tmp_path, Ground(is_there=False))
    assert impact.runs == 0
    assert [one.why for one in impact.refused] == ["transcript-1.jsonl: there is no commit 1111111; fetch it"]


def test_runs_of_other_programs_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"messages": [{"role": "user", "content": "x"}]}')
    impact = impact_of(tmp_path, Ground())
    assert (impact.runs, list(impact.left_out)) == (
        0,
        ["runs of other programs, which can only be replayed under a policy"],
    )


def test_a_run_with_tools_that_are_not_here_is_left_out(tmp_path: Path) -> None:
    ticket = replace(TOOLS["read_file"], name="tickets.find")
    with_tickets = registry([*TOOLS.values(), ticket])
    asked = call("tickets.find", path="README.md")
    record(tmp_path, 1, llm=ScriptedLlm(turn(asked), turn(text="Done.")), tools=with_tickets)
    impact = impact_of(tmp_path, Ground())
    assert (impact.runs, list(impact.left_out)) == (
        0,
        ["runs with tools of a server or a package that is not at hand here"],
    )
    assert impact_of(tmp_path, Ground(with_tickets)).headline == "changed 0 of 1"
