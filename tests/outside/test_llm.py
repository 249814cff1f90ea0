"""The openai client against a real HTTP server that misbehaves: a plain sentence each time."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType

import certifi
import pytest

from bot.demo.model import Raw, Said, ScriptedModel, ToolCall
from bot.errors import ModelFailed
from bot.outside.llm import OpenAiModel
from bot.world import Room

KEY = "sk-proj-Zm9vYmFyYmF6cXV4Zm9vYmFy"
MESSAGES = [{"role": "user", "content": "Hello"}]
TOOLS = [{"type": "function", "function": {"name": "grep", "description": "", "parameters": {}}}]


def _model(server: ScriptedModel, **fields: object) -> OpenAiModel:
    settings = {"model": "scripted-model", "api_key": KEY, "base_url": server.base_url, "retries": 0}
    return OpenAiModel(**(settings | fields))  # type: ignore[arg-type]


def _json(status: int, body: object, **headers: str) -> Raw:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Raw(
        status=status, headers={"Content-Type": "application/json"} | named, body=json.dumps(body).encode()
    )


def _error(status: int, message: str, **headers: str) -> Raw:
    return _json(status, {"error": {"message": message, "type": "x", "param": None, "code": None}}, **headers)


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel([Said(text="Hello, too.")]) as model:
        yield model


def test_a_request_holds_nothing_that_some_servers_refuse(server: ScriptedModel) -> None:
    turn = _model(server).ask(MESSAGES, tools=TOOLS)
    assert turn.text == "Hello, too."
    assert server.asked[0].body == {"model": "scripted-model", "messages": MESSAGES, "tools": TOOLS}
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def _walked(server: ScriptedModel, messages: int) -> int:
    """How often the client's walk through a body against its types was called for one question."""
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_name == "_transform_recursive"

    server.script = [Said(text="Hello, too.")]
    sys.setprofile(count)
    try:
        _model(server).ask(MESSAGES * messages, tools=TOOLS)
    finally:
        sys.setprofile(None)
    return calls


def test_the_client_walks_through_no_conversation(server: ScriptedModel) -> None:
    first = _walked(server, 1)
    assert 0 < first < 10
    assert _walked(server, 50) == first
    assert [len(one.body["messages"]) for one in server.asked] == [1, 50]


def test_calls_come_in_the_order_they_were_made(server: ScriptedModel) -> None:
    calls = [ToolCall(tool="grep", arguments={"text": "a"}), ToolCall(tool="x", arguments="{not json")]
    server.script = [Said(text="Look:", calls=calls)]
    turn = _model(server).ask(MESSAGES, tools=TOOLS)
    assert [(call.tool, call.arguments) for call in turn.calls] == [
        ("grep", '{"text": "a"}'),
        ("x", "{not json"),
    ]
    assert turn.text == "Look:"


REFUSALS = {
    "a wrong key": (_error(401, "Incorrect API key"), "401: Incorrect API key", "OPENAI_API_KEY"),
    "a key that may not": (_error(403, "No access"), "403: No access", "what the key may use"),
    "an unknown model": (_error(404, "No such model"), "404: No such model", "model.name"),
    "a retired service": (_error(410, "Gone"), "410: Gone", "was retired"),
    "too long a request": (_error(413, "Too large"), "413: Too large", "larger context window"),
    "too long a conversation": (
        _error(400, "This model's maximum context length is 8192 tokens."),
        "maximum context length",
        "larger context window",
    ),
    "a filter before the model": (_error(400, "content_filter"), "400: content_filter", "see the message"),
    "too many requests": (_error(429, "Slow down"), "429: Slow down", "wait"),
    "no money": (_error(429, "You exceeded your current quota"), "quota", "raise the account's limit"),
    "a fault of the server": (_error(500, "Oops"), "500: Oops", "see the message"),
    "a fault in another shape": (
        _json(500, {"detail": "Oops"}),
        '500: {"detail": "Oops"}',
        "see the message",
    ),
    "a gateway's page": (
        Raw(status=502, headers={"Content-Type": "text/html"}, body=b"<html>Bad Gateway</html>"),
        "502: a web page",
        "see the message",
    ),
    "nothing but a status": (Raw(status=503), "503", "see the message"),
    "a page instead of JSON": (Raw(body=b"<html>Welcome</html>"), "not JSON", "OPENAI_BASE_URL"),
    "half an answer": (Raw(body=b'{"choices": [{"mess'), "not JSON", "OPENAI_BASE_URL"),
    "bytes that are not text": (Raw(body=b"\xff\xfe\x00"), "not JSON", "OPENAI_BASE_URL"),
    "an answer as deep as a well": (Raw(body=b"[" * 100_000), "not JSON", "OPENAI_BASE_URL"),
    "nothing": (Raw(body=b""), "not JSON", "OPENAI_BASE_URL"),
    "an error that says 200": (_json(200, {"error": {"message": "Busy"}}), "error: Busy", "see the message"),
    "no choice": (_json(200, {"choices": []}), "without a message", "chat completions"),
    "a message of null": (_json(200, {"choices": [{"message": None}]}), "without a message", "try again"),
    "a lost connection": (Raw(drop=True), "can't be reached", "network"),
}


@pytest.mark.parametrize(("raw", "what", "next_step"), REFUSALS.values(), ids=REFUSALS)
def test_what_goes_wrong_is_said_in_a_sentence_with_a_next_step(
    server: ScriptedModel, raw: Raw, what: str, next_step: str
) -> None:
    server.faults = [raw]
    with pytest.raises(ModelFailed) as raised:
        _model(server).ask(MESSAGES, tools=TOOLS)
    assert what in raised.value.what
    assert next_step in raised.value.next_step
    assert "127.0.0.1" in raised.value.what
    assert len(raised.value.what) < 400


TRANSIENT = {
    "429 with a time to wait": _error(429, "Slow down", retry_after_ms="1"),
    "429 without one": _error(429, "Slow down"),
    "500": _error(500, "Oops", retry_after_ms="1"),
    "503 without a body": Raw(status=503, headers={"retry-after-ms": "1"}),
}


@pytest.mark.parametrize("raw", TRANSIENT.values(), ids=TRANSIENT)
def test_what_may_pass_is_tried_again(server: ScriptedModel, raw: Raw) -> None:
    server.faults = [raw]
    assert _model(server, retries=1).ask(MESSAGES, tools=TOOLS).text == "Hello, too."
    assert len(server.asked) == 2


def test_a_server_that_stays_busy_is_given_up(server: ScriptedModel) -> None:
    server.faults = [_error(429, "Slow down", retry_after_ms="1")] * 9
    with pytest.raises(ModelFailed, match="429: Slow down"):
        _model(server, retries=3).ask(MESSAGES, tools=TOOLS)
    assert len(server.asked) == 4


def test_a_model_that_must_not_reason_beside_tools_is_asked_once_more_without(server: ScriptedModel) -> None:
    said = "Function tools with reasoning_effort are not supported. Please set reasoning_effort to 'none'."
    server.faults = [_error(400, said)]
    model = _model(server)
    assert model.ask(MESSAGES, tools=TOOLS).text == "Hello, too."
    model.ask(MESSAGES, tools=TOOLS)
    assert [asked.body.get("reasoning_effort") for asked in server.asked] == [None, "none", "none"]


def test_a_server_that_refuses_that_as_well_is_not_asked_for_ever(server: ScriptedModel) -> None:
    server.faults = [_error(400, "reasoning_effort may not be 'none'")] * 9
    with pytest.raises(ModelFailed, match="reasoning_effort"):
        _model(server).ask(MESSAGES, tools=TOOLS)
    assert len(server.asked) == 2


def test_a_server_is_told_how_long_an_answer_may_be(server: ScriptedModel) -> None:
    _model(server).ask(MESSAGES, tools=TOOLS, room=Room(tokens=1234))
    assert server.asked[0].body["max_completion_tokens"] == 1234
    assert "max_tokens" not in server.asked[0].body


def test_a_server_that_knows_the_older_name_only_is_asked_once_more_by_that(server: ScriptedModel) -> None:
    server.faults = [_error(400, "Unrecognized request argument supplied: max_completion_tokens")]
    model = _model(server)
    assert model.ask(MESSAGES, tools=TOOLS, room=Room(tokens=1234)).text == "Hello, too."
    model.ask(MESSAGES, tools=TOOLS, room=Room(tokens=99))
    told = [(one.body.get("max_completion_tokens"), one.body.get("max_tokens")) for one in server.asked]
    assert told == [(1234, None), (None, 1234), (None, 99)]


def test_a_server_that_refuses_both_names_is_not_asked_without_a_limit(server: ScriptedModel) -> None:
    server.faults = [
        _error(400, "Unknown parameter: max_completion_tokens"),
        _error(400, "Unknown parameter: max_tokens"),
        _error(500, "not reached"),
    ]
    with pytest.raises(ModelFailed, match="Unknown parameter: max_tokens"):
        _model(server).ask(MESSAGES, tools=TOOLS, room=Room(tokens=1234))
    assert len(server.asked) == 2


def test_a_model_with_shorter_answers_is_asked_once_more_for_less(server: ScriptedModel) -> None:
    said = "max_tokens is too large: 16384. This model supports at most 4096 completion tokens."
    server.faults = [_error(400, said)]
    model = _model(server)
    model.ask(MESSAGES, tools=TOOLS, room=Room(tokens=16_384))
    model.ask(MESSAGES, tools=TOOLS, room=Room(tokens=16_384))
    assert [one.body["max_completion_tokens"] for one in server.asked] == [16_384, 4096, 4096]


def test_an_answer_takes_no_longer_than_the_time_that_is_left(server: ScriptedModel) -> None:
    server.faults = [Raw(body=b"{}", delay_s=60)] * 4
    began = time.monotonic()
    with pytest.raises(ModelFailed, match=r"did not answer within 0\.\d+ seconds"):
        _model(server, retries=3).ask(MESSAGES, tools=TOOLS, room=Room(seconds=0.2))
    assert time.monotonic() - began < 30
    assert len(server.asked) == 1


def test_all_tries_together_take_no_longer_either(server: ScriptedModel) -> None:
    server.faults = [_error(503, "Busy", retry_after_ms="400")] * 9
    began = time.monotonic()
    with pytest.raises(ModelFailed, match="503: Busy"):
        _model(server, retries=8).ask(MESSAGES, tools=TOOLS, room=Room(seconds=1.0))
    assert time.monotonic() - began < 1.9
    assert 1 <= len(server.asked) <= 3


def test_a_server_that_wants_an_hour_is_not_waited_for(server: ScriptedModel) -> None:
    server.faults = [_error(429, "Come back later", retry_after="3600")]
    with pytest.raises(ModelFailed, match="Come back later"):
        _model(server, retries=3).ask(MESSAGES, tools=TOOLS)
    assert len(server.asked) == 1


def test_a_server_that_does_not_answer_in_time_is_given_up(server: ScriptedModel) -> None:
    server.faults = [Raw(body=b"{}", delay_s=60)]
    began = time.monotonic()
    with pytest.raises(ModelFailed, match=r"did not answer within 0\.2 seconds"):
        _model(server, timeout_s=0.2).ask(MESSAGES, tools=TOOLS)
    assert time.monotonic() - began < 30


LOST = {
    # A server that says that it failed, or was asked something else, has made no answer.
    "a wrong key": (_error(401, "No"), 0),
    "too many requests": (_error(429, "Slow down", retry_after_ms="1"), 0),
    "a fault of the server": (_error(500, "Oops", retry_after_ms="1"), 0),
    "an overloaded server": (_error(503, "Busy", retry_after_ms="1"), 0),
    # A gateway only says that it heard of none, and a line that broke says nothing.
    "a gateway that gave up": (_error(504, "Timeout", retry_after_ms="1"), 1),
    "a gateway with a bad answer": (_error(502, "Bad Gateway", retry_after_ms="1"), 1),
    "Cloudflare's own": (Raw(status=524, headers={"retry-after-ms": "1"}), 1),
    "a lost connection": (Raw(drop=True), 1),
    "silence": (Raw(body=b"{}", delay_s=60), 1),
    "half an answer": (Raw(body=b'{"choices": [{"mess'), 1),
    "a page instead of JSON": (Raw(body=b"<html>Welcome</html>"), 1),
    "no choice": (_json(200, {"choices": []}), 1),
    "an error that says 200": (_json(200, {"error": {"message": "Busy"}}), 1),
}


@pytest.mark.parametrize(("raw", "lost"), LOST.values(), ids=LOST)
def test_a_try_that_may_have_been_answered_counts_as_lost(server: ScriptedModel, raw: Raw, lost: int) -> None:
    server.faults = [raw]
    with pytest.raises(ModelFailed) as raised:
        _model(server, timeout_s=0.3 if raw.delay_s else 30).ask(MESSAGES, tools=TOOLS)
    assert raised.value.lost == lost


NEVER_SENT = {
    "nobody is there": "http://127.0.0.1:9/v1",
    "no such host": "http://nowhere.invalid/v1",
    "no address": "hunter2",
}


@pytest.mark.parametrize("address", NEVER_SENT.values(), ids=NEVER_SENT)
def test_what_was_never_sent_is_not_lost(address: str) -> None:
    with pytest.raises(ModelFailed) as raised:
        OpenAiModel(model="m", api_key=KEY, base_url=address, retries=0).ask(MESSAGES, tools=TOOLS)
    assert raised.value.lost == 0


def test_tries_that_were_lost_before_an_answer_came_are_told_with_it(server: ScriptedModel) -> None:
    gone = _error(502, "Bad Gateway", retry_after_ms="1")
    server.faults = [gone, _error(429, "Slow down", retry_after_ms="1"), gone]
    turn = _model(server, retries=3).ask(MESSAGES, tools=TOOLS, room=Room(spare=2))
    assert (turn.text, turn.lost, turn.usage.calls) == ("Hello, too.", 2, 1)


def test_no_try_is_made_that_there_is_no_room_for(server: ScriptedModel) -> None:
    server.faults = [_error(502, "Bad Gateway", retry_after_ms="1")] * 9
    with pytest.raises(ModelFailed, match="502: Bad Gateway") as raised:
        _model(server, retries=8).ask(MESSAGES, tools=TOOLS, room=Room(spare=1))
    assert (len(server.asked), raised.value.lost) == (2, 2)


class _Trickle(BaseHTTPRequestHandler):
    """A blank every 50 ms: each read is in time, and the answer never ends."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(200):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Silence."""


class _Flood(_Trickle):
    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(64):
                self.wfile.write(b" " * 1024 * 1024)
        except OSError:
            return


class _BrokenOff(_Trickle):
    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b'{"choices"')


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


ENDLESS = {
    "in drops": (_Trickle, "did not answer within 0.3 seconds"),
    "in floods": (_Flood, "more than 16,777,216 bytes"),
    "cut off": (_BrokenOff, "can't be reached"),
}


@pytest.mark.parametrize(("handler", "said"), ENDLESS.values(), ids=ENDLESS)
def test_an_answer_that_does_not_end_is_given_up(handler: type[BaseHTTPRequestHandler], said: str) -> None:
    timeout_s = 0.3 if handler is _Trickle else 20.0
    with _serving(handler) as url:
        model = OpenAiModel(model="m", api_key=KEY, base_url=url, timeout_s=timeout_s, retries=0)
        with pytest.raises(ModelFailed) as raised:
            model.ask(MESSAGES, tools=TOOLS)
    assert said in raised.value.what
    assert raised.value.lost == 1


def test_a_key_that_a_server_repeats_is_not_repeated(server: ScriptedModel) -> None:
    server.faults = [_error(401, f"Incorrect API key provided: {KEY}. Find yours at example.com.")]
    with pytest.raises(ModelFailed) as raised:
        _model(server).ask(MESSAGES, tools=TOOLS)
    assert KEY not in raised.value.what
    assert KEY[-12:] not in raised.value.what
    assert "***" in raised.value.what


ADDRESSES = {
    "a password": ("http://user:hunter2hunter2@127.0.0.1:9/v1", "can't be reached"),
    "a key in the query": ("http://127.0.0.1:9/v1?api-key=hunter2hunter2", "can't be reached"),
    "no address": ("hunter2hunter2", "is no address"),
    "no protocol": ("hunter2hunter2.example:8080/v1", "is no address"),
    "brackets": ("http://[hunter2hunter2", "can't be reached"),
}


@pytest.mark.parametrize(("address", "said"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_that_holds_a_secret_is_not_repeated(address: str, said: str) -> None:
    model = OpenAiModel(model="m", api_key=KEY, base_url=address, retries=0)
    with pytest.raises(ModelFailed) as raised:
        model.ask(MESSAGES, tools=TOOLS)
    assert "hunter2" not in raised.value.what
    assert said in raised.value.what


def test_a_key_is_in_no_printed_form_of_the_model() -> None:
    assert KEY not in repr(OpenAiModel(model="m", api_key=KEY))


def test_a_key_that_was_pasted_with_a_line_feed_works(server: ScriptedModel) -> None:
    _model(server, api_key=f" {KEY}\n").ask(MESSAGES, tools=TOOLS)
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines", "\N{ZERO WIDTH SPACE}sk"])
def test_a_key_that_no_header_can_hold_is_a_sentence(server: ScriptedModel, key: str) -> None:
    with pytest.raises(ModelFailed) as raised:
        _model(server, api_key=key).ask(MESSAGES, tools=TOOLS)
    assert "OPENAI_API_KEY" in raised.value.next_step
    assert key not in raised.value.what


_TWICE = """
import os, sys
from bot.outside.llm import OpenAiModel

model = OpenAiModel(model="m", api_key="none", base_url=sys.argv[1])
print(model.ask([{"role": "user", "content": "Hello"}], tools=[]).text)
os.remove(os.environ["SSL_CERT_FILE"])
print(model.ask([{"role": "user", "content": "Hello"}], tools=[]).text)
"""


def test_what_the_machine_trusts_is_read_once_in_a_run(server: ScriptedModel, tmp_path: Path) -> None:
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(Path(certifi.where()).read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", _TWICE, server.base_url],
        env={"SSL_CERT_FILE": str(trusted)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.splitlines(), done.stderr) == (["Hello, too."] * 2, "")


def test_half_a_character_does_not_break_the_request(server: ScriptedModel) -> None:
    _model(server).ask([{"role": "user", "content": "a name: \udcff"}], tools=TOOLS)
    assert server.asked[0].messages[0]["content"] == r"a name: \udcff"
