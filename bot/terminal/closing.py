"""What a person sees at the end of a run: the plan or what was done, where to go on, and what it cost."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cost import Usage
from bot.dryrun import DryRunTracker
from bot.plan import Plan
from bot.render.size import usd
from bot.terminal.listing import show_diffs, show_steps
from bot.terminal.pair import Pair
from bot.terminal.screen import line, words
from bot.verdict import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from bot.local_run.report import FileModified, Report


def show_plan(report: "Report", pair: Pair, *, is_brief: bool, plan_file: Path | None) -> None:
    """`is_brief`: stdout holds a report, so only the summary is told, and on stderr."""
    record = report.finished.record
    summary = DryRunTracker.of(record.steps, language=pair.language).get_plan_summary()
    console = pair.log if is_brief else pair.data
    for told in summary.split("\n"):
        console.print(line(told), soft_wrap=True)
    if not is_brief:
        show_steps(console, record.steps, speech=pair.speech, language=pair.language)
        show_diffs(console, record.steps, speech=pair.speech)
        _show_words(record, pair, console)
    _show_warnings(record, pair)
    if record.steps:
        _show_next(record, pair, plan_file)


def show_done(report: "Report", pair: Pair, *, is_brief: bool) -> None:
    record = report.finished.record
    console = pair.log if is_brief else pair.data
    done = sum(step.is_performed for step in record.steps)
    headline = pair.speech.ngettext("%(num)d action carried out", "%(num)d actions carried out", done)
    console.print(line(headline % {"num": done}, "bold"))
    if not is_brief:
        show_steps(console, record.steps, speech=pair.speech, language=pair.language, is_live=True)
        _show_files(report.files_modified, pair, console)
        _show_words(record, pair, console)
    _show_warnings(record, pair)


def show_costs(record: Plan, console: "Console", *, speech: NullTranslations) -> None:
    """Both models, where there are two, and what they come to."""
    _ = speech.gettext
    console.print()
    for told in _costs_of(record.model, record.usage, record.cost, speech):
        console.print(line(told), soft_wrap=True)
    if record.advisor is not None:
        advisor = record.advisor
        console.print(line(_("Second opinion")), soft_wrap=True)
        for told in _costs_of(advisor.model, advisor.usage, advisor.cost, speech):
            console.print(line(f"  {told}"), soft_wrap=True)
        console.print(line(_("Both together: %(cost)s") % {"cost": _spelled(record.total_cost, speech)}))


def _costs_of(model: str, usage: Usage, cost: Decimal | None, speech: NullTranslations) -> Iterator[str]:
    """Cached tokens are part of those read, and reasoning tokens of those written."""
    _ = speech.gettext
    yield _("Model: %(model)s") % {"model": model}
    yield _("Model calls: %(number)d") % {"number": usage.calls}
    yield _("Tokens read: %(number)s, of which %(percent)s from the cache") % {
        "number": f"{usage.input_tokens:,}",
        "percent": f"{usage.cached_percent} %",
    }
    yield _("Tokens written: %(number)s, %(reasoning)s of them in reasoning") % {
        "number": f"{usage.output_tokens:,}",
        "reasoning": f"{usage.reasoning_tokens:,}",
    }
    yield _("Cost: %(cost)s") % {"cost": _spelled(cost, speech)}


def _spelled(cost: Decimal | None, speech: NullTranslations) -> str:
    return speech.gettext("cost unknown") if cost is None else f"{usd(cost)} USD"


def _show_words(record: Plan, pair: Pair, console: "Console") -> None:
    if record.summary:
        console.print()
        console.print(line(pair.speech.gettext("In the agent's own words, which nobody checked:"), "dim"))
        console.print(words(record.summary))


def _show_warnings(record: Plan, pair: Pair) -> None:
    _ = pair.speech.gettext
    if record.stopped_by is not None:
        pair.say(_("Stopped early: %(limit)s.") % {"limit": record.stopped_by}, "bold yellow")
    for finding in record.findings:
        pair.say(f"! {finding}", "yellow")


def _show_files(files: Sequence["FileModified"], pair: Pair, console: "Console") -> None:
    _ = pair.speech.gettext
    spelled = {"created": _("created"), "modified": _("modified"), "deleted": _("deleted")}
    for file in files:
        counts = f"+{file.lines_added} -{file.lines_removed}"
        console.print(line(f"{spelled[file.action]}  {file.path}  {counts}"), soft_wrap=True)


def _show_next(record: Plan, pair: Pair, plan_file: Path | None) -> None:
    _ = pair.speech.gettext
    if not any(step.is_performed for step in record.steps):
        pair.say(_("Nothing of it can be applied."))
    elif plan_file is None:
        pair.say(_("To apply exactly this later, keep the plan: --plan-out FILE"), "dim")
    else:
        asks = [
            str(step.number)
            for step in record.steps
            if step.is_performed and step.verdict.outcome is Outcome.ASK
        ]
        approve = f" --approve {','.join(asks)}" if asks else ""
        pair.say(
            _("To apply exactly this: %(command)s") % {"command": f"dryrun-bot apply {plan_file}{approve}"}
        )
