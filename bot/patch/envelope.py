"""The `*** Begin Patch` envelope (OpenAI's V4A) -> what it does to each file. What it can't mean is refused.

Paths are as written: nothing is opened here.
"""

from collections.abc import Callable, Iterator
from typing import Final

from bot.errors import ToolFailed
from bot.patch.file_edit import FileEdit
from bot.patch.hunk import Hunk, Sign

BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_ADD: Final = "*** Add File: "
_DELETE: Final = "*** Delete File: "
_UPDATE: Final = "*** Update File: "
_MOVE: Final = "*** Move to: "
_END_OF_FILE: Final = "*** End of File"
_SIGNS: Final[dict[str, Sign]] = {" ": " ", "-": "-", "+": "+"}


def read_envelope(patch: str) -> tuple[FileEdit, ...]:
    """Raises ToolFailed with the line of the patch that can't be read."""
    lines = patch.strip("\n").split("\n")
    if lines[0].strip() != BEGIN:
        raise ToolFailed(f"the patch does not begin with {BEGIN!r}")
    if lines[-1].strip() != _END or len(lines) < 2:
        raise ToolFailed(f"the patch does not end with {_END!r}; it may have been cut off")
    edits: list[FileEdit] = []
    at = 1
    while at < len(lines) - 1:
        edit, at = _section(lines, at, len(lines) - 1)
        edits.append(edit)
    if not edits:
        raise ToolFailed("the patch is empty: no file is named between its begin and end")
    return tuple(edits)


def _section(lines: list[str], at: int, end: int) -> tuple[FileEdit, int]:
    """The edit that begins at a line, and the line after it."""
    head = lines[at].removesuffix("\r")
    body = at + 1
    after = _first(lines, body, end, lambda line: line.startswith(_HEADS))
    for prefix, read in ((_ADD, _added), (_DELETE, _deleted), (_UPDATE, _updated)):
        if head.startswith(prefix) and head[len(prefix) :].strip():
            return read(head[len(prefix) :].strip(), lines, body, after), after
    raise ToolFailed(
        f"line {at + 1} of the patch is no Add, Update or Delete File line with a path: {head!r}"
    )


def _added(path: str, lines: list[str], at: int, after: int) -> FileEdit:
    rows: list[tuple[Sign, str]] = []
    for number in range(at, _filled(lines, at, after)):
        if not lines[number].startswith("+"):
            raise ToolFailed(f"line {number + 1} of the patch must begin with +, as in every new file")
        rows.append(("+", lines[number][1:]))
    hunks = (Hunk(lines=tuple(rows), said_at=at),) if rows else ()
    return FileEdit(old=None, new=path, hunks=hunks)


def _deleted(path: str, lines: list[str], at: int, after: int) -> FileEdit:
    for number in range(at, after):
        if lines[number].strip():
            raise ToolFailed(f"line {number + 1} of the patch: nothing may follow the name of a deleted file")
    return FileEdit(old=path, new=None, hunks=None)


def _updated(path: str, lines: list[str], at: int, after: int) -> FileEdit:
    new = path
    if at < after and lines[at].startswith(_MOVE):
        new = lines[at].removesuffix("\r")[len(_MOVE) :].strip()
        if not new:
            raise ToolFailed(f"line {at + 1} of the patch names no path to move to")
        at += 1
    hunks = tuple(_hunks(lines, at, after))
    if not hunks and new == path:
        raise ToolFailed(f"the update of {path} changes nothing")
    return FileEdit(old=path, new=new, hunks=hunks)


def _hunks(lines: list[str], at: int, after: int) -> Iterator[Hunk]:
    while at < after:
        said_at = at + 1
        stop = _first(lines, at, after, lambda line: not _is_anchor(line))
        anchors = tuple(line[3:].strip("\r") for line in lines[at:stop] if line[3:].strip())
        at, stop = stop, _first(lines, stop, after, lambda line: line.startswith(("@@", "***")))
        rows = _rows(lines, at, stop)
        at_end = stop < after and lines[stop].rstrip() == _END_OF_FILE
        if stop < after and not at_end and not _is_anchor(lines[stop]):
            raise ToolFailed(f"line {stop + 1} of the patch can't be read: {lines[stop][:60]!r}")
        if all(sign == " " for sign, _ in rows):
            raise ToolFailed(f"the hunk at line {said_at} of the patch has no line to add or remove")
        yield Hunk(lines=rows, said_at=said_at, anchors=anchors, at_end=at_end)
        at = _first(lines, stop + at_end, after, lambda line: line.strip() != "") if at_end else stop


def _rows(lines: list[str], at: int, stop: int) -> tuple[tuple[Sign, str], ...]:
    rows: list[tuple[Sign, str]] = []
    for number in range(at, _filled(lines, at, stop)):
        # An empty unchanged line that lost its one space
        row = lines[number] if lines[number].strip("\r") else " " + lines[number]
        if row[0] not in _SIGNS:
            raise ToolFailed(f"line {number + 1} of the patch must begin with a space, + or -: {row[:60]!r}")
        rows.append((_SIGNS[row[0]], row[1:]))
    return tuple(rows)


def _filled(lines: list[str], at: int, stop: int) -> int:
    """Without the empty lines at the end, which are there for looks."""
    while stop > at and not lines[stop - 1].strip("\r"):
        stop -= 1
    return stop


def _is_anchor(line: str) -> bool:
    return line.startswith("@@ ") or line.rstrip() == "@@"


def _first(lines: list[str], at: int, stop: int, is_it: Callable[[str], bool]) -> int:
    return next((number for number in range(at, stop) if is_it(lines[number])), stop)


_HEADS: Final = (_ADD, _DELETE, _UPDATE, "*** Begin", "*** End Patch", "*** Add", "*** Delete", "*** Update")
