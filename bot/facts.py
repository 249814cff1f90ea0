"""(Action, what it touches, the tree, what was planned before) -> Facts: what code works out before any rule is asked."""

from dataclasses import dataclass
from enum import StrEnum


class How(StrEnum):
    """What an action does with a path."""

    READ = "read"
    LIST = "list"
    WRITE = "write"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One path as the model wrote it, not yet normalised, and what would be done with it."""

    path: str
    how: How
