"""Tools that forget, lie or break, each with a real effect that must not get out."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree, call
from pydantic import field_validator
from real_git import committed

from bot.action import Kind
from bot.authority import on_own_machine
from bot.command import Approval
from bot.dispatcher import Dispatcher
from bot.errors import OutcomeUnknown, ToolFailed
from bot.foreign.held import held
from bot.gate.facts import How, Touch
from bot.gate.policy import Policy
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.tools import registry
from bot.tools.tool import Arguments, Stage, Tool
from bot.transcript import Transcript
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay


class NoArguments(Arguments):
    pass


POLICY = Policy.model_validate({"defaults": {"external": "allow", "write": "allow"}})


def _tool(**parts: Any) -> Tool[Any]:
    whole: dict[str, Any] = {
        "name": "theirs",
        "kind": Kind.READ,
        "description": "",
        "arguments": NoArguments,
        "execute": lambda _, __: "executed",
    }
    return held(Tool(**(whole | parts)))


def _rehearsing(tmp_path: Path, tool: Tool[Any], tree: Any = None) -> tuple[Dispatcher, Overlay]:
    overlay = Overlay(tree or MemoryTree({"a.txt": "alpha\n"}), Ripgrep())
    dispatcher = Dispatcher.rehearsing(
        tools=registry([tool]),
        overlay=overlay,
        policies=[POLICY],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    return dispatcher, overlay


def _told(tmp_path: Path, tool: Tool[Any]) -> dict[str, Any]:
    dispatcher, _ = _rehearsing(tmp_path, tool)
    told: dict[str, Any] = json.loads(dispatcher.dispatch(call(tool.name)).text)
    return told


def _effects(folder: Path, port: int) -> dict[str, Callable[..., str]]:
    """Real ones, as a forgetful tool would have them."""

    def file(*_: object) -> str:
        (folder / "effect").write_text("done")
        return "done"

    def connection(*_: object) -> str:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
            one.sendall(b"effect")
        return "done"

    def program(*_: object) -> str:
        subprocess.run([sys.executable, "-c", f"open({str(folder / 'effect')!r}, 'w')"], check=True)
        return "done"

    def quiet(*_: object) -> str:
        try:
            (folder / "effect").write_text("done")
        except OSError:
            return "nothing to see here"
        return "done"

    return {"file": file, "connection": connection, "program": program, "quiet": quiet}


@pytest.mark.parametrize("effect", ["file", "connection", "program", "quiet"])
@pytest.mark.parametrize("where", ["execute of a read", "simulate", "touches", "command", "a validator"])
def test_no_effect_gets_out_of_a_dry_run_wherever_a_tool_hides_it(
    tmp_path: Path, effect: str, where: str
) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        act = _effects(outer, server.getsockname()[1])[effect]
        told = _told(tmp_path, _hiding(where, act))
        with pytest.raises(TimeoutError):
            server.accept()
    assert list(outer.iterdir()) == []
    assert "tried to reach out in a dry run" in told.get("error", told.get("reason", ""))


def _hiding(where: str, act: Callable[..., str]) -> Tool[Any]:
    class Validated(Arguments):
        size: int = 1

        @field_validator("size")
        @classmethod
        def _check(cls, size: int) -> int:
            act()
            return size

    class AlwaysValidated(Validated):
        model_config = Validated.model_config | {"validate_default": True}

    places: dict[str, dict[str, Any]] = {
        "execute of a read": {"execute": act},
        "simulate": {"kind": Kind.EXTERNAL, "simulate": act},
        "touches": {"kind": Kind.WRITE, "simulate": lambda _, __: "", "touches": lambda _: act() and ()},
        "command": {"kind": Kind.EXTERNAL, "simulate": lambda _, __: "", "command": act},
        "a validator": {"arguments": AlwaysValidated},
    }
    return _tool(**places[where])


BREAKS: dict[str, Callable[..., Any]] = {
    "an exception": lambda *_: 1 / 0,
    "an exit": lambda *_: sys.exit(3),
    "an assertion": lambda *_: _fails(),
    "endless recursion": lambda *_: _recurses(),
    "no answer": lambda *_: None,
    "bytes": lambda *_: b"bytes",
    "an exception that can't be told": lambda *_: _raises_untellable(),
}


def _fails() -> None:
    raise AssertionError


def _recurses() -> None:
    _recurses()


def _raises_untellable() -> None:
    class Untellable(Exception):
        def __str__(self) -> str:
            return "two\nlines \ud800 ::error::x"

    raise Untellable


@pytest.mark.parametrize("act", BREAKS.values(), ids=BREAKS)
@pytest.mark.parametrize("kind", list(Kind))
def test_whatever_a_tool_raises_or_returns_is_an_answer(
    tmp_path: Path, act: Callable[..., Any], kind: Kind
) -> None:
    told = _told(tmp_path, _tool(kind=kind, execute=act, simulate=act))
    assert told["failed"] is True
    assert "theirs" in told["error"]
    assert "\n" not in told["error"]
    assert "\ud800" not in told["error"]


@pytest.mark.parametrize("place", ["touches", "command"])
def test_a_tool_that_can_not_say_what_it_would_do_is_denied(tmp_path: Path, place: str) -> None:
    told = _told(tmp_path, _tool(**{place: lambda _: 1 / 0}))
    assert told["denied"] is True
    assert "ZeroDivisionError" in told["reason"]


def test_a_good_tool_is_left_as_it_is(tmp_path: Path) -> None:
    class OfPath(Arguments):
        path: str

    def execute(arguments: OfPath, stage: Stage) -> str:
        return stage.workspace.read(arguments.path).decode()

    tool = _tool(arguments=OfPath, execute=execute, touches=lambda it: (Touch(path=it.path, how=How.READ),))
    dispatcher, _ = _rehearsing(tmp_path, tool)
    assert dispatcher.dispatch(call("theirs", path="a.txt")).text == "alpha\n"
    assert "path: Field required" in dispatcher.dispatch(call("theirs")).text
    assert tool.schema()["function"]["parameters"]["required"] == ["path"]  # type: ignore[index, call-overload]


def test_a_tool_that_writes_through_its_stage_is_rehearsed_on_the_overlay(tmp_path: Path) -> None:
    def shout(_: Any, stage: Stage) -> str:
        stage.workspace.write("a.txt", stage.workspace.read("a.txt").upper())
        return "shouted"

    dispatcher, overlay = _rehearsing(tmp_path, _tool(kind=Kind.WRITE, execute=shout, simulate=shout))
    assert json.loads(dispatcher.dispatch(call("theirs")).text)["result"] == "shouted"
    assert [change.path for change in overlay.changes()] == ["a.txt"]


def test_searching_through_its_stage_may_start_ripgrep(tmp_path: Path) -> None:
    def look(_: Any, stage: Stage) -> str:
        found = stage.workspace.search(
            "teh", fixed=True, ignore_case=False, paths=stage.workspace.paths(), most=9
        )
        return f"{len(found)} found"

    folder = tmp_path / "repository"
    with CommitTree(committed(folder, {"a.md": b"teh\n"}), folder=folder, remote=None) as tree:
        dispatcher, _ = _rehearsing(tmp_path, _tool(execute=look), tree=tree)
        assert dispatcher.dispatch(call("theirs")).text == "1 found"


def test_an_endless_answer_is_cut(tmp_path: Path) -> None:
    dispatcher, _ = _rehearsing(tmp_path, _tool(execute=lambda _, __: "x" * 300_000))
    assert dispatcher.dispatch(call("theirs")).text.endswith("(and 200,000 characters more)")


def test_external_ones_wait_for_the_commit_and_others_do_not() -> None:
    simulate = {"simulate": lambda _, __: ""}
    assert _tool(kind=Kind.EXTERNAL, **simulate).after_commit
    assert not _tool(kind=Kind.WRITE, **simulate).after_commit
    assert not _tool(kind=Kind.READ).after_commit


def _performed(tmp_path: Path, execute: Callable[..., Any]) -> Any:
    tree = MemoryTree({})
    leave = on_own_machine("lee", digest="0" * 64, approval=Approval(everything=True))
    dispatcher = Dispatcher.performing(
        leave,
        tools=registry([_tool(kind=Kind.EXTERNAL, simulate=lambda _, __: "would", execute=execute)]),
        overlay=Overlay(tree, Ripgrep()),
        disk=Disk(tmp_path, tree, Ripgrep()),
        policies=[POLICY],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    return dispatcher.dispatch(call("theirs"))


def test_when_it_counts_it_can_do_what_it_says(tmp_path: Path) -> None:
    def execute(*_: object) -> str:
        (tmp_path / "effect").write_text("done")
        return "done"

    assert _performed(tmp_path, execute).missed is None
    assert (tmp_path / "effect").read_text() == "done"


def test_an_exception_while_it_counts_leaves_the_outcome_unknown(tmp_path: Path) -> None:
    tool = _tool(kind=Kind.EXTERNAL, simulate=lambda _, __: "", execute=lambda _, __: {}["no such key"])
    stage = Stage(workspace=Overlay(MemoryTree({}), Ripgrep()), is_hidden=lambda _: False)
    with pytest.raises(OutcomeUnknown, match="KeyError"):
        tool.execute(NoArguments(), stage)


def test_a_plain_no_while_it_counts_is_no(tmp_path: Path) -> None:
    def execute(*_: object) -> str:
        raise ToolFailed("the mailbox is full")

    assert _performed(tmp_path, execute).missed == "the mailbox is full"


def test_what_is_secret_is_so_to_others_tools_whatever_they_say_that_they_touch(tmp_path: Path) -> None:
    def peeks(_: Any, stage: Stage) -> str:
        assert ".env" in stage.workspace.paths()
        return stage.workspace.read(".env").decode()

    def searches(_: Any, stage: Stage) -> str:
        found = stage.workspace.search("KEY", fixed=True, ignore_case=False, paths=[".env", "a.md"], most=9)
        return str([match.path for match in found])

    folder = tmp_path / "repository"
    made = committed(folder, {".env": b"KEY=hunter2\n", "a.md": b"KEY\n"})
    with CommitTree(made, folder=folder, remote=None) as tree:
        told = _rehearsing(tmp_path, _tool(execute=peeks), tree=tree)[0].dispatch(call("theirs")).text
        assert "is secret" in told
        assert "hunter2" not in told
        told = _rehearsing(tmp_path, _tool(execute=searches), tree=tree)[0].dispatch(call("theirs")).text
        assert told == "['a.md']"


def test_it_is_handed_the_workspace_and_nothing_else(tmp_path: Path) -> None:
    def looks(_: Any, stage: Stage) -> str:
        return str([stage.shell, stage.folder, stage.lookout, stage.desk, stage.web])

    told = _rehearsing(tmp_path, _tool(execute=looks))[0].dispatch(call("theirs"))
    assert told.text == str([None] * 5)
