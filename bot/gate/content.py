"""Predicted changes -> Content: what the bytes to be written are, as far as rules ask."""

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from bot.dataclass import dataclass
from bot.workspace import Change, Entry, Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """`odd` are paths that become a link or a submodule, `executable` those that become a program, `binary`
    those that become something else than text.

    `hidden` are invisible characters, as U+XXXX, and `secrets` names of secret-shaped strings, both in lines
    that are added. A line that only moves is neither added nor removed.
    """

    added_lines: int = 0
    removed_lines: int = 0
    largest_bytes: int = 0
    odd: tuple[str, ...] = ()
    executable: tuple[str, ...] = ()
    binary: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


NOTHING: Final = Content()


def content_of(effects: Sequence[Change]) -> Content:
    if not effects:
        return NOTHING
    from bot.words.redaction import secret_rules

    added: list[str] = []
    removed = 0
    for change in effects:
        before, after = map(Counter, _compared(change))
        added += (after - before).elements()
        removed += (before - after).total()
    return Content(
        added_lines=len(added),
        removed_lines=removed,
        largest_bytes=max(len(change.content_after or b"") for change in effects),
        odd=tuple(c.path for c in effects if _mode(c.after) in {Mode.LINK, Mode.SUBMODULE}),
        executable=tuple(c.path for c in effects if _becomes_a_program(c)),
        binary=tuple(c.path for c in effects if not _is_text(c.content_after)),
        hidden=_hidden_in(added),
        secrets=secret_rules("\n".join(added)),
    )


def _becomes_a_program(change: Change) -> bool:
    return _mode(change.after) is Mode.EXECUTABLE and _mode(change.before) is not Mode.EXECUTABLE


def _mode(entry: Entry | None) -> Mode | None:
    return entry.mode if entry else None


def _compared(change: Change) -> tuple[list[str], list[str]]:
    before, after = change.content_before or b"", change.content_after or b""
    if before.startswith(BOM_UTF8) and after.startswith(BOM_UTF8):
        # It says of the file what it said before, and nobody sees less for it. Any other hidden character
        # that stays is told of with its line: what is around it decides what it hides.
        before, after = before.removeprefix(BOM_UTF8), after.removeprefix(BOM_UTF8)
    return _lines(before), _lines(after)


def _lines(content: bytes) -> list[str]:
    # Only what editors and reviewers show as lines; str.splitlines would break at form feeds and the like.
    text = content.decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []


def _is_text(content: bytes | None) -> bool:
    if content is None:
        return True
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _hidden_in(lines: Iterable[str]) -> tuple[str, ...]:
    from bot.words.hidden import Hidden, scan

    # A carriage return that ends a line is a line end; any other can overwrite what a reader saw.
    text = "\n".join(line.removesuffix("\r") for line in lines)
    runs = "".join(part.text for part in scan(text) if isinstance(part, Hidden))
    return tuple(dict.fromkeys(f"U+{ord(character):04X}" for character in runs))
