"""The two streams of a command: data on stdout, and everything else on stderr, in the person's language."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from gettext import NullTranslations
from typing import TYPE_CHECKING, Self, TextIO

from bot.dataclass import dataclass
from bot.refusal import Refusal
from bot.render.language import catalogue
from bot.render.sentence import translated
from bot.terminal.screen import line, screen

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """`data` and `log` are stdout and stderr, `answers` is stdin."""

    language: str
    speech: NullTranslations
    data: "Console"
    log: "Console"
    answers: TextIO

    @classmethod
    def of_process(cls, language: str, *, is_plain: bool) -> Self:
        for stream in (sys.stdout, sys.stderr):
            # A file's name, or a model's words, can hold what a terminal's encoding can't.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        return cls(
            language=language,
            speech=catalogue(language),
            data=screen(sys.stdout, is_plain=is_plain),
            log=screen(sys.stderr, is_plain=is_plain),
            answers=sys.stdin,
        )

    def write(self, data: str) -> None:
        """Byte for byte, in UTF-8 whatever the locale: another program may read it."""
        self.data.file.flush()
        buffer = getattr(self.data.file, "buffer", None)
        if buffer is None:
            self.data.file.write(data)
        else:
            buffer.write(data.encode("utf-8", "backslashreplace"))
            buffer.flush()

    def say(self, text: str, style: str = "") -> None:
        # Lines of a log are for grep; those on a screen break between words.
        self.log.print(line(text, style), soft_wrap=not self.log.is_terminal)

    def refuse(self, refusal: Refusal) -> int:
        """The exit code with it."""
        told = replace(
            refusal,
            detail=translated(refusal.detail, self.language),
            next_step=translated(refusal.next_step, self.language),
        ).as_told()
        self.say(told.detail, "bold")
        self.say(f"  {self.speech.gettext('Next:')} {told.next_step}")
        return 3

    def tell_taken_back(self, restored: Sequence[str], left: Sequence[str]) -> None:
        """Of a run that was killed: paths that are as before it, and those that somebody changed since."""
        _ = self.speech.gettext
        paths = ", ".join(restored)
        self.say(
            _("A run was killed while it wrote files. These are as before it: %(paths)s") % {"paths": paths}
        )
        if left:
            paths = ", ".join(left)
            self.say(_("These were changed since, and were left alone: %(paths)s") % {"paths": paths}, "bold")
