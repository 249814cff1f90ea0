"""The diff that an effect carries, taken apart, and whether it tells what the effect's content is.

A record may come from anybody, and people approve what they read. What was there before is not in the
record, so removed lines and what lies between the hunks are not judged here.
"""

from collections.abc import Iterator
from dataclasses import field

from bot.dataclass import dataclass
from bot.plan import Effect
from bot.plan.hunks import HUNK, first_hunk, lines_changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """`text` is the hunks without git's headers, `is_whole` whether all of it is a unified diff.

    `after` holds, for each hunk, where it starts in the new file (from 0) and the lines it has there.
    """

    text: str
    added: int
    removed: int
    after: tuple[tuple[int, tuple[str, ...]], ...]
    is_whole: bool


def patch_of(effect: Effect) -> Patch:
    at = first_hunk(effect.diff)
    text = effect.diff[at:]
    added, removed = lines_changed(effect.diff, at=at)
    reader = _Reader(lines=iter(text.split("\n") if text else ()))
    reader.read()
    return Patch(
        text=text,
        added=added,
        removed=removed,
        after=tuple((start, tuple(after)) for start, after in reader.hunks),
        is_whole=reader.is_whole,
    )


def tells(effect: Effect, patch: Patch) -> bool:
    """Whether somebody who reads the patch has seen every new line of the content, in its place."""
    if not patch.is_whole:
        return False
    if effect.content is None:
        return effect.blob_after is None and not patch.added
    if effect.blob_before is not None and effect.blob_before == effect.blob_after:
        return not patch.text
    if effect.content.encoding != "utf-8":
        return False
    content = effect.content.data.split("\n")
    content = [line + "\n" for line in content[:-1]] + ([content[-1]] if content[-1] else [])
    if any(tuple(content[start : start + len(lines)]) != lines for start, lines in patch.after):
        return False
    seen = sum(len(lines) for _, lines in patch.after)
    # A new file has nothing that could be left out as unchanged.
    return seen == len(content) if effect.blob_before is None else bool(patch.after)


@dataclass(slots=True, kw_only=True)
class _Reader:
    lines: Iterator[str]
    is_whole: bool = True
    hunks: list[tuple[int, list[str]]] = field(default_factory=list)

    def read(self) -> None:
        old = new = 0
        last = ""
        for line in self.lines:
            mark = line[:1]
            if mark == "\\":
                if last in {"+", " "} and self.hunks and self.hunks[-1][1]:
                    self.hunks[-1][1][-1] = self.hunks[-1][1][-1].removesuffix("\n")
            elif old == new == 0:
                header = HUNK.match(line)
                if header is None:
                    # What is left may be the empty end of the text, and nothing else.
                    self.is_whole = line == "" and next(self.lines, None) is None
                    return
                old, new = int(header[1] or 1), int(header[3] or 1)
                # A hunk without new lines names the line before it.
                self.hunks.append((int(header[2]) - (1 if new else 0), []))
            elif mark in {"+", "-", " "}:
                old -= mark != "+"
                new -= mark != "-"
                self._take(mark, line[1:] + "\n")
            else:
                self.is_whole = False
                return
            last = mark
        self.is_whole = old == new == 0

    def _take(self, mark: str, line: str) -> None:
        if mark != "-":
            self.hunks[-1][1].append(line)
