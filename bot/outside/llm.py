"""The model, through the openai client: any server that speaks chat completions with tools.

An answer is taken as it is or refused with a reason; none is repaired by guessing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.action import Json
from bot.cost import Usage
from bot.errors import ModelFailed
from bot.world import Call, Turn

if TYPE_CHECKING:
    from openai import OpenAI

_TIMEOUT_S = 120
_RETRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiModel:
    """`base_url` None is OpenAI's own service. The key is kept out of every printed form."""

    model: str
    api_key: str = field(repr=False)
    base_url: str | None = None
    timeout_s: float = _TIMEOUT_S

    def ask(self, messages: Sequence[Mapping[str, Json]], *, tools: Sequence[Mapping[str, Json]]) -> Turn:
        """One answer; 429, 5xx and lost connections are tried again by the client, up to three times."""
        import openai

        request: Any = {"model": self.model, "messages": messages, "tools": tools}
        try:
            with self._client() as client:
                answer = client.chat.completions.with_raw_response.create(**request)
            return _turn(json.loads(answer.content), server=self._server)
        except openai.APITimeoutError as error:
            raise ModelFailed(
                f"The model at {self._server} did not answer within {self.timeout_s:g} seconds",
                next_step="try again later, or choose a faster model in .github/dryrun-bot.yml",
            ) from error
        except openai.APIConnectionError as error:
            raise ModelFailed(
                f"The model at {self._server} can't be reached: {error.__cause__ or error}",
                next_step="check OPENAI_BASE_URL and the network",
            ) from error
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, _message(error.body) or error.message) from error
        except ValueError as error:
            raise ModelFailed(
                f"The model at {self._server} answered with something that is not JSON",
                next_step="check that OPENAI_BASE_URL ends in the API's path, often /v1",
            ) from error

    @property
    def _server(self) -> str:
        return self.base_url or "api.openai.com"

    def _client(self) -> "OpenAI":
        from openai import OpenAI

        return OpenAI(
            api_key=self.api_key,
            # The client would read the environment for what is None, and so follow more than the settings say.
            base_url=self.base_url or "https://api.openai.com/v1",
            timeout=self.timeout_s,
            max_retries=_RETRIES,
        )

    def _refused(self, status: int, message: str) -> ModelFailed:
        next_steps = {
            401: "check the OPENAI_API_KEY secret",
            403: "check what the key may use",
            404: f"check `model.name` ({self.model}) in .github/dryrun-bot.yml, and OPENAI_BASE_URL",
            429: "wait, or raise the account's limit",
        }
        fallback = "see the message; the server's log may say more"
        return ModelFailed(
            f"The model at {self._server} answered {status}: {message}",
            next_step=next_steps.get(status, fallback),
        )


def _turn(answer: object, *, server: str) -> Turn:
    """The wire format is OpenAI's chat completion object; fields that others leave out count as empty."""
    match answer:
        case {"error": problem} if problem:
            raise ModelFailed(
                f"The model at {server} answered with an error: {_message(answer)}",
                next_step="see the message; the server's log may say more",
            )
        case {"choices": [{"message": {} as message, **choice}, *_], **rest}:
            return Turn(
                text=_text(message.get("content")),
                calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
                usage=_usage(rest.get("usage")),
                finish=str(choice.get("finish_reason") or ""),
            )
        case _:
            raise ModelFailed(
                f"The model at {server} answered without a message",
                next_step="try again; if it stays so, the server does not speak chat completions",
            )


def _text(content: object) -> str:
    match content:
        case str():
            return content
        case list():
            return "".join(part["text"] for part in content if isinstance(part, dict) and "text" in part)
        case _:
            return ""


def _call(call: object) -> Call:
    match call:
        case {"function": {"name": str() as tool} as function, **rest}:
            arguments = function.get("arguments", "")
            # Some servers send the arguments as an object instead of its text: the same thing, spelled once.
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            return Call(id=str(rest.get("id") or ""), tool=tool, arguments=text)
        case _:
            return Call(id="", tool="", arguments=json.dumps(call))


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage(calls=1)
    return Usage(
        calls=1,
        input_tokens=_count(usage, "prompt_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
        cached_tokens=_count(usage.get("prompt_tokens_details"), "cached_tokens"),
        reasoning_tokens=_count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )


def _count(counts: object, name: str) -> int:
    count = counts.get(name) if isinstance(counts, dict) else None
    return count if isinstance(count, int) and count > 0 else 0


def _message(body: object) -> str:
    match body:
        case (
            {"error": {"message": str() as message}}
            | {"message": str() as message}
            | {"error": str() as message}
        ):
            return message
        case _:
            return str(body)[:300] if body else ""
