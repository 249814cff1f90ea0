"""A step that is done after the commit, and how far it is: noted before it is tried, and tried once.

What is being tried when a run is killed has an outcome that nobody knows.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from bot.dataclass import dataclass
from bot.plan import Plan, Step
from bot.tools.tool import Tool


class Progress(StrEnum):
    """`left`: it is not tried at all, and `said` has the reason."""

    WAITING = "waiting"
    TRIED = "tried"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """`said` is what came of it, in words of a tool or a server: untrusted."""

    step: int
    progress: Progress
    said: str = ""

    def as_left_by_another(self) -> "Errand":
        """As a later run must take it: what was being tried then may have been done or not."""
        return replace(self, progress=Progress.UNKNOWN) if self.progress is Progress.TRIED else self


def errands_of(plan: Plan, tools: Mapping[str, Tool[Any]]) -> tuple[Errand, ...]:
    """Those of its steps that an apply leaves until after the commit, in order."""
    return tuple(
        Errand(step=step.number, progress=Progress.WAITING) for step in plan.steps if is_errand(step, tools)
    )


def is_errand(step: Step, tools: Mapping[str, Tool[Any]]) -> bool:
    tool = tools.get(step.tool)
    return step.is_performed and tool is not None and tool.after_commit


def spelled(errands: Iterable[Errand]) -> str:
    """For a marker: `3.done.5.waiting`."""
    return ".".join(f"{errand.step}.{errand.progress}" for errand in errands)


def read_errands(text: str, *, due: Sequence[Errand]) -> tuple[Errand, ...]:
    """The errands of `due` as a marker tells of them. One that it doesn't tell of, or oddly, is unknown."""
    told = {int(step): Progress(progress) for step, progress in _ONE.findall(text)}
    if spelled(Errand(step=step, progress=progress) for step, progress in told.items()) != text:
        told = {}
    return tuple(replace(errand, progress=told.get(errand.step, Progress.UNKNOWN)) for errand in due)


_ONE: Final = re.compile(rf"([0-9]{{1,6}})\.({'|'.join(Progress)})(?:\.|$)")
