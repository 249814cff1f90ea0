"""The planned actions of a dry run by the names that scripts know: a view of the record, never a second one.

Source: the dry-run manuals (English and Spanish) of the architect command line.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Final, Self

from bot.dataclass import dataclass
from bot.description import describe
from bot.plan import Step
from bot.render.language import catalogue
from bot.tools import READ_TOOLS, WRITE_TOOLS
from bot.words.sanitise import for_log

__all__ = ["READ_TOOLS", "WRITE_TOOLS", "DryRunTracker", "PlannedAction"]


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """`tool_input` is every argument, whole, whatever the description leaves out.

    `outcome` is the verdict's, or "failed"; None where nobody judged.
    """

    tool_name: str
    description: str
    tool_input: dict[str, object]
    outcome: str | None = None


class DryRunTracker:
    """`actions` is in call order. In a run it is made from the plan's steps by `of`."""

    def __init__(self, *, language: str = "en") -> None:
        self.actions: Final[list[PlannedAction]] = []
        self._language: Final = language

    @classmethod
    def of(cls, steps: Iterable[Step], *, language: str = "en") -> Self:
        """Numbered as in the record, so what was denied or failed is among them, and said to be."""
        tracker = cls(language=language)
        for step in steps:
            tracker._record(step.tool, step.arguments, outcome=step.badge)
        return tracker

    def record_action(self, tool_name: str, tool_input: Mapping[str, object]) -> None:
        """A tool that only reads, or that isn't known, is no planned action."""
        if tool_name in WRITE_TOOLS:
            self._record(tool_name, tool_input)

    @property
    def action_count(self) -> int:
        return len(self.actions)

    def get_plan_summary(self) -> str:
        words = catalogue(self._language)
        if not self.actions:
            return words.gettext(_NOTHING)
        headline = words.ngettext(_ONE, _MANY, self.action_count) % {"num": self.action_count}
        listed = [f"{number}. {self._line(action)}" for number, action in enumerate(self.actions, 1)]
        return "\n".join([headline, "", *listed])

    def _line(self, action: PlannedAction) -> str:
        # The model chose the words, and a terminal obeys some characters.
        line = for_log(action.description)
        if action.outcome in {"deny", "failed"}:
            return f"{line} ({catalogue(self._language).gettext(action.outcome)})"
        return line

    def _record(
        self, tool_name: str, tool_input: Mapping[str, object], *, outcome: str | None = None
    ) -> None:
        self.actions.append(
            PlannedAction(
                tool_name=tool_name,
                description=describe(tool_name, tool_input, language=self._language),
                tool_input=deepcopy(dict(tool_input)),
                outcome=outcome,
            )
        )


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_NOTHING: Final = _("Dry-run complete: no write actions were planned.")
# In the catalogue for the comment, whose headline is the same.
_ONE: Final = "Action plan (dry-run): %(num)d planned action"
_MANY: Final = "Action plan (dry-run): %(num)d planned actions"
