"""Decisions replayed from a terminal: a real client and a real clone, and a scripted model behind them."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedLlm, call, turn
from real_git import committed
from recorded import record
from standby import bot

from bot.cost import Usage
from bot.demo.model import Said, ScriptedModel, ToolCall
from bot.outside.checkout import CommitTree

FILES = {"README.md": b"# Sample\n\nteh first line\n", "docs/guide.md": b"one\n"}
READ = {"path": "README.md"}
EDIT = {"path": "README.md", "old": "teh", "new": "the"}
RUNS = 6


@dataclass
class Desk:
    """Recorded runs, the clone that they were recorded on, and a model that answers."""

    folder: Path
    model: ScriptedModel

    def types(self, *words: str, stdin: str = "", **other: str | None) -> subprocess.CompletedProcess[str]:
        environ = {
            "PATH": os.environ["PATH"],
            "XDG_STATE_HOME": str(self.folder / "state"),
            "OPENAI_BASE_URL": self.model.base_url,
        } | other
        given = {name: value for name, value in environ.items() if value is not None}
        return bot("replay", "runs", "--repo", "repo", *words, cwd=self.folder, env=given, stdin=stdin)


def answers(messages: list[dict[str, Any]]) -> Said:
    """It reads, edits and ends; for the prompt that says so, it makes a page as well."""
    said = sum(message["role"] == "assistant" for message in messages)
    if said == 0:
        return Said(calls=(ToolCall(tool="read_file", arguments=READ),))
    if said == 1:
        page = {"path": "docs/page.md", "content": "A page.\n"}
        more = (
            [ToolCall(tool="write_file", arguments=page)] if "a page" in str(messages[1]["content"]) else []
        )
        return Said(calls=(ToolCall(tool="edit_file", arguments=EDIT), *more))
    return Said(text="Done.")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("desk")
    commit = committed(folder / "repo", FILES)
    tree = CommitTree(commit, folder=folder / "repo", remote=None)
    took = Usage(calls=1, input_tokens=1_000, output_tokens=50)
    for seed in range(RUNS):
        turns = [
            turn(call("read_file", **READ), usage=took),
            turn(call("edit_file", **EDIT), usage=took),
            turn(text="Done.", usage=took),
        ]
        record(folder / "runs", seed, llm=ScriptedLlm(*turns), head=commit, tree_at=lambda _: tree)
    (folder / "page.txt").write_text("Mend typos, and write a page.\n")
    (folder / "same.yml").write_text("version: 1\nmodel: {name: gpt-5.4-mini}\n")
    (folder / "tasks.yml").write_text(
        "version: 1\nmodel: {name: scripted-model}\ntasks: {task-2: {prompt: Write a page.}}\n"
    )
    with ScriptedModel(answers) as model:
        yield Desk(folder=folder, model=model)


def test_the_same_prompt_and_model_change_nothing(desk: Desk) -> None:
    ran = desk.types("--kind", "decisions", "--yes")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"decisions replay: changed 0 of {RUNS}\n")
    assert "after: recorded model, recorded prompts" in ran.stdout
    assert f"asked: {RUNS * 3} calls" in ran.stdout


def test_a_new_prompt_changes_what_is_decided(desk: Desk) -> None:
    ran = desk.types("--prompt", "page.txt", "--yes", "--report", "json")
    assert ran.returncode == 3
    fields = json.loads(ran.stdout)
    assert (fields["kind"], fields["runs"], fields["changed"]) == ("decisions", RUNS, RUNS)
    assert fields["groups"] == [{"what": "new action", "runs": RUNS}]
    assert fields["changes"][0]["about"] == "write_file → docs/page.md"
    assert fields["subject"]["after"].startswith("recorded model, prompt ")
    assert desk.types("--prompt", "page.txt", "--yes", "--task", "task-2").stdout.startswith(
        "decisions replay: changed 1 of 1\n"
    )


def test_a_configuration_s_prompts_are_its_tasks(desk: Desk) -> None:
    ran = desk.types("--kind", "decisions", "--policy", "tasks.yml", "--yes")
    assert ran.stdout.startswith(f"decisions replay: changed 1 of {RUNS}\n")
    assert "after: scripted-model, prompts of policy " in ran.stdout


def test_what_it_would_cost_is_told_and_nothing_asked(desk: Desk) -> None:
    before = len(desk.model.asked)
    ran = desk.types("--model", "gpt-5.4-mini", "--estimate")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{RUNS} runs, about {RUNS * 3 * 1_050:,} tokens: about $")
    assert desk.types("--kind", "decisions", "--policy", "same.yml", "--estimate").stdout == ran.stdout
    unknown = desk.types("--kind", "decisions", "--estimate")
    assert "price is not known" in unknown.stdout
    assert len(desk.model.asked) == before


def test_where_nobody_sits_money_is_not_spent_unasked(desk: Desk) -> None:
    before = len(desk.model.asked)
    ran = desk.types("--model", "gpt-5.4-mini", stdin="y\n")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "This asks a model and costs money" in ran.stderr
    assert len(desk.model.asked) == before


def test_a_budget_is_kept_and_what_it_left_out_is_told(desk: Desk) -> None:
    ran = desk.types("--model", "gpt-5.4-mini", "--budget", "0.02", "--processes", "1", "--report", "json")
    fields = json.loads(ran.stdout)
    left_out = fields["left_out"]["runs that the budget had nothing left for"]
    assert (fields["runs"] + left_out, fields["changed"]) == (RUNS, 0)
    assert 0 < left_out < RUNS
    assert 0 < float(fields["spent"]["usd"]) <= 0.02
    unknown = desk.types("--model", "some-model", "--budget", "1")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "no budget in dollars can be kept" in unknown.stderr


def test_a_sample_is_a_part_that_is_always_the_same(desk: Desk) -> None:
    first, second = (
        desk.types("--prompt", "page.txt", "--yes", "--sample", "2", "--report", "json") for _ in "ab"
    )
    assert json.loads(first.stdout)["runs"] == 2
    assert first.stdout == second.stdout


USAGES = {
    "no such prompt": (["--prompt", "nowhere.txt", "--yes"], "nowhere.txt can't be read"),
    "a budget that is none": (["--model", "m", "--budget", "much"], "--budget much is no amount"),
    "a budget below nothing": (["--model", "m", "--budget", "-1"], "--budget -1 is no amount"),
    "a model for what asks none": (["--kind", "policy", "--model", "m"], "--model is for decisions"),
    "a sample of what is free": (["--sample", "3"], "--sample is for decisions"),
}


@pytest.mark.parametrize(("words", "told"), USAGES.values(), ids=USAGES)
def test_a_wrong_question_is_told_before_anything_is_asked(desk: Desk, words: list[str], told: str) -> None:
    ran = desk.types(*words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert told in ran.stderr


def test_without_a_key_nothing_is_begun(desk: Desk) -> None:
    ran = desk.types("--model", "gpt-5.4-mini", "--budget", "1", OPENAI_BASE_URL=None)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "There is no key for the model: OPENAI_API_KEY is not set" in ran.stderr
    assert desk.types("--model", "gpt-5.4-mini", "--estimate", OPENAI_BASE_URL=None).returncode == 0


def test_a_key_with_a_line_break_in_it_is_not_told_to_anybody(desk: Desk) -> None:
    key = "sk-correcthorse\nbatterystaple"
    ran = desk.types("--model", "gpt-5.4-mini", "--sample", "1", "--yes", OPENAI_API_KEY=key)
    assert ran.returncode == 1
    assert not re.search("correcthorse|batterystaple", ran.stdout + ran.stderr)
