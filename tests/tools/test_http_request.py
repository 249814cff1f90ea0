import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fakes import MemoryTree, call

from bot.dispatcher import Dispatcher
from bot.errors import ToolFailed
from bot.gate.facts import Earlier, facts_of
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.proposal import propose
from bot.tools import registry
from bot.tools.http_request import HTTP_REQUEST, HttpRequest, address
from bot.tools.tool import Stage
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay

HOSTS = {"hosts": ["api.example.com", "*.parts.example"], "tools": {"http_request": "allow"}}


def _dispatched(tmp_path: Path, **arguments: Any) -> Any:
    dispatcher = Dispatcher.rehearsing(
        tools=registry([HTTP_REQUEST]),
        overlay=Overlay(MemoryTree({}), Ripgrep()),
        policies=[Policy.model_validate(HOSTS)],
        transcript=Transcript.begin(tmp_path / "transcript.jsonl"),
    )
    return dispatcher.dispatch(call("http_request", **arguments))


ALLOWED = {
    "a get": {"url": "https://api.example.com/v1?q=1#part"},
    "a port": {"url": "https://api.example.com:8443/"},
    "capitals": {"url": "https://API.Example.COM/"},
    "below a wildcard": {"url": "https://deep.down.parts.example/x"},
    "a post": {
        "url": "https://api.example.com/",
        "method": "POST",
        "body": "{}",
        "headers": {"Content-Type": "application/json"},
    },
}


@pytest.mark.parametrize("arguments", ALLOWED.values(), ids=ALLOWED)
def test_a_listed_host_is_rehearsed_and_nobody_is_asked(tmp_path: Path, arguments: dict[str, Any]) -> None:
    answer = _dispatched(tmp_path, **arguments)
    told = json.loads(answer.text)
    assert answer.verdict.outcome == "allow"
    assert "was not sent" in told["result"]


NOT_LISTED = (
    "https://evil.example/",
    "https://api.example.com.evil.example/",
    "https://parts.example/",
    "https://xparts.example/",
    "https://api.example.com@evil.example/",
    "https://evil.example/?x=https://api.example.com",
    "https://evil.example#@api.example.com",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://",
    "nonsense",
    "",
)


@pytest.mark.parametrize("url", NOT_LISTED)
def test_what_the_policy_does_not_list_is_denied(tmp_path: Path, url: str) -> None:
    assert _dispatched(tmp_path, url=url).verdict.outcome == "deny"


MALFORMED: Mapping[str, dict[str, Any]] = {
    "no encryption": {"url": "http://api.example.com/"},
    "another scheme": {"url": "file://api.example.com/etc/passwd"},
    "a password": {"url": "https://me:secret@api.example.com/"},
    "a name alone": {"url": "https://me@api.example.com/"},
    "a backslash": {"url": "https://api.example.com\\@evil.example/"},
    "a space": {"url": "https://api.example.com/a b"},
    "a line end": {"url": "https://api.example.com/\r\nHost: evil.example"},
    "a letter that only looks like one": {"url": "https://api.example.com/\u2215x"},
    "port nought": {"url": "https://api.example.com:0/"},
    "a port that is none": {"url": "https://api.example.com:99999/"},
    "a body for a get": {"url": "https://api.example.com/", "body": "x"},
    "a host of one's own": {"url": "https://api.example.com/", "headers": {"Host": "evil.example"}},
    "a length of one's own": {"url": "https://api.example.com/", "headers": {"content-length": "3"}},
    "a cookie": {"url": "https://api.example.com/", "headers": {"Cookie": "a=b"}},
    "a header in two lines": {"url": "https://api.example.com/", "headers": {"X": "a\r\nY: b"}},
    "a header that is none": {"url": "https://api.example.com/", "headers": {"a b": "c"}},
    "a method of its own": {"url": "https://api.example.com/", "method": "CONNECT"},
    "a huge body": {"url": "https://api.example.com/", "method": "POST", "body": "x" * 100_001},
}


@pytest.mark.parametrize("arguments", MALFORMED.values(), ids=MALFORMED)
def test_what_two_readers_could_take_for_two_requests_is_none(
    tmp_path: Path, arguments: dict[str, Any]
) -> None:
    assert not _dispatched(tmp_path, **arguments).step.is_performed


@pytest.mark.parametrize("url", [*NOT_LISTED, *(str(one["url"]) for one in MALFORMED.values())])
def test_the_tool_and_the_gate_see_the_same_host(url: str) -> None:
    """Or what was judged would not be what is asked."""
    try:
        host = address(url).hostname
    except ToolFailed:
        return
    proposal = propose(call("http_request", url=url), registry([HTTP_REQUEST]))
    tree = Overlay(MemoryTree({}), Ripgrep())
    facts = facts_of(proposal.action, touches=(), command=None, tree=tree, earlier=Earlier())
    assert facts.host == host


def test_without_a_web_nothing_is_sent() -> None:
    stage = Stage(workspace=Overlay(MemoryTree({}), Ripgrep()), is_hidden=lambda _: False)
    with pytest.raises(ToolFailed, match="can't be sent here"):
        HTTP_REQUEST.execute(HttpRequest(url="https://api.example.com/"), stage)
