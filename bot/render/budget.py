"""What of a plan a comment shows: every step's row and fold, while they fit, what matters most first.

Worked out from the steps alone, whatever language and links a comment has: the same choice decides which
steps an approver has seen, and apply must find the same answer again. A step that found no place is not
looked at: it was not shown.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.dataclass import dataclass
from bot.plan import Step
from bot.plan.outline import Outline
from bot.plan.step import Badge
from bot.render.inert import cell, code, fenced, quoted, said
from bot.render.size import units
from bot.render.steps import FileView, StepView, view


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Text for a code block; `left_out` counts the lines that are not shown.

    `file` is None for the call itself, and for what a rehearsed command said.
    """

    text: str
    left_out: int
    file: FileView | None
    is_output: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """`more` counts the files of the step that had no room at all."""

    step: StepView
    blocks: tuple[Block, ...]
    more: int

    @property
    def is_whole(self) -> bool:
        """Whether all is shown that the step would do; what it said then would be no part of that."""
        return not self.more and not any(block.left_out for block in self.blocks if not block.is_output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Rows and folds in call order.

    `not_shown` are the steps to be performed that nobody can have read wholly.
    """

    rows: tuple[StepView, ...]
    folds: tuple[Fold, ...]
    not_shown: tuple[int, ...]

    def redacted(self, redact: Callable[[str], str]) -> "Choice":
        """The same, where nobody can have read what `redact` takes out of a step either."""
        cut = {
            fold.step.number for fold in self.folds if fold.step.is_performed and _loses(fold.step, redact)
        }
        return replace(self, not_shown=tuple(sorted(cut.union(self.not_shown))))


def choose(outline: Outline, *, folds_budget: int = 40_000, rows_budget: int = 9_000) -> Choice:
    views = _Views()
    rows = _rows(outline, views, rows_budget)
    folds = _folds(outline, views, folds_budget)
    whole = {fold.step.number for fold in folds if fold.step.is_told and fold.is_whole}
    return Choice(
        rows=rows,
        folds=folds,
        not_shown=tuple(number for number in outline.performed if number not in whole),
    )


def _loses(step: StepView, redact: Callable[[str], str]) -> bool:
    """Whether anything that tells what the step would do."""
    told = [step.tool, step.object, step.call]
    told += [text for file in step.files for text in (file.path, file.patch.text)]
    return any(redact(text) != text for text in told)


class _Views(dict[int, StepView]):
    """The views of the steps that got as far as to be laid out, each made once."""

    def of(self, step: Step) -> StepView:
        if step.number not in self:
            self[step.number] = view(step)
        return self[step.number]


def _rows(outline: Outline, views: _Views, budget: int) -> tuple[StepView, ...]:
    rows: list[StepView] = []
    for step in map(views.of, _by_badge(outline.wearing)):
        budget -= _ROW + units(cell(code(step.object, 80))) + units(cell(quoted(step.reason, 160)))
        if budget < 0:
            break
        rows.append(step)
    return tuple(sorted(rows, key=lambda step: step.number))


def _folds(outline: Outline, views: _Views, budget: int) -> tuple[Fold, ...]:
    """Within a badge the small ones first, so that as many as can be are shown whole."""
    folds: list[Fold] = []
    misses = 0
    for step in map(views.of, _by_badge(outline.smallest_first)):
        fold, size = _fold(step, budget)
        if fold is None:
            misses += 1
        else:
            folds.append(fold)
            budget -= size
        if budget < _LEAST or misses == _MOST_MISSES:
            break
    return tuple(sorted(folds, key=lambda fold: fold.step.number))


def _by_badge(steps: Mapping[Badge, Sequence[Step]]) -> Iterator[Step]:
    """What asks comes first, and what is not done last."""
    for badge in _ORDER:
        yield from steps[badge]


def _fold(step: StepView, budget: int) -> tuple[Fold | None, int]:
    """The fold and what it takes, or None where not even a part of it fits."""
    if budget < _LEAST:
        return None, 0
    words = _FOLD + units(code(step.object)) + units(said(step.intent, 500)) + units(quoted(step.reason))
    words += (
        units(code(step.spelled, 120))
        + units(quoted(step.error, 500))
        + units(quoted(step.expected, 200))
        + sum(units(quoted(concern, 200)) for concern in step.concerns[:5])
        + sum(units(code(path, 120)) for path in step.unsteady[:5])
    )
    left = budget - words
    blocks: list[Block] = []
    texts: list[tuple[str, FileView | None]] = [(step.call, None)] if step.call else []
    texts += [(step.output, None)] if step.output else []
    texts += [(file.patch.text, file) for file in step.files]
    for at, (text, file) in enumerate(texts):
        head = _BLOCK + (units(code(file.path)) if file else 0)
        if left < head:
            break
        block, size = _block(text, file, left - head)
        is_output = bool(step.output) and file is None and at == bool(step.call)
        blocks.append(replace(block, is_output=is_output))
        left -= head + size
    if left < 0 or (texts and not blocks):
        return None, 0
    return Fold(step=step, blocks=tuple(blocks), more=len(texts) - len(blocks)), budget - left


def _block(text: str, file: FileView | None, budget: int) -> tuple[Block, int]:
    lines = text.rstrip("\n").split("\n") if text else []
    fits = len(lines)
    if len(text) > budget:
        fits = _lines_within(lines, budget)
    while fits and (size := units(fenced("\n".join(lines[:fits]), "diff"))) > budget:
        # Hidden characters take more room spelled out than they had.
        fits = min(fits - 1, fits * budget // size)
    # With its last line end, or a CR before that would be shown as a character of its own.
    shown = "".join(f"{line}\n" for line in lines[:fits])
    left_out = len(lines) - fits
    return Block(text=shown, left_out=left_out, file=file), units(fenced(shown, "diff")) if fits else 0


def _lines_within(lines: Sequence[str], budget: int) -> int:
    for at, line in enumerate(lines):
        budget -= len(line) + 1
        if budget < 0:
            return at
    return len(lines)


_ORDER: Final[tuple[Badge, ...]] = ("ask", "allow", "failed", "deny")
# Room for our own words, in the longest language, and for the markup around them.
_ROW: Final = 240
_FOLD: Final = 800
_BLOCK: Final = 120
# Every step has a call or a file to show.
_LEAST: Final = _FOLD + _BLOCK
# Steps whose words alone are too long for what room is left; there may be thousands of them.
_MOST_MISSES: Final = 20
