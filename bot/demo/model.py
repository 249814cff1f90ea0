"""A scripted model behind an OpenAI-compatible address on loopback; its name says that it is one.

What it answers depends on the messages alone: the turn is the number of answers already among them. So two
conversations at once, and a conversation resumed, get what they would have got alone.
"""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Self, TypeAlias

from bot.dataclass import dataclass
from bot.demo.loopback import Loopback

NAME = "scripted-model"

_LETTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """`arguments` are turned into JSON; a string is sent as it is, valid or not."""

    tool: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One answer of the model. `finish` None: what OpenAI's servers would say for this."""

    text: str = ""
    calls: Sequence[ToolCall] = ()
    finish: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Whatever bytes, after whatever time; `drop` closes the connection instead."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    drop: bool = False


Messages: TypeAlias = "list[dict[str, Any]]"
Line: TypeAlias = "Said | Raw | Callable[[Messages], Said | Raw]"
Script: TypeAlias = "Sequence[Line] | Callable[[Messages], Said | Raw]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> Messages:
        return list(self.body.get("messages", []))


class ScriptedModel:
    """`with ScriptedModel([...]) as model:` serves the script at `model.base_url` until the block ends.

    Past the end of a list of lines it answers that its script is over, which ends a run. `asked` keeps every
    request; `faults` are served first, one a request, whatever the messages say.
    """

    def __init__(self, script: Script, *, port: int = 0) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.faults: list[Raw] = []
        self._server = _Server(self, port=port)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()

    @property
    def base_url(self) -> str:
        """For OPENAI_BASE_URL."""
        return f"{self._server.url}/v1"

    def line(self, messages: Messages) -> Said | Raw:
        if callable(self.script):
            return self.script(messages)
        turn = sum(message.get("role") == "assistant" for message in messages)
        if turn >= len(self.script):
            return Said(text="(The script is over.)")
        line = self.script[turn]
        return line if isinstance(line, Said | Raw) else line(messages)


def completion(line: Said, body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer in OpenAI's shape. Ids are numbered by turn and call; tokens are counted from lengths."""
    messages = body.get("messages", [])
    turn = sum(message.get("role") == "assistant" for message in messages)
    calls = [
        {
            "id": f"call_{turn}_{number}",
            "type": "function",
            "function": {
                "name": call.tool,
                "arguments": call.arguments
                if isinstance(call.arguments, str)
                else json.dumps(call.arguments, ensure_ascii=False),
            },
        }
        for number, call in enumerate(line.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": line.text or None, "refusal": None}
    if calls:
        message["tool_calls"] = calls
    finish = line.finish or ("tool_calls" if calls else "stop")
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    return {
        "id": f"chatcmpl-scripted-{turn}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": NAME,
        "choices": [choice],
        "usage": _usage(_tokens([messages, body.get("tools", [])]), _tokens(message)),
    }


def _usage(prompt: int, answer: int) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _tokens(spoken: object) -> int:
    return -(-len(json.dumps(spoken, ensure_ascii=False)) // _LETTERS_PER_TOKEN)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: "_Server"

    def do_GET(self) -> None:
        if self.path.split("?")[0] != "/v1/models":
            self._send(_error(404, f"Unknown request URL: GET {self.path}."))
            return
        model = {"id": NAME, "object": "model", "created": 1_700_000_000, "owned_by": "dryrun-bot"}
        self._send(_json(200, {"object": "list", "data": [model]}))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
            messages = body["messages"]
        except (ValueError, KeyError, TypeError):
            self._send(_error(400, "We could not parse the JSON body of your request."))
            return
        if self.path.split("?")[0] != "/v1/chat/completions":
            self._send(_error(404, f"Unknown request URL: POST {self.path}."))
            return
        model = self.server.model
        headers = {name.lower(): value for name, value in self.headers.items()}
        model.asked.append(Asked(path=self.path, headers=headers, body=body))
        if body.get("stream"):
            self._send(_error(400, "The scripted model does not stream."))
            return
        line = model.faults.pop(0) if model.faults else model.line(messages)
        self._send(line if isinstance(line, Raw) else _json(200, completion(line, body)))

    def _send(self, raw: Raw) -> None:
        self.server.pause(raw.delay_s)
        if raw.drop:
            self.close_connection = True
            return
        # A client with a deadline may have gone; that is what the delay was for.
        with contextlib.suppress(ConnectionError):
            self.send_response(raw.status)
            for name, value in raw.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw.body)))
            self.end_headers()
            self.wfile.write(raw.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Silence: what was asked is in `ScriptedModel.asked`."""


def _json(status: int, body: Mapping[str, Any]) -> Raw:
    return Raw(status=status, headers={"Content-Type": "application/json"}, body=json.dumps(body).encode())


def _error(status: int, message: str) -> Raw:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return _json(status, {"error": error})


class _Server(Loopback):
    def __init__(self, model: ScriptedModel, *, port: int) -> None:
        self.model = model
        super().__init__(_Handler, port=port)
