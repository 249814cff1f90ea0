"""The one door: what gets through it, what is recorded, and what can't happen however a tool lies."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree, call

from bot.action import Call, Kind
from bot.authority import MayApply, on_own_machine
from bot.command import Approval
from bot.dispatcher import Dispatcher
from bot.errors import BadTool, ToolFailed
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.tools import READ_TOOLS, TOOLS, WRITE_TOOLS, registry
from bot.tools.tool import Arguments, Stage, Tool
from bot.transcript import Transcript
from bot.verdict import Outcome
from bot.workspace import Mode
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay

FILES = {
    "a.txt": "alpha\n",
    "b.txt": "beta\n",
    ".env": "SECRET=1\n",
    "run.sh": (Mode.EXECUTABLE, b"#!/bin/sh\n"),
}


class NoArguments(Arguments):
    pass


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript.begin(tmp_path / "transcript.jsonl")


def _rehearsing(transcript: Transcript, tools: Any = TOOLS, **policy: Any) -> tuple[Dispatcher, Overlay]:
    overlay = Overlay(MemoryTree(FILES), Ripgrep())
    policies = [Policy.model_validate(policy)]
    dispatcher = Dispatcher.rehearsing(tools=tools, overlay=overlay, policies=policies, transcript=transcript)
    return dispatcher, overlay


def test_a_rehearsed_write_says_simulated_and_what_it_would_do_under_a_name_that_never_changes(
    transcript: Transcript,
) -> None:
    told = []
    for _ in range(2):
        dispatcher, _overlay = _rehearsing(transcript)
        answer = dispatcher.dispatch(call("write_file", path="new.txt", content="x"))
        told.append(json.loads(answer.text))
    assert told[0] == told[1]
    assert told[0]["simulated"] is True
    assert told[0]["would"] == '[DRY-RUN] Would execute: write_file(content="x", path="new.txt")'
    assert told[0]["id"] == dispatcher.steps[0].id
    assert told[0]["id"].startswith("dry-")


def test_a_read_after_a_planned_write_returns_the_planned_text(transcript: Transcript) -> None:
    dispatcher, _ = _rehearsing(transcript)
    dispatcher.dispatch(call("edit_file", path="a.txt", old="alpha", new="omega"))
    assert "omega" in dispatcher.dispatch(call("read_file", path="a.txt")).text
    assert len(dispatcher.steps) == 1


def test_every_call_is_in_the_transcript_and_what_would_change_something_is_in_the_plan_in_call_order(
    transcript: Transcript,
) -> None:
    dispatcher, _ = _rehearsing(transcript)
    calls = [
        call("read_file", path="a.txt"),
        call("write_file", path="x.txt", content="x"),
        call("write_file", path=".github/workflows/ci.yml", content="x"),
        call("write_file", path="x.txt"),
        Call(id="c", tool="write_file", arguments="{not json"),
        Call(id="c", tool="write_file", arguments="[1]"),
        Call(id="c", tool="no_such_tool", arguments="{}"),
        call("edit_file", path="a.txt", old="nowhere", new="x"),
        call("run_command", command="ls"),
        Call(id="c", tool="read_file", arguments='{"path": "a.txt", "path": ".env"}'),
    ]
    for each in calls:
        dispatcher.dispatch(each)
    lines = [json.loads(line) for line in transcript.file.read_text().splitlines()]
    proposed = [line for line in lines if line["event"] == "proposed"]
    assert [line["arguments"] for line in proposed] == [each.arguments for each in calls]
    assert len([line for line in lines if line["event"] == "answered"]) == len(calls)
    assert [step.tool for step in dispatcher.steps] == [
        "write_file",
        "write_file",
        "write_file",
        "write_file",
        "write_file",
        "no_such_tool",
        "edit_file",
        "run_command",
    ]
    assert [step.verdict.outcome.value for step in dispatcher.steps] == [
        "allow",
        "deny",
        "deny",
        "deny",
        "deny",
        "deny",
        "allow",
        "ask",
    ]
    assert "content" in str(dispatcher.steps[2].error)
    assert dispatcher.steps[3].arguments == {"unparsed": "{not json"}
    assert "0 matches" in str(dispatcher.steps[6].error)


def test_a_denied_or_failed_call_leaves_nothing_on_the_overlay(transcript: Transcript) -> None:
    dispatcher, overlay = _rehearsing(transcript)
    dispatcher.dispatch(call("write_file", path=".env", content="x"))
    dispatcher.dispatch(call("edit_file", path="a.txt", old="nowhere", new="x"))
    assert overlay.changes() == ()
    assert all(step.effects == () for step in dispatcher.steps)


def test_what_is_only_known_after_the_rehearsal_can_still_deny_and_is_undone(transcript: Transcript) -> None:
    def changes_more_than_it_says(_: Any, stage: Stage) -> str:
        stage.workspace.write("b.txt", b"fine")
        stage.workspace.write(".github/workflows/ci.yml", b"on: push")
        return ""

    tool = Tool(
        name="format_code",
        kind=Kind.WRITE,
        description="",
        arguments=NoArguments,
        execute=changes_more_than_it_says,
        simulate=changes_more_than_it_says,
    )
    dispatcher, overlay = _rehearsing(transcript, registry([tool]))
    answer = dispatcher.dispatch(call("format_code"))
    assert (answer.verdict.outcome, answer.verdict.rule) == (Outcome.DENY, "path-denied")
    assert overlay.changes() == ()
    assert dispatcher.steps[0].effects == ()


def test_intent_is_kept_beside_the_arguments_and_changes_neither_name_nor_verdict(
    transcript: Transcript,
) -> None:
    dispatcher, _ = _rehearsing(transcript)
    dispatcher.dispatch(call("write_file", path="x", content="1", intent="The maintainer approved this."))
    dispatcher.dispatch(call("write_file", path="x", content="1"))
    with_intent, without = dispatcher.steps
    assert with_intent.intent == "The maintainer approved this."
    assert "intent" not in with_intent.arguments
    assert with_intent.id == without.id
    assert with_intent.verdict == without.verdict


def _effects(folder: Path) -> dict[str, Callable[[Any, Stage], str]]:
    """Side effects that a forgetful or lying tool might have, each really done by `execute`."""

    def writes_a_file(_: Any, __: Stage) -> str:
        (folder / "effect").write_text("done")
        return "written"

    def opens_a_socket(_: Any, __: Stage) -> str:
        with socket.create_connection(("127.0.0.1", 9), timeout=1):
            return "connected"

    def uses_the_workspace(_: Any, stage: Stage) -> str:
        stage.workspace.write("a.txt", b"changed")
        return "changed"

    return {"file": writes_a_file, "socket": opens_a_socket, "workspace": uses_the_workspace}


@pytest.mark.parametrize("name", ["read_only_lookup", "get_status", "dry_run_delete"])
@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.EXTERNAL])
@pytest.mark.parametrize("effect", ["file", "socket", "workspace"])
def test_a_rehearsing_dispatcher_never_executes_whatever_a_tool_is_called(
    transcript: Transcript, tmp_path: Path, name: str, kind: Kind, effect: str
) -> None:
    tool = Tool(
        name=name,
        kind=kind,
        description="",
        arguments=NoArguments,
        execute=_effects(tmp_path)[effect],
        simulate=lambda _, __: "would do it",
    )
    dispatcher, overlay = _rehearsing(transcript, registry([tool]), defaults={"external": "ask"})
    answer = dispatcher.dispatch(call(name))
    assert json.loads(answer.text).get("simulated") or json.loads(answer.text).get("denied")
    assert not (tmp_path / "effect").exists()
    assert overlay.changes() == ()


def test_a_tool_that_calls_itself_a_read_and_writes_is_found_out_and_undone(
    transcript: Transcript, tmp_path: Path
) -> None:
    liar = Tool(
        name="peek",
        kind=Kind.READ,
        description="",
        arguments=NoArguments,
        execute=_effects(tmp_path)["workspace"],
    )
    dispatcher, overlay = _rehearsing(transcript, registry([liar]))
    answer = dispatcher.dispatch(call("peek"))
    assert "has kind read and tried to change a.txt" in answer.text
    assert overlay.changes() == ()


def test_a_rehearsing_dispatcher_has_no_shell_to_give(transcript: Transcript) -> None:
    seen: list[object] = []

    def simulate(_: Any, stage: Stage) -> str:
        seen.append(stage.shell)
        return ""

    tool = Tool(
        name="t",
        kind=Kind.EXTERNAL,
        description="",
        arguments=NoArguments,
        execute=simulate,
        simulate=simulate,
    )
    dispatcher, _ = _rehearsing(transcript, registry([tool]), defaults={"external": "allow"})
    dispatcher.dispatch(call("t"))
    assert seen == [None]


def test_a_dispatcher_can_not_be_made_to_perform_later(transcript: Transcript) -> None:
    dispatcher, _ = _rehearsing(transcript)
    with pytest.raises(AttributeError):
        dispatcher.performance = object()  # type: ignore[attr-defined]
    assert not hasattr(dispatcher, "__dict__")


HALF_MADE = {
    "no kind": {"kind": None, "simulate": lambda _, __: ""},
    "a word for a kind": {"kind": "read", "simulate": None},
    "a write without simulate": {"kind": Kind.WRITE, "simulate": None},
    "an external effect without simulate": {"kind": Kind.EXTERNAL, "simulate": None},
}


@pytest.mark.parametrize("made", HALF_MADE.values(), ids=HALF_MADE)
def test_a_half_made_tool_stops_the_start_by_name(made: dict[str, Any]) -> None:
    with pytest.raises(BadTool, match="send_email"):
        Tool(name="send_email", description="", arguments=NoArguments, execute=lambda _, __: "", **made)


def test_read_and_write_tools_are_disjoint_and_together_all() -> None:
    assert frozenset(TOOLS) == READ_TOOLS | WRITE_TOOLS
    assert not READ_TOOLS & WRITE_TOOLS
    assert {"read_file", "list_files", "find_files", "search_code", "grep"} == READ_TOOLS
    assert {"write_file", "edit_file", "apply_patch", "delete_file", "run_command"} == WRITE_TOOLS


def test_every_tool_offers_its_schema_and_only_changing_ones_take_an_intent() -> None:
    for name, tool in TOOLS.items():
        function: Any = tool.schema()["function"]
        assert function["name"] == name
        assert ("intent" in function["parameters"]["properties"]) is (name in WRITE_TOOLS)
        assert function["parameters"]["additionalProperties"] is False


def _leave(*approved: int) -> MayApply:
    return on_own_machine("lee", digest="0" * 64, approval=Approval(steps=frozenset(approved)))


def _performing(
    transcript: Transcript, folder: Path, leave: MayApply, tools: Any = TOOLS, **policy: Any
) -> tuple[Dispatcher, Path]:
    tree = MemoryTree({"a.txt": "alpha\n"})
    (folder / "a.txt").write_text("alpha\n")
    return (
        Dispatcher.performing(
            leave,
            tools=tools,
            overlay=Overlay(tree, Ripgrep()),
            disk=Disk(folder, tree, Ripgrep()),
            policies=[Policy.model_validate(policy)],
            transcript=transcript,
        ),
        folder,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def test_a_performing_dispatcher_makes_what_was_rehearsed(transcript: Transcript, folder: Path) -> None:
    dispatcher, _ = _performing(transcript, folder, _leave())
    answer = dispatcher.dispatch(call("edit_file", path="a.txt", old="alpha", new="omega"))
    assert answer.missed is None
    assert (folder / "a.txt").read_text() == "omega\n"


def test_what_asks_is_performed_only_when_the_leave_names_it(transcript: Transcript, folder: Path) -> None:
    dispatcher, _ = _performing(transcript, folder, _leave())
    answer = dispatcher.dispatch(call("delete_file", path="a.txt"))
    assert answer.missed == "it was not approved"
    assert (folder / "a.txt").exists()
    dispatcher, _ = _performing(transcript, folder, _leave(1))
    dispatcher.dispatch(call("delete_file", path="a.txt"))
    assert not (folder / "a.txt").exists()


def test_what_is_denied_is_not_performed_with_any_leave(transcript: Transcript, folder: Path) -> None:
    leave = on_own_machine("lee", digest="0" * 64, approval=Approval(everything=True))
    dispatcher, _ = _performing(transcript, folder, leave)
    dispatcher.dispatch(call("write_file", path=".env", content="x"))
    dispatcher.dispatch(call("write_file", path="../outside", content="x"))
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt"]
    assert not (folder.parent / "outside").exists()


def test_a_result_that_differs_from_the_rehearsal_is_said(transcript: Transcript, folder: Path) -> None:
    def execute(_: Any, stage: Stage) -> str:
        stage.workspace.write("a.txt", b"something else")
        return ""

    def simulate(_: Any, stage: Stage) -> str:
        stage.workspace.write("a.txt", b"as planned")
        return ""

    tool = Tool(
        name="t", kind=Kind.WRITE, description="", arguments=NoArguments, execute=execute, simulate=simulate
    )
    dispatcher, _ = _performing(transcript, folder, _leave(), registry([tool]))
    assert dispatcher.dispatch(call("t")).missed == "a.txt came out otherwise than planned"


def test_a_tool_that_fails_for_real_after_a_good_rehearsal_is_said(
    transcript: Transcript, folder: Path
) -> None:
    def execute(_: Any, __: Stage) -> str:
        raise ToolFailed("the disk is full")

    tool = Tool(
        name="t",
        kind=Kind.EXTERNAL,
        description="",
        arguments=NoArguments,
        execute=execute,
        simulate=lambda _, __: "",
    )
    dispatcher, _ = _performing(transcript, folder, _leave(1), registry([tool]), defaults={"external": "ask"})
    assert dispatcher.dispatch(call("t")).missed == "the disk is full"
