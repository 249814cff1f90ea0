"""A stream -> the rich console for it: colour and motion for a person's eyes, else plain text."""

from gettext import NullTranslations
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# A pipe has no width; what is wider is folded, never cut.
_PIPE_COLUMNS = 100


def screen(stream: IO[str], *, is_plain: bool) -> "Console":
    """No escape sequence ever reaches a stream that is no terminal, whatever the environment forces."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            """Whoever reads has seen enough, which is no failure: the front door knows what to do."""
            raise BrokenPipeError

    is_shown = stream.isatty() and not is_plain
    return Screen(
        file=stream,
        force_terminal=is_shown,
        force_interactive=is_shown,
        color_system="auto" if is_shown else None,
        markup=False,
        emoji=False,
        highlight=False,
        width=None if stream.isatty() else _PIPE_COLUMNS,
    )


def words(text: str, style: str = "") -> "Text":
    """Somebody's words, on several lines or one: rich, the terminal and a workflow's runner obey none."""
    from rich.text import Text

    from bot.words.sanitise import for_log, for_people

    lines = for_people(text).expandtabs(4).split("\n")
    return Text("\n".join(map(for_log, lines)), style=style)


def line(text: str, style: str = "") -> "Text":
    """The same on one line."""
    from rich.text import Text

    from bot.words.sanitise import for_log

    return Text(for_log(text), style=style)


def verdict_word(badge: str, speech: NullTranslations) -> "Text":
    """`badge` is an outcome, "failed" or "done". The word says all; the colour only says it sooner."""
    from rich.text import Text

    _ = speech.gettext
    shown = {
        "allow": (_("allow"), "green"),
        "ask": (_("ask"), "yellow"),
        "deny": (_("deny"), "red"),
        "failed": (_("failed"), "magenta"),
        "done": (_("done"), "green"),
    }
    word, style = shown[badge]
    # Not as the whole text's style, for others append to it.
    return Text.assemble((word, f"bold {style}"))
