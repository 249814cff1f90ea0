"""The model, through the openai client: any server that speaks chat completions with tools.

No more is asked for than every server knows: no streaming, no temperature; what they disagree about is in
`dialect`.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bot.action import Json, storable
from bot.errors import ModelFailed
from bot.outside.completion import message_of, read_turn
from bot.outside.dialect import LESSONS, Dialect
from bot.outside.retry import may_pass, pause_s
from bot.world import AMPLE, Room, Turn

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

_TIMEOUT_S = 120
_RETRIES = 3
_MOST_BYTES = 16 * 1024 * 1024


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
        ends = None if room.seconds is None else time.monotonic() + room.seconds
        content = self._taught(request, room.tokens, ends)
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ModelFailed(
                f"The model at {self._server} answered with something that is not JSON",
                next_step="check that OPENAI_BASE_URL ends in the API's path, often /v1",
            ) from error
        turn = read_turn(answer, server=self._server, asked_characters=len(json.dumps(request)))
        self.dialect.notice(turn.usage, tokens=room.tokens)
        return turn

    def _taught(self, request: Mapping[str, Json], tokens: int | None, ends: float | None) -> bytes:
        for _ in range(LESSONS):
            try:
                return self._content({**request, **self.dialect.fields(tokens)}, ends)
            except _Refused as refused:
                if not self.dialect.learn(refused.message, tokens=tokens):
                    raise
        return self._content({**request, **self.dialect.fields(tokens)}, ends)

    def _content(self, request: Mapping[str, Json], ends: float | None) -> bytes:
        """With all tries that a busy server is worth."""
        tries = 0
        while True:
            tries += 1
            left_s = self.timeout_s if ends is None else min(self.timeout_s, ends - time.monotonic())
            if left_s <= 0:
                raise self._too_slow(0)
            try:
                return self._tried(request, left_s)
            except _Busy as busy:
                pause = pause_s(busy.headers, tries=tries)
                if tries > self.retries or pause is None:
                    raise
                if ends is not None and time.monotonic() + pause >= ends:
                    raise
            time.sleep(pause)

    def _tried(self, request: Mapping[str, Json], timeout_s: float) -> bytes:
        import httpx2
        import openai

        try:
            with self._client(timeout_s) as client:
                return self._received(client, request, timeout_s)
        except openai.APITimeoutError as error:
            # Not tried again: the answer may have been made, and be paid for.
            raise self._too_slow(timeout_s) from error
        except openai.APIStatusError as error:
            raise self._refused(error) from error
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            why = self._shown(str(error.__cause__ or error)) or type(error).__name__
            raise _Busy(
                f"The model at {self._server} can't be reached: {why}",
                next_step="check OPENAI_BASE_URL, OPENAI_API_KEY and the network",
            ) from error

    def _received(self, client: "OpenAI", request: Any, timeout_s: float) -> bytes:  # noqa: ANN401 - the client's own types
        """In pieces: its timeout is for each of them, and a server could send one a minute for ever."""
        content = bytearray()
        with client.chat.completions.with_streaming_response.create(**request) as answer:
            ends = time.monotonic() + timeout_s
            for piece in answer.iter_bytes():
                content += piece
                if time.monotonic() > ends:
                    raise self._too_slow(timeout_s)
                if len(content) > _MOST_BYTES:
                    raise ModelFailed(
                        f"The model at {self._server} answered with more than {_MOST_BYTES:,} bytes",
                        next_step="check OPENAI_BASE_URL: no model's answer is that long",
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
        from openai import OpenAI

        return OpenAI(
            # Pasted secrets often end in a line feed, which no header may hold.
            api_key=self.api_key.strip(),
            # For None the client would read the environment, and so follow more than the settings say.
            base_url=self.base_url or "https://api.openai.com/v1",
            timeout=timeout_s,
            max_retries=0,
        )

    def _too_slow(self, timeout_s: float) -> ModelFailed:
        return ModelFailed(
            f"The model at {self._server} did not answer within {timeout_s:.3g} seconds",
            next_step="try again later, or choose a faster model in .github/dryrun-bot.yml",
        )

    def _refused(self, error: "APIStatusError") -> ModelFailed:
        status, message = error.status_code, message_of(error.body) or message_of(error.message)
        next_steps = {
            401: "check the OPENAI_API_KEY secret",
            403: "check what the key may use",
            404: f"check `model.name` ({self.model}) in .github/dryrun-bot.yml, and OPENAI_BASE_URL",
            410: f"this model or service was retired: name another than {self.model} as `model.name` in "
            ".github/dryrun-bot.yml, or another server in OPENAI_BASE_URL",
            413: _TOO_LONG,
            429: "wait, or raise the account's limit",
        }
        next_step = next_steps.get(status, "see the message; the server's log may say more")
        if "context" in message.lower() and ("length" in message.lower() or "window" in message.lower()):
            next_step = _TOO_LONG
        what = f"The model at {self._server} answered {status}: {self._shown(message)}"
        headers = error.response.headers
        if may_pass(status, headers):
            return _Busy(what, next_step=next_step, headers=headers)
        if status in {400, 422}:
            return _Refused(what, next_step=next_step, message=message)
        return ModelFailed(what, next_step=next_step)

    def _shown(self, message: str) -> str:
        """Some servers repeat the key that they refuse."""
        from bot.words.redaction import redact

        return redact(message, [self.api_key])


class _Busy(ModelFailed):
    """What may pass."""

    def __init__(self, what: str, *, next_step: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(what, next_step=next_step)
        self.headers = headers or {}


class _Refused(ModelFailed):
    """The server dislikes the request, and its words may say what it wants instead."""

    def __init__(self, what: str, *, next_step: str, message: str) -> None:
        super().__init__(what, next_step=next_step)
        self.message = message


_NOWHERE = "an address that is none"
_TOO_LONG = "ask for less in one task, or choose a model with a larger context window"
