"""Where lines of a patch belong in a text, and the text with them applied. One place or ToolFailed: no fuzz.

Both patch formats end here. Lines are compared exactly; only if that finds nothing are they compared without
carriage returns and byte order mark, which a model can't see, and then the file keeps the ones it has.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, Self

from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.patch.text import Text

Sign = Literal[" ", "-", "+"]
_MARK: Final = "\ufeff"
# Blocks within blocks are looked through once each
_MOST_ANCHORS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines to be found together, and what comes in their stead.

    `lines` are without line feeds. `start` is the index a unified diff states; `anchors` are lines that an
    envelope says are above; `at_end` wants the last lines of the file. `old_is_bare` and `new_is_bare` tell
    whether a side lacks the newline at its end, and are None where the patch doesn't say. `said_at` is the
    hunk's line in the patch, counted from 1.
    """

    lines: tuple[tuple[Sign, str], ...]
    said_at: int
    start: int | None = None
    anchors: tuple[str, ...] = ()
    at_end: bool = False
    old_is_bare: bool | None = None
    new_is_bare: bool | None = None

    @property
    def old(self) -> tuple[str, ...]:
        return tuple(text for sign, text in self.lines if sign != "+")


def patched(text: Text, hunks: Sequence[Hunk], *, path: str) -> Text:
    """Raises ToolFailed, naming hunk and file, unless each has exactly one place after the one before."""
    source = _Source.of(text)
    result: list[_Line] = []
    done = 0
    is_bare = source.is_bare
    keeps_mark = False
    for number, hunk in enumerate(hunks, 1):
        try:
            place = _place(source, hunk, done)
        except ToolFailed as failed:
            name = f"hunk {number} (line {hunk.said_at} of the patch)"
            raise ToolFailed(f"{name} does not fit {path}: {failed}") from None
        result += source.lines[done : place.at]
        result += _replacement(source, hunk, place)
        done = place.at + len(hunk.old)
        keeps_mark = keeps_mark or (place.at == 0 and not place.is_exact)
        if hunk.new_is_bare is not None and done == len(source.lines):
            is_bare = hunk.new_is_bare
    result += source.lines[done:]
    return _joined(source, result, is_bare=is_bare, has_mark=keeps_mark and text.has_mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """`end` is empty for a last line without newline, and only there."""

    text: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    at: int
    is_exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A file's lines, as they are compared: `exact` with carriage returns, `loose` without."""

    lines: list[_Line]
    exact: list[str]
    loose: list[str]

    @classmethod
    def of(cls, text: Text) -> Self:
        whole = Text(body=(_MARK if text.has_mark else "") + text.body)
        exact = whole.lines
        lines = [_line(row) for row in exact]
        if lines and not whole.ends_with_newline:
            lines[-1] = _Line(text=exact[-1], end="")
        return cls(lines=lines, exact=exact, loose=[_loose(row) for row in exact])

    @property
    def is_bare(self) -> bool:
        return bool(self.lines) and not self.lines[-1].end

    def end_near(self, at: int) -> str:
        """What a line gets that comes to stand there: the end of the one above, or else of the one below."""
        for line in (*self.lines[max(0, at - 2) : at][::-1], *self.lines[at : at + 1]):
            if line.end:
                return line.end
        return "\n"

    def places(self, hunk: Hunk, floor: int) -> tuple[list[int], bool]:
        """Every index from `floor` on at which the hunk fits, and whether it does so exactly."""
        old = list(hunk.old)
        found = [at for at in _found(self.exact, old, floor) if self._ends_fit(hunk, at + len(old))]
        if found:
            return found, True
        loose = [_loose(row) for row in old]
        return [at for at in _found(self.loose, loose, floor) if self._ends_fit(hunk, at + len(old))], False

    def _ends_fit(self, hunk: Hunk, after: int) -> bool:
        is_end = after == len(self.lines)
        if not is_end and (hunk.at_end or hunk.old_is_bare or hunk.new_is_bare):
            return False
        return not is_end or hunk.old_is_bare is None or hunk.old_is_bare is self.is_bare


def _place(source: _Source, hunk: Hunk, floor: int) -> _Place:
    if not hunk.old:
        return _insertion(source, hunk, floor)
    found, is_exact = source.places(hunk, floor)
    if hunk.start in found:
        return _Place(at=hunk.start, is_exact=is_exact)
    if not found:
        raise ToolFailed(_why_nowhere(source, hunk, floor))
    if hunk.anchors:
        found = _below_anchors(source, hunk, floor, found)
    if len(found) > 1:
        raise ToolFailed(f"it fits at lines {_numbers(found)}; add unchanged lines until one is left")
    return _Place(at=found[0], is_exact=is_exact)


def _insertion(source: _Source, hunk: Hunk, floor: int) -> _Place:
    """Lines that only come in have a place if the file is empty, at its end, or below one anchor."""
    if not source.lines:
        return _Place(at=0, is_exact=True)
    if hunk.at_end:
        return _Place(at=len(source.lines), is_exact=False)
    if not hunk.anchors:
        raise ToolFailed("it has no unchanged or removed line to say where it belongs; add some around it")
    anchors = [regions.start for regions in _regions(source, hunk.anchors, floor)]
    if len(anchors) > 1:
        raise ToolFailed(f"{hunk.anchors[-1]!r} is at lines {_numbers(anchors)}; add unchanged lines")
    return _Place(at=anchors[0] + 1, is_exact=False)


def _below_anchors(source: _Source, hunk: Hunk, floor: int, found: list[int]) -> list[int]:
    """Of all places, those within the blocks that the anchors begin; if there are none, those after them."""
    regions = _regions(source, hunk.anchors, floor)
    within = [at for at in found if any(at in region for region in regions)]
    after = within or [at for at in found if at > regions[0].start]
    if not after:
        raise ToolFailed(f"its lines are not below {hunk.anchors[-1]!r} (line {regions[0].start + 1})")
    return after


def _regions(source: _Source, anchors: Sequence[str], floor: int) -> list[range]:
    """The blocks that a chain of anchors leads to: from an anchor to the next line indented no deeper."""
    regions = [range(floor, len(source.lines))]
    for anchor in anchors:
        wanted = anchor.strip()
        starts = {
            at: None for region in regions for at in region if source.loose[at].strip() == wanted and wanted
        }
        if not starts:
            raise ToolFailed(f"no line there is {anchor!r}; give a whole line after @@")
        if len(starts) > _MOST_ANCHORS:
            raise ToolFailed(f"{anchor!r} is at {len(starts)} lines; add one before it that is there once")
        regions = [_block(source.loose, at) for at in starts]
    return regions


def _block(rows: Sequence[str], start: int) -> range:
    depth = _indent(rows[start])
    for at in range(start + 1, len(rows)):
        if rows[at].strip() and _indent(rows[at]) <= depth:
            return range(start, at)
    return range(start, len(rows))


def _indent(row: str) -> int:
    expanded = row.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _replacement(source: _Source, hunk: Hunk, place: _Place) -> list[_Line]:
    result: list[_Line] = []
    at = place.at
    last = max((number for number, (sign, _) in enumerate(hunk.lines) if sign != "-"), default=0)
    for number, (sign, row) in enumerate(hunk.lines):
        if sign == "+" and not place.is_exact:
            result.append(replace(_line(row), end=source.end_near(at)))
        elif sign == "+":
            # A carriage return before no line feed is a character
            is_bare = hunk.new_is_bare is True and number == last
            result.append(_Line(text=row, end="") if is_bare else _line(row))
        else:
            if sign == " ":
                kept = source.lines[at]
                result.append(kept if place.is_exact else replace(kept, text=kept.text.removeprefix(_MARK)))
            at += 1
    return result


def _joined(source: _Source, lines: list[_Line], *, is_bare: bool, has_mark: bool) -> Text:
    if not lines:
        return Text(body="")
    near = source.end_near(len(source.lines))
    rows = [line if line.end else replace(line, end=near) for line in lines]
    if is_bare:
        rows[-1] = replace(rows[-1], end="")
    body = "".join(line.text + line.end for line in rows)
    return Text(body=body.removeprefix(_MARK), has_mark=has_mark or body.startswith(_MARK))


def _line(row: str) -> _Line:
    return _Line(text=row[:-1], end="\r\n") if row.endswith("\r") else _Line(text=row, end="\n")


def _loose(row: str) -> str:
    return row.removeprefix(_MARK).removesuffix("\r")


def _found(rows: list[str], wanted: list[str], floor: int) -> list[int]:
    last = len(rows) - len(wanted)
    first, size = wanted[0], len(wanted)
    return [at for at in range(floor, last + 1) if rows[at] == first and rows[at : at + size] == wanted]


def _why_nowhere(source: _Source, hunk: Hunk, floor: int) -> str:
    there = set(source.loose)
    for row in hunk.old:
        if _loose(row) not in there:
            alike = [
                at for at, line in enumerate(source.loose) if row.strip() and line.strip() == row.strip()
            ]
            hint = f"; line {_numbers(alike)} differs from it in white space" if alike else ""
            return f"{_loose(row)!r} is not a line of the file{hint}; read the file again and copy its lines"
    if floor and source.places(hunk, 0)[0]:
        return "its place is above that of the hunk before; put hunks in the order of the file"
    if hunk.at_end or hunk.old_is_bare is not None:
        return "its lines do not end the file in that way; check the newline at the end of the file"
    return "its lines are in the file, but not together in this order; read the file again and copy them"


def _numbers(found: Sequence[int]) -> str:
    return ", ".join(str(at + 1) for at in found[:10]) + (" ..." if len(found) > 10 else "")
