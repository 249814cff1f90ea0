"""Tools of installed packages: the documented example is found on disk as pip would leave it."""

import json
import re
import socketserver
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree, call

from bot.action import Kind
from bot.authority import on_own_machine
from bot.command import Approval
from bot.dispatcher import Dispatcher
from bot.errors import BadTool
from bot.foreign.plugins import GROUP, known_tools, plugin_tools
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.tools import TOOLS, registry, tools_digest
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay

DOCS = (Path(__file__).parents[2] / "docs/tools.md").read_text()
EXAMPLE = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)[0]
POLICY = Policy.model_validate({"tools": {"send_email": "ask"}})


def _installed(
    folder: Path, module: str, *, source: str, version: str = "1.0", name: str = "SEND_EMAIL"
) -> None:
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{module.replace('_', '-')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nsend_email = {module}:{name}\n")


def _points(folder: Path) -> list[EntryPoint]:
    return [
        point
        for one in distributions(path=[str(folder)])
        for point in one.entry_points
        if point.group == GROUP
    ]


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name, module in sys.modules.items() if str(folder) in str(module)]:
        del sys.modules[name]


class _Mail(socketserver.StreamRequestHandler):
    """As much SMTP as takes one message."""

    def handle(self) -> None:
        self.wfile.write(b"220 mail\r\n")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                body = b""
                while (text := self.rfile.readline()) != b".\r\n":
                    body += text
                self.server.mails.append(body)  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")


@pytest.fixture
def mails(tmp_path: Path) -> Iterator[list[bytes]]:
    """What a mail server got, whose address the example reads from the environment."""
    import os

    (tmp_path / "suppressed").write_text("never@our.example\n")
    (tmp_path / "sent").write_text("")
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Mail) as server:
        server.mails = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mine = {
            "SUPPRESSED": str(tmp_path / "suppressed"),
            "SENT_TODAY": str(tmp_path / "sent"),
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(server.server_address[1]),
        }
        os.environ.update(mine)
        yield server.mails  # type: ignore[attr-defined]
        for name in mine:
            del os.environ[name]
        server.shutdown()


@pytest.fixture
def tool(packages: Path) -> Tool[Any]:
    _installed(packages, "our_tools", source=EXAMPLE)
    [found] = plugin_tools(_points(packages))
    return found


def _dispatched(tmp_path: Path, tool: Tool[Any], *, performing: bool = False, **arguments: Any) -> Any:
    tree = MemoryTree({})
    how: dict[str, Any] = {
        "tools": registry([*TOOLS.values(), tool]),
        "overlay": Overlay(tree, Ripgrep()),
        "policies": [POLICY],
        "transcript": Transcript.begin(tmp_path / "transcript.jsonl"),
    }
    leave = on_own_machine("lee", digest="0" * 64, approval=Approval(everything=True))
    dispatcher = (
        Dispatcher.performing(leave, disk=Disk(tmp_path, tree, Ripgrep()), **how)
        if performing
        else Dispatcher.rehearsing(**how)
    )
    return dispatcher.dispatch(call("send_email", **({"subject": "Hi", "body": "Hello."} | arguments)))


def test_the_documented_example_is_rehearsed_and_nothing_is_sent(
    tmp_path: Path, tool: Tool[Any], mails: list[bytes]
) -> None:
    answer = _dispatched(tmp_path, tool, to="mona@our.example")
    told = json.loads(answer.text)
    assert (told["simulated"], told["result"]) == (True, "An e-mail to mona@our.example: Hi")
    assert told["id"] == _dispatched(tmp_path, tool, to="mona@our.example").step.id
    assert answer.verdict.outcome == "ask"
    assert mails == []
    assert (tmp_path / "sent").read_text() == ""
    assert f'"simulated_call":"{told["id"]}"' in (tmp_path / "transcript.jsonl").read_text()


def test_a_suppressed_address_fails_in_the_rehearsal_already(
    tmp_path: Path, tool: Tool[Any], mails: list[bytes]
) -> None:
    answer = _dispatched(tmp_path, tool, to="Never@our.example")
    assert "suppression list" in json.loads(answer.text)["error"]
    assert not answer.step.is_performed


def test_the_daily_cap_fails_in_the_rehearsal_already(
    tmp_path: Path, tool: Tool[Any], mails: list[bytes]
) -> None:
    (tmp_path / "sent").write_text("someone@our.example\n" * 50)
    assert "daily cap of 50" in json.loads(_dispatched(tmp_path, tool, to="mona@our.example").text)["error"]


def test_when_it_is_performed_the_mail_arrives_once(
    tmp_path: Path, tool: Tool[Any], mails: list[bytes]
) -> None:
    assert _dispatched(tmp_path, tool, performing=True, to="mona@our.example").missed is None
    assert [b"Subject: Hi" in mail for mail in mails] == [True]
    assert (tmp_path / "sent").read_text() == "mona@our.example\n"


def test_the_example_is_as_short_as_it_says() -> None:
    """Ten lines for each of its two functions and the tool, imports and blank lines aside."""
    functions = [part for part in re.split(r"\n\n\n", EXAMPLE) if part.startswith(("def ", "SEND_EMAIL"))]
    assert len(functions) == 3
    assert all(len(part.strip().splitlines()) <= 10 for part in functions)


def test_the_entry_point_of_the_documentation_is_the_group_that_is_read() -> None:
    assert f'[project.entry-points."{GROUP}"]' in DOCS


def test_a_plan_is_bound_to_the_version_of_the_package(packages: Path, tmp_path: Path) -> None:
    _installed(packages, "our_tools", source=EXAMPLE)
    newer = tmp_path / "newer"
    newer.mkdir()
    _installed(newer, "our_tools", source=EXAMPLE, version="1.1")
    digests = {tools_digest(registry(plugin_tools(_points(folder)))) for folder in (packages, newer)}
    assert len(digests) == 2


MISTAKES = {
    "a module that is not there": (None, "can't be loaded: ModuleNotFoundError"),
    "a module that breaks": ("1 / 0\n", "can't be loaded: ZeroDivisionError"),
    "a module that exits": ("raise SystemExit(3)\n", "can't be loaded: SystemExit"),
    "a module that writes while it is imported": (
        f"from pathlib import Path\nPath(__file__ + '.done').write_text('x')\n{EXAMPLE}",
        "can't be loaded: PermissionError: open (",
    ),
    "a module that connects while it is imported": (
        f"import socket\nsocket.create_connection(('127.0.0.1', 9))\n{EXAMPLE}",
        "can't be loaded: PermissionError: socket.getaddrinfo (127.0.0.1)",
    ),
    "a module that starts a program while it is imported": (
        f"import subprocess\nsubprocess.run(['true'])\n{EXAMPLE}",
        "can't be loaded: PermissionError: subprocess.Popen (true",
    ),
    "a name that is not in it": ("X = 1\n", "can't be loaded: AttributeError"),
    "something that is no tool": ("SEND_EMAIL = print\n", "is builtin_function_or_method, and no Tool"),
    "a tool without simulate": (
        EXAMPLE.replace("    simulate=simulate,\n", ""),
        "has kind 'external' and no `simulate`",
    ),
    "a tool without kind": (EXAMPLE.replace("kind=Kind.EXTERNAL", "kind=None"), "has no kind"),
    "arguments that are none": (
        EXAMPLE.replace("arguments=Email", "arguments=dict"),
        "is not well made",
    ),
    "arguments that no schema describes": (
        EXAMPLE.replace(
            "    to: str\n", "    to: type(lambda: 0)\n    model_config = {'arbitrary_types_allowed': True}\n"
        ),
        "is not well made",
    ),
    "a tool whose name no server takes": (
        EXAMPLE.replace('name="send_email"', 'name="send email"'),
        "'send email' can't be the name of a tool",
    ),
}


@pytest.mark.parametrize(("source", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_tool_that_can_not_be_used_stops_the_start_by_name(
    packages: Path, source: str | None, said: str
) -> None:
    _installed(packages, "broken_tools", source=source or "")
    if source is None:
        (packages / "broken_tools.py").unlink()
    with pytest.raises(BadTool) as raised:
        plugin_tools(_points(packages))
    assert raised.value.what.startswith("The tool 'send_email' of broken_tools 1.0")
    assert said in raised.value.what
    assert not list(packages.glob("*.done"))


def test_a_tool_may_not_take_the_name_of_ours(packages: Path) -> None:
    _installed(packages, "our_tools", source=EXAMPLE.replace('name="send_email"', 'name="write_file"'))
    with pytest.raises(BadTool, match="Two tools are called 'write_file'"):
        registry([*TOOLS.values(), *plugin_tools(_points(packages))])


def test_without_a_package_there_is_no_tool() -> None:
    assert plugin_tools([]) == ()


def test_they_are_external_and_wait_for_the_commit(tool: Tool[Any]) -> None:
    assert (tool.kind, tool.after_commit) == (Kind.EXTERNAL, True)


def test_what_is_known_is_ours_and_theirs_by_name() -> None:
    known = known_tools()
    assert {"write_file", "run_command", "add_labels", "http_request"} <= set(known)
    assert all(known[name].name == name for name in known)
