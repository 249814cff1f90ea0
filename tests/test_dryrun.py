"""What the two dry-run manuals say, sentence by sentence, as far as it can be said of a tracker."""

import json
from pathlib import Path

import pytest
from fakes import MemoryTree, call
from own_home import files_in, opened

from bot.dispatcher import Dispatcher
from bot.dryrun import READ_TOOLS, WRITE_TOOLS, DryRunTracker, PlannedAction
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript.begin(tmp_path / "transcript.jsonl")


EXAMPLE = (
    ("write_file", {"path": "tests/test_auth.py", "content": "x"}),
    ("edit_file", {"path": "src/auth.py", "old": "a", "new": "b"}),
    ("run_command", {"command": "pytest tests/ -x"}),
)
SUMMARIES = {
    "en": (
        "Action plan (dry-run): 3 planned actions\n\n"
        "1. write_file → tests/test_auth.py\n2. edit_file → src/auth.py\n3. run_command → pytest tests/ -x"
    ),
    "es": (
        "Plan de acciones (dry-run): 3 acciones planificadas\n\n"
        "1. write_file → tests/test_auth.py\n2. edit_file → src/auth.py\n3. run_command → pytest tests/ -x"
    ),
}
NOTHING = {
    "en": "Dry-run complete: no write actions were planned.",
    "es": "Dry-run completado: no se planificaron acciones de escritura.",
}
ONE = {
    "en": "Action plan (dry-run): 1 planned action\n\n1. delete_file → (no arguments)",
    "es": "Plan de acciones (dry-run): 1 acción planificada\n\n1. delete_file → (sin argumentos)",
}


def test_the_tools_that_write_and_those_that_read_are_the_documented_ones_and_no_tool_is_both() -> None:
    assert {"write_file", "edit_file", "apply_patch", "delete_file", "run_command"} == WRITE_TOOLS
    assert {"read_file", "list_files", "search_code", "grep", "find_files"} == READ_TOOLS
    assert isinstance(WRITE_TOOLS, frozenset)
    assert isinstance(READ_TOOLS, frozenset)
    assert not WRITE_TOOLS & READ_TOOLS


@pytest.mark.parametrize("language", SUMMARIES)
def test_the_summary_is_the_one_of_the_manual(language: str) -> None:
    tracker = DryRunTracker(language=language)
    for tool_name, tool_input in EXAMPLE:
        tracker.record_action(tool_name, tool_input)
    assert tracker.action_count == 3
    assert tracker.get_plan_summary() == SUMMARIES[language]


@pytest.mark.parametrize("language", NOTHING)
def test_an_empty_plan_says_so(language: str) -> None:
    tracker = DryRunTracker(language=language)
    assert tracker.action_count == 0
    assert tracker.get_plan_summary() == NOTHING[language]


@pytest.mark.parametrize("language", ONE)
def test_one_action_is_one_action(language: str) -> None:
    tracker = DryRunTracker(language=language)
    tracker.record_action("delete_file", {})
    assert tracker.get_plan_summary() == ONE[language]


@pytest.mark.parametrize("tool_name", [*sorted(READ_TOOLS), "no_such_tool", ""])
def test_what_only_reads_or_is_not_known_is_no_planned_action(tool_name: str) -> None:
    tracker = DryRunTracker()
    tracker.record_action(tool_name, {"path": "a"})
    assert tracker.actions == []


def test_no_argument_is_lost_or_changes_afterwards() -> None:
    tracker = DryRunTracker()
    tool_input = {"command": "x" * 500, "env": {"A": ["1"]}}
    tracker.record_action("run_command", tool_input)
    tool_input["env"]["A"].append("2")  # type: ignore[index]
    (action,) = tracker.actions
    assert isinstance(action, PlannedAction)
    assert action.tool_name == "run_command"
    assert action.description == f"run_command → {'x' * 60}... (truncated)"
    assert action.tool_input == {"command": "x" * 500, "env": {"A": ["1"]}}


def test_a_planned_action_can_be_made_as_documented() -> None:
    action = PlannedAction("write_file", "write_file → a", {"path": "a"})
    assert (action.tool_name, action.description, action.tool_input) == (
        "write_file",
        "write_file → a",
        {"path": "a"},
    )


def test_of_a_run_it_is_a_view_of_the_record_numbered_as_there(transcript: Transcript) -> None:
    overlay = Overlay(MemoryTree({"a.txt": "alpha\n"}), Ripgrep())
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS, overlay=overlay, policies=[Policy()], transcript=transcript
    )
    for each in (
        call("read_file", path="a.txt"),
        call("write_file", path="new.txt", content="x"),
        call("write_file", path=".env", content="x"),
        call("edit_file", path="a.txt", old="beta", new="gamma"),
        call("run_command", command="ls"),
    ):
        dispatcher.dispatch(each)
    tracker = DryRunTracker.of(dispatcher.steps)
    assert tracker.get_plan_summary().splitlines() == [
        "Action plan (dry-run): 4 planned actions",
        "",
        "1. write_file → new.txt",
        "2. write_file → .env (deny)",
        "3. edit_file → a.txt (failed)",
        "4. run_command → ls",
    ]
    assert [dict(action.tool_input) for action in tracker.actions] == [
        dict(step.arguments) for step in dispatcher.steps
    ]


def test_the_model_sees_what_would_be_executed_in_either_language(transcript: Transcript) -> None:
    told = []
    for language in ("en", "es"):
        overlay = Overlay(MemoryTree({}), Ripgrep())
        dispatcher = Dispatcher.rehearsing(
            tools=TOOLS, overlay=overlay, policies=[Policy()], transcript=transcript, language=language
        )
        answer = dispatcher.dispatch(call("delete_file", path="a")).text
        assert "failed" in answer
        told.append(json.loads(dispatcher.dispatch(call("write_file", path="a", content="b")).text)["would"])
    assert told == [
        '[DRY-RUN] Would execute: write_file(content="b", path="a")',
        '[DRY-RUN] Se ejecutaría: write_file(content="b", path="a")',
    ]


def test_hostile_words_stay_on_their_line() -> None:
    tracker = DryRunTracker()
    tracker.record_action("run_command", {"command": "ls\n2. rm → all\x1b[2J"})
    summary = tracker.get_plan_summary()
    assert len(summary.splitlines()) == 3
    assert "\x1b" not in summary


WRITES = {
    "write_file": {"path": "new.txt", "content": "x\n"},
    "edit_file": {"path": "README.md", "old": "teh", "new": "the"},
    "apply_patch": {
        "patch": "*** Begin Patch\n*** Update File: README.md\n@@\n-teh first line\n+a line\n*** End Patch"
    },
    "delete_file": {"path": "old.txt"},
    "run_command": {"command": "rm -rf README.md"},
}
READS = {
    "read_file": ({"path": "README.md"}, "teh first line"),
    "list_files": ({}, "docs/guide.md"),
    "search_code": ({"pattern": "t[e]h"}, "README.md"),
    "grep": ({"text": "teh"}, "README.md"),
    "find_files": ({"pattern": "*.md"}, "docs/guide.md"),
}


def _rehearsed(folder: Path, tool: str, arguments: dict[str, object]) -> tuple[Dispatcher, str, bool]:
    """The dispatcher after one call, what the model was told, and whether the files are as before."""
    here = opened(folder)
    before = files_in(here.repository.root)
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(here.home.tree, here.home.searcher),
        policies=here.home.config.policies,
        transcript=Transcript.begin(folder / "transcript.jsonl"),
    )
    told = dispatcher.dispatch(call(tool, **arguments)).text
    return dispatcher, told, files_in(here.repository.root) == before


@pytest.mark.parametrize("tool", sorted(WRITE_TOOLS))
def test_each_tool_that_writes_is_simulated_recorded_and_not_executed(tmp_path: Path, tool: str) -> None:
    dispatcher, told, is_untouched = _rehearsed(tmp_path, tool, WRITES[tool])
    assert json.loads(told)["would"].startswith(f"[DRY-RUN] Would execute: {tool}(")
    assert [action.tool_name for action in DryRunTracker.of(dispatcher.steps).actions] == [tool]
    assert is_untouched


@pytest.mark.parametrize("tool", sorted(READ_TOOLS))
def test_each_tool_that_reads_is_executed_and_not_recorded(tmp_path: Path, tool: str) -> None:
    arguments, found = READS[tool]
    dispatcher, told, is_untouched = _rehearsed(tmp_path, tool, dict(arguments))
    assert found in told
    assert "DRY-RUN" not in told
    assert DryRunTracker.of(dispatcher.steps).action_count == 0
    assert is_untouched
