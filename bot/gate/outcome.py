"""How strict a verdict is.

A module of its own, because the policy's data and the gate's judgement both speak of it.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """Ordered by strictness, and the words sort that way too; `max` is the stricter one."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
