"""HTTP on loopback: a request comes in, a route answers, a fault may get in between, all is written down.

One request at a time changes the state; waiting and dropped connections hold nobody else up.
"""

import base64
import binascii
import contextlib
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bot.dataclass import dataclass
from bot.demo.github.call import Answer, Call, Refused, Route, Urls
from bot.demo.github.misbehaviour import Fault
from bot.demo.github.state import State, Token
from bot.demo.loopback import Loopback

_PREFIX = "/api/v3"
_RATE = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-ratelimit-used": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and what came of it; `status` is None where the connection was dropped."""

    number: int
    method: str
    path: str
    query: str
    login: str | None
    body: Any
    status: int | None
    answer: Any
    was_done: bool

    @property
    def line(self) -> str:
        return f"{self.method} {self.path}{'?' if self.query else ''}{self.query} -> {self.status}"


@dataclass(slots=True, kw_only=True)
class Hub:
    """What the handlers share."""

    state: State
    routes: Sequence[Route]
    lock: threading.RLock = field(default_factory=threading.RLock)
    faults: list[Fault] = field(default_factory=list)
    log: list[Exchange] = field(default_factory=list)

    def answer(self, call: Call) -> Answer:
        """The route's answer, GitHub's 404 where there is none."""
        for route in self.routes:
            parts = route.matches(call.method, call.path)
            if parts is not None:
                try:
                    return route.answer(call, parts)
                except Refused as refused:
                    return refused.answer
        return Refused(404, "Not Found").answer


class Dropped(Exception):
    pass


@dataclass(slots=True, kw_only=True)
class _Turn:
    """One request on its way through the hub."""

    hub: Hub
    call: Call
    faults: list[Fault]
    was_done: bool = False

    def answer(self) -> Answer:
        said = self._struck("before")
        if said is None:
            with self.hub.lock:
                said = self.hub.answer(self.call)
                self.was_done = True
            said = self._struck("after") or said
        return said

    def _struck(self, moment: str) -> Answer | None:
        for fault in self.faults:
            if fault.moment != moment:
                continue
            time.sleep(fault.delay_s)
            if fault.do is not None:
                fault.do()
            if fault.drop:
                raise Dropped
            if fault.answer is not None:
                return fault.answer
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two writes; with Nagle's algorithm each answer would wait 40 ms.
    disable_nagle_algorithm = True
    server: "Server"

    def do_any(self) -> None:
        raw = self._read_body()
        split = urlsplit(self.path)
        prefix = _PREFIX if split.path.startswith(f"{_PREFIX}/") else ""
        path = split.path.removeprefix(prefix)
        path = "/graphql" if split.path == "/api/graphql" else path
        hub, html = self.server.hub, self.server.url
        token = self._token()
        call = Call(
            state=hub.state,
            token=token,
            urls=Urls(api=html + prefix, html=html),
            method=self.command,
            path=path,
            headers={name.lower(): value for name, value in self.headers.items()},
            query=dict(parse_qsl(split.query, keep_blank_values=True)),
            body=_json(raw),
            raw=raw,
        )
        with hub.lock:
            faults = [fault for fault in hub.faults if fault.strikes(call.method, path)]
        turn = _Turn(hub=hub, call=call, faults=faults)
        said: Answer | None = None
        try:
            is_bad = token is None and "authorization" in call.headers
            is_json = "json" in call.headers.get("content-type", "")
            if is_bad:
                said = Refused(401, "Bad credentials").answer
            elif raw and is_json and call.body is None and raw.strip() != b"null":
                said = Refused(400, "Problems parsing JSON").answer
            else:
                said = turn.answer()
        except Dropped:
            self.close_connection = True
        finally:
            self._note(turn, split.query, said)
        if said is not None:
            self._send(said)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_any  # noqa: N815 - names http.server looks for

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _token(self) -> Token | None:
        kind, _, secret = self.headers.get("Authorization", "").partition(" ")
        if kind.lower() == "basic":  # git's way, with any name and the token for a password
            with contextlib.suppress(binascii.Error):
                secret = base64.b64decode(secret).decode("utf-8", "replace").partition(":")[2]
        return self.server.hub.state.tokens.get(secret.strip())

    def _note(self, turn: _Turn, query: str, said: Answer | None) -> None:
        call, hub = turn.call, self.server.hub
        with hub.lock:
            hub.log.append(
                Exchange(
                    number=len(hub.log) + 1,
                    method=call.method,
                    path=call.path,
                    query=query,
                    login=call.token.account.login if call.token else None,
                    body=call.body if call.body is not None else (call.raw or None),
                    status=said.status if said else None,
                    answer=said.body if said else None,
                    was_done=turn.was_done,
                )
            )

    def _send(self, said: Answer) -> None:
        is_bytes = isinstance(said.body, bytes)
        body = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
        body = b"" if said.body is None else body
        headers = {} if is_bytes else {"Content-Type": "application/json; charset=utf-8"}
        reset = int(self.server.hub.state.now().timestamp()) + 3600
        headers |= _RATE | {"x-ratelimit-reset": str(reset), "x-github-media-type": "github.v3; format=json"}
        headers |= dict(said.headers)
        # The client may be gone by now; that is its own affair.
        with contextlib.suppress(ConnectionError):
            self.send_response(said.status)
            for name, value in headers.items():
                self.send_header(name, value)
            if said.status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if said.status != 204:
                self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Silence: the log is in `Hub.log`."""


class Server(Loopback):
    def __init__(self, hub: Hub, *, port: int = 0) -> None:
        self.hub = hub
        super().__init__(Handler, port=port)


def _json(raw: bytes) -> object:
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return None
