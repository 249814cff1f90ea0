"""A step of a live run -> whether the person agrees: by mode, or by asking them.

Where there is nobody to ask, what would be asked is refused. What is denied never gets here.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from enum import StrEnum
from gettext import NullTranslations
from typing import IO, TYPE_CHECKING

from bot.dataclass import dataclass
from bot.plan import Step
from bot.terminal.listing import show_step
from bot.terminal.screen import line
from bot.verdict import Outcome

if TYPE_CHECKING:
    from rich.console import Console


class Mode(StrEnum):
    """Which steps a person is asked about."""

    CONFIRM_SENSITIVE = "confirm-sensitive"
    CONFIRM_ALL = "confirm-all"
    YOLO = "yolo"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTerminal:
    """`note` puts each answer into the transcript; `paused` stops what moves on the screen meanwhile."""

    mode: Mode
    console: "Console"
    answers: IO[str]
    speech: NullTranslations
    language: str
    paused: Callable[[], AbstractContextManager[None]]
    note: Callable[[Step, bool, str], None]

    def agrees(self, step: Step) -> bool:
        if self.mode is Mode.YOLO:
            return self._noted(step, "mode", agreed=True)
        if self.mode is Mode.CONFIRM_SENSITIVE and step.verdict.outcome is Outcome.ALLOW:
            return self._noted(step, "policy", agreed=True)
        with self.paused():
            return self._noted(step, "person", agreed=self._asked(step))

    def _asked(self, step: Step) -> bool:
        """Raises KeyboardInterrupt for a person who wants to end it."""
        _ = self.speech.gettext
        show_step(self.console, step, speech=self.speech, language=self.language)
        # A question that goes into a file is seen by nobody.
        if not (self.answers.isatty() and self.console.file.isatty()):
            self.console.print(line(_("Refused: there is no terminal to ask in."), "bold"))
            return False
        question = _("Is this all right? [y]es, [N]o, [q]uit and change nothing: ")
        _forget_typed(self.answers)
        while True:
            self.console.print(line(question, "bold"), end="")
            said = self.answers.readline()
            match said.strip().casefold():
                case "y" | "yes" | "s" | "sí" | "si":
                    return True
                case "q" | "quit":
                    raise KeyboardInterrupt
                case "" | "n" | "no":
                    # With an empty answer without a line end, the terminal is gone.
                    return False
                case _:
                    continue

    def _noted(self, step: Step, by: str, *, agreed: bool) -> bool:
        self.note(step, agreed, by)
        return agreed


def _forget_typed(answers: IO[str]) -> None:
    """What was typed before the question was there is no answer to it."""
    with suppress(ImportError, OSError, ValueError):
        import termios

        termios.tcflush(answers.fileno(), termios.TCIFLUSH)
