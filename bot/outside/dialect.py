"""What a model's server turned out to insist on -> the fields of a request that servers disagree about.

Each lesson is learned once, from a refusal or from an answer, and is good for one more try.
"""

import re
from typing import Final

from bot.action import Json
from bot.cost import Usage
from bot.dataclass import dataclass

LESSONS: Final = 3

_NEW: Final = "max_completion_tokens"
_OLD: Final = "max_tokens"
# Smaller numbers in an error's message are no lengths of answers.
_LEAST: Final = 256
_NUMBER: Final = re.compile(r"(?<![\w.])[0-9]{1,3}(?:,[0-9]{3})+(?![\w])|(?<![\w.])[0-9]{3,9}(?![\w])")
_WINDOW: Final = re.compile(r"context (?:length|window|size)\D{0,20}([0-9]{3,9})")


@dataclass(slots=True, kw_only=True)
class Dialect:
    """`limit` is the name under which the longest answer is told; `most` is the most that may be told."""

    must_not_reason: bool = False
    limit: str = _NEW
    most: int | None = None

    def fields(self, tokens: int | None) -> dict[str, Json]:
        """`tokens` is the longest answer, None where nothing bounds it."""
        fields: dict[str, Json] = {"reasoning_effort": "none"} if self.must_not_reason else {}
        if tokens is not None:
            fields[self.limit] = tokens if self.most is None else min(tokens, self.most)
        return fields

    def learn(self, message: str, *, tokens: int | None) -> bool:
        """Whether a refusal in these words taught something, so that another try makes sense."""
        if "reasoning_effort" in message and "none" in message and not self.must_not_reason:
            self.must_not_reason = True
            return True
        if tokens is None:
            return False
        if self.most is None and (most := _most_in(message, tokens)) is not None:
            self.most = most
            return True
        if self.limit == _NEW and (_NEW in message or f"`{_OLD}`" in message):
            self.limit = _OLD
            return True
        return False

    def notice(self, usage: Usage, *, tokens: int | None) -> None:
        """A server that overran what it was told doesn't know the name: the other is tried from now on."""
        if tokens is not None and usage.output_tokens > tokens and self.limit == _NEW:
            self.limit = _OLD


def _most_in(message: str, tokens: int) -> int | None:
    """What the server allows an answer where so many were too many."""
    if (window := _WINDOW.search(message)) is not None:
        # It takes the answer's length for a part of its window; a quarter leaves room for the question.
        quarter = int(window[1]) // 4
        return quarter if _LEAST <= quarter < tokens else None
    if _NEW not in message and _OLD not in message:
        return None
    numbers = [int(found.replace(",", "")) for found in _NUMBER.findall(message)]
    return max((number for number in numbers if _LEAST <= number < tokens), default=None)
