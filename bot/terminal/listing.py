"""Steps -> what a terminal shows of them: a table of verdicts, and the diffs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from gettext import NullTranslations
from typing import TYPE_CHECKING, Final

from bot.action import Kind
from bot.description import describe
from bot.plan import Step
from bot.render.sentence import translated
from bot.render.steps import StepView, Verb, view
from bot.terminal.screen import line, verdict_word, words

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

# Below this a table's columns have no room for their words.
_NARROW: Final = 72


def show_steps(
    console: "Console",
    steps: Sequence[Step],
    *,
    speech: NullTranslations,
    language: str,
    is_live: bool = False,
) -> None:
    """Nothing for no steps. On a narrow terminal each step is a few lines instead of a row.

    `is_live`: what could be carried out was.
    """
    views = [_view(step, language) for step in steps]
    if is_live:
        views = [replace(one, badge="done") if one.is_performed else one for one in views]
    if not views:
        return
    titles = [describe(step.tool, step.arguments, language=language) for step in steps]
    console.print()
    if console.width < _NARROW:
        for one, title in zip(views, titles, strict=True):
            console.print(*_stacked(one, title, speech), sep="\n")
    else:
        console.print(_table(views, titles, speech))


def show_diffs(console: "Console", steps: Sequence[Step], *, speech: NullTranslations) -> None:
    """Every file's diff, and whole what no file tells, such as a command."""
    for step in steps:
        one = view(step)
        told = list(_told(one, speech))
        if told:
            console.print()
            console.print(_headline(one, speech), *told, sep="\n")


def show_step(console: "Console", step: Step, *, speech: NullTranslations, language: str) -> None:
    """All that a person needs who is asked about one step."""
    one = _view(step, language)
    console.print()
    console.print(_headline(one, speech), line(one.reason, "dim"), sep="\n")
    if step.kind is Kind.EXTERNAL and step.effects:
        console.print(
            line(speech.gettext("It has run, on a copy, and this is what it changed there:"), "bold")
        )
    if one.intent:
        console.print(line(f"“{one.intent}”", "italic"))
    console.print(*_told(one, speech), sep="\n")


def _view(step: Step, language: str) -> StepView:
    one = view(step)
    return replace(one, reason=translated(one.reason, language), error=translated(one.error, language))


def _table(views: Sequence[StepView], titles: Sequence[str], speech: NullTranslations) -> "RenderableType":
    from rich import box
    from rich.table import Table

    _ = speech.gettext
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column(_("Action"), overflow="fold", ratio=3)
    table.add_column("+/-", justify="right", no_wrap=True)
    table.add_column(_("Verdict"), no_wrap=True)
    table.add_column(_("Why"), overflow="fold", ratio=2)
    for one, title in zip(views, titles, strict=True):
        why = line(one.error or one.reason)
        table.add_row(str(one.number), line(title), _counts(one), verdict_word(one.badge, speech), why)
    return table


def _stacked(one: StepView, title: str, speech: NullTranslations) -> "Iterator[RenderableType]":
    from rich.padding import Padding
    from rich.text import Text

    yield Text(" ").join([line(f"{one.number}."), verdict_word(one.badge, speech), _counts(one)])
    yield Padding(line(title), (0, 0, 0, 3))
    yield Padding(line(one.error or one.reason, "dim"), (0, 0, 0, 3))


def _headline(one: StepView, speech: NullTranslations) -> "Text":
    from rich.text import Text

    return Text(" ").join([line(f"{one.number}."), line(one.tool, "bold"), verdict_word(one.badge, speech)])


def _counts(one: StepView) -> "Text":
    from rich.text import Text

    if not one.added and not one.removed:
        return Text("")
    return Text.assemble((f"+{one.added}", "green"), " ", (f"-{one.removed}", "red"))


def _told(one: StepView, speech: NullTranslations) -> "Iterator[Text]":
    _ = speech.gettext
    if one.call:
        yield words(one.call)
    for file in one.files:
        yield line(file.path, "bold")
        if file.mode:
            yield line(_("New mode: %(mode)s") % {"mode": file.mode})
        yield from map(_diff_line, file.patch.text.rstrip("\n").split("\n") if file.patch.text else ())
        if file.verb is Verb.CREATE and not file.patch.text:
            yield line(_("The file is empty."))
        if not file.is_told:
            yield line(
                _("What is shown here is not all that this file would hold: read the plan record."), "bold"
            )


def _diff_line(text: str) -> "Text":
    styles = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
    return line(text, styles.get(text[:1], ""))
