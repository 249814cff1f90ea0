"""What the gate said of an action, and how strict that is.

A module of its own: records, comments and policies speak of verdicts, and only the gate makes one.
"""

from enum import StrEnum
from typing import ClassVar

from bot.dataclass import dataclass


class Outcome(StrEnum):
    """Ordered by strictness, and the words sort that way too; `max` is the stricter one."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`source` is `file:line` of the config that decided, or "default"; `reason` is one plain sentence."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    outcome: Outcome
    rule: str
    reason: str
    source: str
