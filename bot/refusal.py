"""A "no" as a value: what was refused, why, and what would make it a yes."""

import re
from dataclasses import replace
from typing import Final, Self

from bot.dataclass import dataclass
from bot.errors import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """`detail` is one plain sentence; words in it that others wrote are still untrusted.

    `patch` is a unified diff of what could not be pushed.
    A silent refusal is for somebody who may not use the bot: no comment, no reaction.
    """

    reason: Reason
    detail: str
    next_step: str
    silent: bool = False
    patch: str = ""

    def as_told(self, *, prefix: str | None = None) -> Self:
        """In whole sentences, with commands as they are written where the configuration has a prefix."""
        return replace(self, detail=_told(self.detail, prefix), next_step=_told(self.next_step, prefix))


def _told(text: str, prefix: str | None) -> str:
    text = text.strip()
    if prefix is not None:
        text = _COMMAND.sub(f"`/{prefix} ", text)
    # What holds several lines ends in somebody else's, such as a command's output.
    is_open = text and text[-1] not in ".!?:" and "\n" not in text
    first = 1 if text[:1] in {"¿", "¡"} else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :] + ("." if is_open else "")


_COMMAND: Final = re.compile(r"`/(?=(?:plan|apply|discard|undo|replay|explain|help)\b)")
