"""Real servers, over stdio and over HTTP, well-behaved and not."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.config import McpServer
from bot.errors import BadConfig, BadTool, OutcomeUnknown, ToolFailed
from bot.outside.mcp_servers import mcp_tools
from bot.tools.tool import Tool

SAMPLE = str(Path(__file__).parent.parent / "mcp_sample.py")
LIAR = str(Path(__file__).parent.parent / "mcp_liar.py")
# It starts a hundred times as soon as the sample.
HONEST = [sys.executable, LIAR, "in nothing"]
ENVIRON = {
    "PATH": os.environ["PATH"],
    "GITHUB_TOKEN": "ghs_secret",
    "TICKETS_TOKEN": "for the server",
    "OTHER_SECRET": "not for it",
    "HOME": "/root-of-the-job",
}
READS = {name: {"kind": "read"} for name in ("search", "environment", "spies", "fails", "sleeps")}
MADE_UP = {"kind": "external", "simulate": {"from_output_schema": True}}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return _first(tmp_path / "store")


def _first(file: Path) -> Path:
    file.write_text("First\n")
    return file


def _server(tools: Mapping[str, Any], **how: Any) -> McpServer:
    started = {"command": [sys.executable, SAMPLE], "env": ["STORE", "TICKETS_TOKEN"]}
    return McpServer.model_validate((started | how) | {"tools": tools})


class Opened:
    """The tools of one server, by their own names."""

    def __init__(self, tools: tuple[Tool[Any], ...]) -> None:
        self._tools = {tool.name.partition(".")[2]: tool for tool in tools}

    def __call__(self, name: str, **arguments: Any) -> str:
        tool = self._tools[name]
        stage: Any = None
        return tool.execute(tool.arguments.model_validate_json(json.dumps(arguments)), stage)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "store"


@pytest.fixture(scope="module")
def tickets(kept: Path) -> Iterator[Opened]:
    """One server for all who leave it as it was: to start it takes seconds."""
    with mcp_tools(
        {"tickets": _server(READS | {"create": MADE_UP})}, ENVIRON | {"STORE": str(kept)}
    ) as tools:
        yield Opened(tools)


def test_a_tool_is_asked_and_answers(tickets: Opened, kept: Path) -> None:
    store = _first(kept)
    assert tickets("search", word="Fir") == "First"
    assert json.loads(tickets("create", title="Second")) == {"id": "T-2", "number": 2, "open": True}
    assert store.read_text() == "First\nSecond\n"


def test_a_server_gets_the_variables_that_are_named_and_no_others(tickets: Opened) -> None:
    got = json.loads(tickets("environment"))
    assert "TICKETS_TOKEN" in got
    assert "not for it" not in got.values()
    assert "ghs_secret" not in got.values()
    assert set(got) <= {"PATH", "HOME", "STORE", "TICKETS_TOKEN", "LC_CTYPE"}
    assert got["HOME"] not in {ENVIRON["HOME"], os.environ.get("HOME")}


def test_what_a_server_was_handed_is_taken_out_of_its_answers(tickets: Opened, kept: Path) -> None:
    assert json.loads(tickets("environment"))["TICKETS_TOKEN"] == "***"
    kept.write_text("a ticket that holds: for the server!\n")
    assert tickets("search", word="ticket") == "a ticket that holds: ***!"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_server_can_not_look_into_this_process(tickets: Opened) -> None:
    assert json.loads(tickets("spies")) == []


def test_a_tool_that_says_it_failed_has_failed(tickets: Opened) -> None:
    with pytest.raises(ToolFailed) as raised:
        tickets("fails")
    assert not isinstance(raised.value, OutcomeUnknown)


def test_a_server_that_dies_in_the_middle_leaves_the_outcome_unknown(store: Path) -> None:
    server = _server({"search": READS["search"], "dies": MADE_UP})
    with mcp_tools({"tickets": server}, ENVIRON | {"STORE": str(store)}) as tools:
        tickets = Opened(tools)
        with pytest.raises(OutcomeUnknown, match="tickets gave no answer"):
            tickets("dies")
        assert store.read_text() == "First\ndied\n"
        with pytest.raises(ToolFailed):
            tickets("search", word="x")


def test_the_servers_end_with_the_block(store: Path) -> None:
    with mcp_tools({"tickets": _server(READS)}, ENVIRON | {"STORE": str(store)}) as tools:
        home = Path(json.loads(Opened(tools)("environment"))["HOME"])
        assert home.is_dir()
    assert not home.exists()


class Mishap(Exception):
    """Of the run itself."""


def test_what_ends_a_run_comes_out_of_the_block_as_it_was() -> None:
    with (
        pytest.raises(Mishap, match="as it was"),
        mcp_tools({"tickets": _server({"search": READS["search"]}, command=HONEST)}, ENVIRON),
    ):
        raise Mishap("as it was")


def test_several_servers_are_told_apart_by_name() -> None:
    server = _server({"search": READS["search"]}, command=HONEST)
    with mcp_tools({"one": server, "two": server}, ENVIRON) as tools:
        assert [tool.name for tool in tools] == ["one.search", "two.search"]


def test_no_server_starts_nothing() -> None:
    with mcp_tools({}, {}) as tools:
        assert tools == ()


BAD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "a tool that it does not have": ({"serch": {"kind": "read"}}, {"command": HONEST}, "has no tool 'serch'"),
    "a command that is not there": (
        {},
        {"command": ["no-such-program-anywhere"]},
        "No such file or directory",
    ),
    "a program that ends": (
        {},
        {"command": [sys.executable, "-c", "import sys; sys.exit('out of order')"]},
        "it said: out of order",
    ),
    "a program that speaks something else": ({}, {"command": ["/bin/echo", "hello"]}, "can't be used"),
    "an address where nobody is": ({}, {"command": [], "url": "http://127.0.0.1:9/mcp"}, "can't be used"),
    "a tool that takes the bot's own word": (
        {"intent_is_mine": {"kind": "external", "simulate": {"result": {"result": "x"}}}},
        {},
        "has an argument called intent",
    ),
}


@pytest.mark.parametrize(("tools", "how", "why"), BAD.values(), ids=BAD)
def test_what_can_not_be_used_stops_the_start_by_name(
    store: Path, tools: dict[str, Any], how: dict[str, Any], why: str
) -> None:
    with (
        pytest.raises(BadTool) as raised,
        mcp_tools({"tickets": _server(tools, **how)}, ENVIRON | {"STORE": str(store)}),
    ):
        pass
    assert "tickets" in raised.value.what
    assert why in raised.value.what


@pytest.mark.parametrize(
    "variable", ["GITHUB_TOKEN", "OPENAI_API_KEY", "ACTIONS_RUNTIME_TOKEN", "INPUT_SIGNING_KEY"]
)
def test_the_bots_own_secrets_can_not_be_handed_over(variable: str) -> None:
    with (
        pytest.raises(BadConfig, match=variable),
        mcp_tools({"tickets": _server({}, env=[variable])}, ENVIRON | {variable: "x"}),
    ):
        pass


@pytest.fixture
def address(store: Path) -> Iterator[str]:
    """Where the same server listens, over HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, SAMPLE, str(port)],
                env={"PATH": os.environ["PATH"], "STORE": str(store)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        stack.callback(process.kill)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"


def test_a_server_is_reached_over_http(address: str, store: Path) -> None:
    tools = {"search": {"kind": "read"}, "create": MADE_UP}
    server = _server(tools, command=[], url=address, headers={"Authorization": "Bearer ${TICKETS_TOKEN}"})
    with mcp_tools({"tickets": server}, ENVIRON) as opened:
        assert Opened(opened)("search", word="Fir") == "First"
        Opened(opened)("create", title="Second")
    assert store.read_text() == "First\nSecond\n"


LIES: dict[str, str] = {
    "a list that never ends": "its list of tools does not end after 100 pages",
    "two tools of one name": "it has two tools that are called 'search'",
}


@pytest.mark.parametrize(("how", "why"), LIES.items(), ids=LIES)
def test_a_list_that_is_none_stops_the_start(how: str, why: str) -> None:
    server = _server({"search": READS["search"]}, command=[sys.executable, LIAR, how])
    with pytest.raises(BadTool, match=why), mcp_tools({"tickets": server}, ENVIRON):
        pass


TOLD: dict[str, str] = {
    "questions back": "Sampling not supportedInvalid request parametersList roots not supported",
    "no JSON": "fine",
    "another's answer": "fine",
    "an endless answer": "x" * 100_000 + "\n(and 4,900,000 characters more)",
}


@pytest.mark.parametrize(("how", "told"), TOLD.items(), ids=TOLD)
def test_what_a_server_does_beside_answering_changes_nothing_and_is_logged_nowhere(
    how: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    server = _server({"search": READS["search"]}, command=[sys.executable, LIAR, how])
    with mcp_tools({"tickets": server}, ENVIRON) as tools:
        assert Opened(tools)("search") == told
    assert capfd.readouterr() == ("", "")


def test_an_answer_of_another_shape_leaves_the_outcome_unknown() -> None:
    server = _server({"search": READS["search"]}, command=[sys.executable, LIAR, "a result of another shape"])
    with mcp_tools({"tickets": server}, ENVIRON) as tools, pytest.raises(OutcomeUnknown):
        Opened(tools)("search")
