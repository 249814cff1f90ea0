"""A run's transcript as it grows -> progress for whoever waits: step, tool, tokens, cost. On stderr only."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from gettext import NullTranslations
from typing import TYPE_CHECKING, Final

from bot.cost import Usage, cost_usd
from bot.dataclass import dataclass
from bot.description import describe
from bot.render.size import usd
from bot.terminal.screen import line, verdict_word
from bot.transcript import Transcript

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text


def _ignore(event: str, facts: Mapping[str, object]) -> None: ...


@dataclass(slots=True, kw_only=True)
class WatchedTranscript(Transcript):
    """`watch` is told of each event after it is written."""

    watch: Callable[[str, Mapping[str, object]], None] = _ignore

    def note(self, event: str, **facts: object) -> None:
        Transcript.note(self, event, **facts)
        self.watch(event, facts)


class Progress:
    """A line for each call and its verdict; on a terminal also a last line that moves."""

    def __init__(self, console: "Console", *, model: str, speech: NullTranslations, language: str) -> None:
        self._console: Final = console
        self._model: Final = model
        self._speech: Final = speech
        self._language: Final = language
        self._usage = Usage()
        self._calls: Final[dict[object, str]] = {}
        self._doing = ""
        self._status: Status | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with self._console.status(self._line()) as status:
            self._status = status
            try:
                yield
            finally:
                self._status = None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While somebody is asked something, nothing moves."""
        if self._status is not None:
            self._status.stop()
        yield
        if self._status is not None:
            self._status.start()

    def watch(self, event: str, facts: Mapping[str, object]) -> None:
        match event, facts:
            case "turn", {"usage": dict() as usage}:
                self._usage += Usage(**usage)
            case "proposed", {"call": call, "tool": str() as tool, "arguments": str() as arguments}:
                self._doing = describe(tool, _parsed(arguments), language=self._language)
                self._calls[call] = self._doing
            case "answered", {"call": call, "verdict": {"outcome": str() as outcome}, "error": error}:
                self._doing = ""
                self._answered(self._calls.pop(call, ""), outcome if error is None else "failed")
            case _:
                pass
        if self._status is not None:
            self._status.update(self._line())

    def _answered(self, title: str, badge: str) -> None:
        said = verdict_word(badge, self._speech)
        said.pad_right(max(1, 10 - len(said.plain)))
        self._console.print(said.append_text(line(title)), soft_wrap=True)

    def _line(self) -> "Text":
        _ = self._speech.gettext
        cost = cost_usd(self._usage, model=self._model)
        doing = self._doing or _("call %(number)d to %(model)s") % {
            "number": self._usage.calls + 1,
            "model": self._model,
        }
        tokens = _("%(number)s tokens") % {"number": f"{self._usage.tokens:,}"}
        money = _("cost unknown") if cost is None else f"${usd(cost)}"
        told = line(f"{doing} · {tokens} · {money}", "dim")
        # One line that moves; a second one would stay behind when it is drawn again.
        told.truncate(max(10, self._console.width - 4), overflow="ellipsis")
        return told


def _parsed(arguments: str) -> Mapping[str, object]:
    """For one line on the screen; what can't be parsed is told by its verdict."""
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return (
        {name: value for name, value in parsed.items() if name != "intent"}
        if isinstance(parsed, dict)
        else {}
    )
