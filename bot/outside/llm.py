"""The model, through the openai client: any server that speaks chat completions with tools.

A try whose answer was lost on the way may have been paid for: those are counted, and room for one more is
needed before the next. What a server itself refused, or says that it failed at, was not answered.

No more is asked for than every server knows: no streaming, no temperature; what they disagree about is in
`dialect`.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.action import Json, storable
from bot.dataclass import dataclass
from bot.errors import ModelFailed
from bot.outside.completion import message_of, read_turn
from bot.outside.dialect import LESSONS, Dialect
from bot.outside.retry import may_pass, pause_s
from bot.sentence import Sentence
from bot.world import AMPLE, Room, Turn

if TYPE_CHECKING:
    import ssl

    from openai import APIStatusError, OpenAI

_TIMEOUT_S = 120
_RETRIES = 3
_MOST_BYTES = 16 * 1024 * 1024


def load_ahead() -> None:
    """Begin to load the client, which takes longer than all else, while others are waited for.

    What is wrong with it is told where it is used, which waits for it if need be.
    """
    Thread(target=_load, name="load the model's client", daemon=True).start()


def _load() -> None:
    with suppress(Exception):
        import openai  # noqa: F401


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiModel:
    """`base_url` None is OpenAI's own service. The key is kept out of every printed form.

    `timeout_s` holds for one try, of which there are `retries` more where a server is busy or out of reach.
    """

    model: str
    api_key: str = field(repr=False)
    base_url: str | None = None
    timeout_s: float = _TIMEOUT_S
    retries: int = _RETRIES
    dialect: Dialect = field(default_factory=Dialect)

    def ask(
        self,
        messages: Sequence[Mapping[str, Json]],
        *,
        tools: Sequence[Mapping[str, Json]],
        room: Room = AMPLE,
    ) -> Turn:
        """One answer, within `room`: 429, 5xx and lost connections are tried again, as long as it lasts.

        A refusal that says what the server wants instead is followed, once for each such thing.
        """
        # What UTF-8 can't hold, such as half a character in a file's name, would break the whole request.
        request = {"model": self.model, "messages": storable(messages), "tools": storable(tools)}
        tally = _Tally(room=room, ends=None if room.seconds is None else time.monotonic() + room.seconds)
        try:
            turn = self._read(self._taught(request, tally), asked_characters=len(json.dumps(request)))
        except ModelFailed as failed:
            failed.lost += tally.lost
            raise
        self.dialect.notice(turn.usage, tokens=room.tokens)
        return replace(turn, lost=tally.lost)

    def _read(self, content: bytes, *, asked_characters: int) -> Turn:
        """An answer that came whole and can't be used is lost as well."""
        try:
            return read_turn(json.loads(content), server=self._server, asked_characters=asked_characters)
        except (ValueError, RecursionError) as error:
            raise ModelFailed(
                "The model at %(server)s answered with something that is not JSON",
                server=self._server,
                next_step="check that OPENAI_BASE_URL ends in the API's path, often /v1",
                lost=1,
            ) from error
        except ModelFailed as failed:
            failed.lost = 1
            raise

    def _taught(self, request: Mapping[str, Json], tally: "_Tally") -> bytes:
        tokens = tally.room.tokens
        for _ in range(LESSONS):
            try:
                return self._content({**request, **self.dialect.fields(tokens)}, tally)
            except _Refused as refused:
                if not self.dialect.learn(refused.message, tokens=tokens):
                    raise
        return self._content({**request, **self.dialect.fields(tokens)}, tally)

    def _content(self, request: Mapping[str, Json], tally: "_Tally") -> bytes:
        """With all tries that a busy server is worth, and that there is time and money for."""
        tries = 0
        while True:
            tries += 1
            left_s = self.timeout_s if tally.ends is None else tally.ends - time.monotonic()
            if left_s <= 0:
                raise self._too_slow(0)
            try:
                return self._tried(request, min(self.timeout_s, left_s))
            except _Busy as busy:
                tally.lost, busy.lost = tally.lost + busy.lost, 0
                pause = pause_s(busy.headers, tries=tries)
                if tries > self.retries or pause is None or tally.is_used_up(pause):
                    raise
            time.sleep(pause)

    def names(self) -> Sequence[str] | None:
        """Of the models that the server has, which costs nothing; None where it gives no list of them."""
        import openai

        with self._in_words(self.timeout_s), self._client(self.timeout_s) as client:
            try:
                said = json.loads(client.models.with_raw_response.list().content)
                return sorted(str(one["id"]) for one in said["data"])
            except (ValueError, TypeError, KeyError, RecursionError, openai.NotFoundError):
                return None

    def _tried(self, request: Mapping[str, Json], timeout_s: float) -> bytes:
        with self._in_words(timeout_s), self._client(timeout_s) as client:
            return self._received(client, request, timeout_s)

    @contextmanager
    def _in_words(self, timeout_s: float) -> Iterator[None]:
        """The client's errors, as what happened, where, and what to do."""
        import httpx2
        import openai

        try:
            yield
        except openai.APITimeoutError as error:
            # Not tried again: the answer may have been made, and be paid for.
            raise self._too_slow(timeout_s, lost=_lost_by(error)) from error
        except openai.APIStatusError as error:
            raise self._refused(error) from error
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            no_address = (httpx2.UnsupportedProtocol, httpx2.InvalidURL)
            if isinstance(error, no_address) or isinstance(error.__cause__, no_address):
                # Not repeated, for some addresses hold a secret.
                raise ModelFailed(
                    "OPENAI_BASE_URL is no address that a model can be asked at",
                    next_step="write it with http:// or https:// and the API's path, often /v1",
                ) from error
            why = self._shown(str(error.__cause__ or error)) or type(error).__name__
            raise _Busy(
                "The model at %(server)s can't be reached: %(why)s",
                server=self._server,
                why=why,
                next_step="check OPENAI_BASE_URL, OPENAI_API_KEY and the network",
                lost=_lost_by(error),
            ) from error

    def _received(self, client: "OpenAI", request: Mapping[str, Json], timeout_s: float) -> bytes:
        """In pieces: its timeout is for each of them, and a server could send one a minute for ever."""
        content = bytearray()
        completions = client.chat.completions.with_streaming_response
        # As what is added to a body of its own: that one it walks through against its types, word by word,
        # which takes as long as all else of a call here.
        with completions.create(model=self.model, messages=(), extra_body=request) as answer:
            ends = time.monotonic() + timeout_s
            for piece in answer.iter_bytes():
                content += piece
                if time.monotonic() > ends:
                    raise self._too_slow(timeout_s, lost=1)
                if len(content) > _MOST_BYTES:
                    raise ModelFailed(
                        "The model at %(server)s answered with more than %(most)s bytes",
                        server=self._server,
                        most=f"{_MOST_BYTES:,}",
                        next_step="check OPENAI_BASE_URL: no model's answer is that long",
                        lost=1,
                    )
        return bytes(content)

    @property
    def _server(self) -> str:
        """Without the user name, password or key that some addresses hold."""
        try:
            parts = urlsplit(self.base_url or "https://api.openai.com")
            host, port = parts.hostname or _NOWHERE, parts.port
        except ValueError:
            return _NOWHERE
        return f"{host}:{port}" if port else host

    def _client(self, timeout_s: float) -> "OpenAI":
        from openai import DefaultHttpxClient, OpenAI

        return OpenAI(
            http_client=DefaultHttpxClient(verify=_trusted()),
            # Pasted secrets often end in a line feed, which no header may hold.
            api_key=self.api_key.strip(),
            # For None the client would read the environment, and so follow more than the settings say.
            base_url=self.base_url or "https://api.openai.com/v1",
            timeout=timeout_s,
            max_retries=0,
        )

    def _too_slow(self, timeout_s: float, *, lost: int = 0) -> ModelFailed:
        return ModelFailed(
            "The model at %(server)s did not answer within %(limit)s seconds",
            server=self._server,
            limit=f"{timeout_s:.3g}",
            next_step="try again later, or choose a faster model in .github/dryrun-bot.yml",
            lost=lost,
        )

    def _refused(self, error: "APIStatusError") -> ModelFailed:
        status, message = error.status_code, message_of(error.body) or message_of(error.message)
        next_steps = {
            401: Sentence("check the OPENAI_API_KEY secret"),
            403: Sentence("check what the key may use"),
            404: Sentence(
                "check `model.name` (%(model)s) in .github/dryrun-bot.yml, and OPENAI_BASE_URL, which "
                "often ends in /v1",
                model=self.model,
            ),
            410: Sentence(
                "this model or service was retired: name another than %(model)s as `model.name` in "
                ".github/dryrun-bot.yml, or another server in OPENAI_BASE_URL",
                model=self.model,
            ),
            413: _TOO_LONG,
            429: Sentence("wait, or raise the account's limit"),
        }
        next_step = next_steps.get(status, Sentence("see the message; the server's log may say more"))
        if "context" in message.lower() and ("length" in message.lower() or "window" in message.lower()):
            next_step = _TOO_LONG
        what = Sentence(
            "The model at %(server)s answered %(status)s: %(message)s",
            server=self._server,
            status=status,
            message=self._shown(message),
        )
        headers = error.response.headers
        if may_pass(status, headers):
            return _Busy(what, next_step=next_step, headers=headers, lost=int(status in _GATEWAYS))
        if status in {400, 422}:
            return _Refused(what, next_step=next_step, message=message)
        return ModelFailed(what, next_step=next_step)

    def _shown(self, message: str) -> str:
        """Some servers repeat the key that they refuse."""
        from bot.words.redaction import redact

        return redact(message, [self.api_key])


@cache
def _trusted() -> "ssl.SSLContext":
    """Every certificate that this machine trusts; to read them takes longer than asking a server near by."""
    import httpx2

    return httpx2.create_ssl_context()


class _Busy(ModelFailed):
    """What may pass."""

    def __init__(
        self,
        what: str,
        /,
        *,
        next_step: str,
        headers: Mapping[str, str] | None = None,
        lost: int = 0,
        **parts: object,
    ) -> None:
        super().__init__(what, next_step=next_step, lost=lost, **parts)
        self.headers = headers or {}


class _Refused(ModelFailed):
    """The server dislikes the request, and its words may say what it wants instead."""

    def __init__(self, what: Sentence, /, *, next_step: Sentence, message: str) -> None:
        super().__init__(what, next_step=next_step)
        self.message = message


@dataclass(slots=True, kw_only=True)
class _Tally:
    """Of all tries for one answer: how many were `lost`, and when their time ends, by the machine's clock."""

    room: Room
    ends: float | None
    lost: int = 0

    def is_used_up(self, pause_s: float) -> bool:
        if self.ends is not None and time.monotonic() + pause_s >= self.ends:
            return True
        return self.room.spare is not None and self.lost > self.room.spare


def _lost_by(error: Exception) -> int:
    """1 where the request may have reached a model, so that an answer may have been made; else 0."""
    import httpx2

    never_sent = (
        httpx2.ConnectError,
        httpx2.ConnectTimeout,
        httpx2.PoolTimeout,
        httpx2.ProxyError,
        httpx2.UnsupportedProtocol,
        httpx2.LocalProtocolError,
        httpx2.InvalidURL,
        UnicodeError,
    )
    return 0 if isinstance(error.__cause__ or error, never_sent) else 1


# They speak for a model's server that they did not hear from; the last ones are Cloudflare's.
_GATEWAYS = frozenset({502, 504, *range(520, 528)})
_NOWHERE = "an address that is none"
_TOO_LONG = Sentence("ask for less in one task, or choose a model with a larger context window")
