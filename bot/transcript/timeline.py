"""A run's transcript as it grows -> one row a call, reads included, and what each model call used."""

from collections.abc import Mapping
from dataclasses import field

from bot.cost import Usage
from bot.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """`step` counts the model's turns from 1; `outcome` is the verdict's, or "failed"."""

    step: int
    tool: str
    outcome: str


@dataclass(slots=True, kw_only=True)
class Timeline:
    calls: list[Called] = field(default_factory=list)
    turns: list[Usage] = field(default_factory=list)
    _open: dict[object, str] = field(default_factory=dict)

    def watch(self, event: str, facts: Mapping[str, object]) -> None:
        match event, facts:
            case "turn", {"usage": dict() as usage}:
                self.turns.append(Usage(**usage))
            case "proposed", {"call": call, "tool": str() as tool}:
                self._open[call] = tool
            case "answered", {"call": call, "verdict": {"outcome": str() as outcome}, "error": error}:
                tool = self._open.pop(call, "")
                outcome = outcome if error is None else "failed"
                self.calls.append(Called(step=len(self.turns), tool=tool, outcome=outcome))
            case _:
                pass
