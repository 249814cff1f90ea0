"""The conversation with the model: it grows at its end, and its old results are folded when a window fills.

What was said once stays as it was, so that a provider's cache knows it again; only folding changes it, from
the oldest result on and down to half of the window, so that it is rare. The transcript keeps all of it whole.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from bot.action import Call, Json
from bot.agent.prompt import enveloped
from bot.dataclass import dataclass
from bot.world import Turn

# Of a model that nobody knows; most have as much or more.
ASSUMED_WINDOW: Final = 128_000

_BYTES_PER_TOKEN: Final = 3
_LEAST_FOLDED: Final = 500
_LEAST_TOLD: Final = 1_000
_MOST_TOLD: Final = 60_000


@dataclass(slots=True, kw_only=True)
class Talk:
    """`window` is the model's in tokens, None where nobody knows it.

    `nonce` marks the envelopes that tools' results come in.
    """

    messages: list[Mapping[str, Json]]
    schemas: Sequence[Mapping[str, Json]]
    nonce: str
    window: int | None
    _sizes: list[int] = field(init=False)
    _schemas_size: int = field(init=False)
    _counted: int = 0
    _since: int = 0

    def __post_init__(self) -> None:
        self._sizes = [most_tokens_of(message) for message in self.messages]
        self._schemas_size = most_tokens_of(self.schemas)

    @property
    def most_tokens(self) -> int:
        """Of the next prompt, on the high side: what the server counted, and then a token a byte."""
        return self._counted + self._since if self._counted else self._size

    @property
    def left(self) -> int | None:
        """Tokens of the window that are left for an answer; None where the window is not known."""
        if self.window is None:
            return None
        likely = self._size // _BYTES_PER_TOKEN
        if self._counted:
            likely = min(likely, self._counted + self._since // _BYTES_PER_TOKEN)
        return self.window - likely

    def add(self, turn: Turn, answers: Sequence[str]) -> None:
        """A turn's calls, each with what the model is told for it, in order."""
        is_counted = not turn.is_estimated and turn.usage.input_tokens > 0
        self._counted = turn.usage.tokens if is_counted else 0
        self._since = 0
        self._append(_said(turn))
        # The server has counted its own answer.
        self._since = 0
        # All results of a turn share a quarter of the window, and none of them is alone so long.
        left = self._window_size // 4
        for call, answer in zip(turn.calls, answers, strict=True):
            told = _cut(answer, most=min(_MOST_TOLD, max(left, _LEAST_TOLD)))
            left -= len(told.encode("utf-8", "replace"))
            content = enveloped(told, nonce=self.nonce, what=_name(call))
            self._append({"role": "tool", "tool_call_id": call.id, "content": content})

    def fold(self) -> tuple[str, ...]:
        """When three quarters of the window are full, old results make room until a half is; their calls.

        The results that the model has not seen yet stay. The same talk is always folded in the same places.
        """
        if self._size <= self._window_size * 3 // 4:
            return ()
        folded = []
        last = max((at for at, one in enumerate(self.messages) if one["role"] == "assistant"), default=0)
        names = _names(self.messages)
        for at, message in enumerate(self.messages[:last]):
            if self._size <= self._window_size // 2:
                break
            if message["role"] != "tool" or self._sizes[at] < _LEAST_FOLDED:
                continue
            name = str(message["tool_call_id"])
            content = f"[{_FOLDED}: {names.get(name, 'a tool')} answered {len(str(message['content'])):,} \
characters here. If they are still needed, make the same call again.]"
            self.messages[at] = {**message, "content": content}
            self._sizes[at] = most_tokens_of(self.messages[at])
            folded.append(name)
        return tuple(folded)

    @property
    def _window_size(self) -> int:
        return (self.window or ASSUMED_WINDOW) * _BYTES_PER_TOKEN

    @property
    def _size(self) -> int:
        return self._schemas_size + sum(self._sizes)

    def _append(self, message: Mapping[str, Json]) -> None:
        self.messages.append(message)
        self._sizes.append(most_tokens_of(message))
        self._since += self._sizes[-1]


def _cut(text: str, *, most: int) -> str:
    if len(text) <= most:
        return text
    return (
        f"{text[:most]}\n[cut here: {len(text) - most:,} of {len(text):,} characters are left out; make this "
        "call again alone, or for a smaller part]"
    )


def most_tokens_of(said: object) -> int:
    """Its bytes: no tokeniser makes more tokens than that."""
    return len(json.dumps(said, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def _names(messages: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """The tools that were called, by the ids of the calls."""
    return {
        str(call["id"]): str(call["function"]["name"])  # type: ignore[index,call-overload]
        for message in messages
        for call in message.get("tool_calls") or ()  # type: ignore[union-attr]
    }


def _said(turn: Turn) -> dict[str, Json]:
    calls: list[Json] = [
        {"id": call.id, "type": "function", "function": {"name": _name(call), "arguments": _arguments(call)}}
        for call in turn.calls
    ]
    return {"role": "assistant", "content": turn.text, "tool_calls": calls}


def _name(call: Call) -> str:
    """As servers take it back: for one that breaks their rules they refuse the whole conversation."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call.tool)[:64] or "unnamed"


def _arguments(call: Call) -> str:
    """As servers take them back: some parse them, and fail on what is no object."""
    try:
        is_object = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return call.arguments if is_object else json.dumps({"unparsed": call.arguments})


_FOLDED: Final = "folded, to leave room"
