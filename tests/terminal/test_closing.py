"""The end of a run, in all its forms."""

import io
from decimal import Decimal
from pathlib import Path

import pytest
from render.samples import command, create, denied, edit, plan

from bot.cost import Usage
from bot.local_run.report import Report
from bot.local_run.run_record import Finished
from bot.plan import Advisor, Plan, Step
from bot.render.language import catalogue
from bot.terminal.closing import show_costs, show_done, show_plan
from bot.terminal.pair import Pair
from bot.terminal.screen import screen


class Shown:
    def __init__(self, language: str = "en") -> None:
        self._data, self._log = io.StringIO(), io.StringIO()
        self.pair = Pair(
            language=language,
            speech=catalogue(language),
            data=screen(self._data, is_plain=True),
            log=screen(self._log, is_plain=True),
            answers=io.StringIO(),
        )

    @property
    def data(self) -> str:
        return self._data.getvalue()

    @property
    def log(self) -> str:
        return self._log.getvalue()


def report(*steps: Step, mode: str | None = None, **more: object) -> Report:
    finished = Finished(record=plan(*steps, **more), changes=())
    return Report(task="x", finished=finished, mode=mode, duration_s=1.0, calls=(), turns=())


NEXT = {
    "no file was asked for": ((edit(1),), None, "--plan-out FILE"),
    "a plan that needs nothing": ((edit(1),), Path("p.json"), "dryrun-bot apply p.json\n"),
    "a plan that asks": ((edit(1), command(2)), Path("p.json"), "dryrun-bot apply p.json --approve 2\n"),
    "a plan that is denied": ((denied(1),), Path("p.json"), "Nothing of it can be applied."),
}


@pytest.mark.parametrize(("steps", "file", "told"), NEXT.values(), ids=NEXT)
def test_where_to_go_on_is_told_beside_the_data(
    steps: tuple[Step, ...], file: Path | None, told: str
) -> None:
    shown = Shown()
    show_plan(report(*steps), shown.pair, is_brief=False, plan_file=file)
    assert told in shown.log
    assert told not in shown.data


def test_an_empty_plan_has_nowhere_to_go_on() -> None:
    shown = Shown()
    show_plan(report(), shown.pair, is_brief=False, plan_file=None)
    assert shown.data.startswith("Dry-run complete: no write actions were planned.\n")
    assert shown.log == ""


def test_beside_a_report_only_the_summary_is_told() -> None:
    shown = Shown()
    show_plan(report(edit(1), summary="Words."), shown.pair, is_brief=True, plan_file=None)
    show_done(report(edit(1), mode="yolo", summary="Words."), shown.pair, is_brief=True)
    assert shown.data == ""
    assert "1. edit_file → docs/guide.md" in shown.log
    assert "1 action carried out" in shown.log
    assert "Words." not in shown.log


def test_what_cut_the_run_short_and_what_was_found_is_told_beside_the_data() -> None:
    shown = Shown()
    stopped = report(edit(1), stopped_by="stopped after 2 steps", findings=("1 comment was hidden",))
    show_plan(stopped, shown.pair, is_brief=False, plan_file=None)
    assert "Stopped early: stopped after 2 steps." in shown.log
    assert "! 1 comment was hidden" in shown.log


def _with_costs(cost: Decimal | None, advisor: Advisor | None = None) -> Plan:
    usage = Usage(calls=3, input_tokens=2000, output_tokens=50, cached_tokens=500, reasoning_tokens=20)
    return plan(edit(1), usage=usage, cost=cost, advisor=advisor, model="m-1")


def test_costs_show_how_much_came_from_the_cache_and_went_into_reasoning() -> None:
    shown = Shown()
    show_costs(_with_costs(Decimal("0.0123")), shown.pair.data, speech=shown.pair.speech)
    assert shown.data.splitlines()[1:] == [
        "Model: m-1",
        "Model calls: 3",
        "Tokens read: 2,000, of which 25 % from the cache",
        "Tokens written: 50, 20 of them in reasoning",
        "Cost: 0.0123 USD",
    ]


TOTALS = {
    "both known": (Decimal("0.02"), Decimal("0.01"), "Both together: 0.0300 USD"),
    "one unknown": (Decimal("0.02"), None, "Both together: cost unknown"),
}


@pytest.mark.parametrize(("first", "second", "told"), TOTALS.values(), ids=TOTALS)
def test_two_models_cost_what_both_cost_and_an_unknown_price_is_not_nothing(
    first: Decimal | None, second: Decimal | None, told: str
) -> None:
    shown = Shown()
    advisor = Advisor(model="m-2", usage=Usage(), cost=second)
    show_costs(_with_costs(first, advisor), shown.pair.data, speech=shown.pair.speech)
    assert told in shown.data
    assert "Tokens read: 0, of which 0 % from the cache" in shown.data


def test_what_was_done_names_the_files() -> None:
    from bot.workspace import Change, Entry, Mode, blob_sha

    change = Change(
        path="a.txt",
        before=None,
        after=Entry(mode=Mode.FILE, blob=blob_sha(b"a\nb\n")),
        content_before=None,
        content_after=b"a\nb\n",
    )
    finished = Finished(record=plan(create(1), denied(2)), changes=(change,))
    made = Report(task="x", finished=finished, mode="yolo", duration_s=1.0, calls=(), turns=())
    shown = Shown("es")
    show_done(made, shown.pair, is_brief=False)
    assert shown.data.startswith("1 acción realizada\n")
    assert "creado  a.txt  +2 -0" in shown.data
