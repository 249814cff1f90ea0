"""A "no" as a value: what was refused, why, and what would make it a yes."""

from dataclasses import dataclass

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
