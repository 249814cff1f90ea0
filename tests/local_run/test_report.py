"""Reports of runs in a terminal: nothing lost, nothing alive."""

import json
from decimal import Decimal

import pytest
from render.samples import command, create, denied, edit, failed, plan

from bot.cost import Usage
from bot.local_run.report import Format, Report
from bot.local_run.run_record import Finished
from bot.plan import Advisor, Step
from bot.render.live import faults
from bot.transcript.timeline import Called
from bot.workspace import Change, Entry, Mode, blob_sha

STEPS = (edit(1), create(2), denied(3), failed(4), command(5))


def change(path: str, before: bytes | None, after: bytes | None) -> Change:
    return Change(
        path=path,
        before=None if before is None else Entry(mode=Mode.FILE, blob=blob_sha(before)),
        after=None if after is None else Entry(mode=Mode.FILE, blob=blob_sha(after)),
        content_before=before,
        content_after=after,
    )


CHANGES = (
    change("a.txt", b"one\ntwo\n", b"one\n2\nthree\n"),
    change("b.bin", None, b"\x00\xff"),
    change("c.txt", b"x\n", None),
)


def report(*steps: Step, mode: str | None = None, task: str = "fix it", **more: object) -> Report:
    return Report(
        task=task,
        finished=Finished(record=plan(*steps, **more), changes=CHANGES),
        mode=mode,
        duration_s=1.26,
        calls=(Called(step=1, tool="read_file", outcome="allow"),),
        turns=(Usage(calls=1, input_tokens=10),),
    )


def test_the_fields_are_the_documented_ones_and_every_argument_is_whole() -> None:
    told = json.loads(report(*STEPS, usage=Usage(calls=4), cost=Decimal("0.0342")).to_json())
    assert told["dry_run"] is True
    assert (told["task"], told["status"], told["stop_reason"]) == ("fix it", "success", None)
    assert (told["duration_seconds"], told["steps"], told["total_cost"]) == (1.3, 4, 0.0342)
    assert told["files_modified"] == [
        {"path": "a.txt", "action": "modified", "lines_added": 2, "lines_removed": 1},
        {"path": "b.bin", "action": "created", "lines_added": 0, "lines_removed": 0},
        {"path": "c.txt", "action": "deleted", "lines_added": 0, "lines_removed": 1},
    ]
    assert [action["outcome"] for action in told["actions"]] == ["allow", "allow", "deny", "allow", "ask"]
    assert [action["arguments"] for action in told["actions"]] == [dict(step.arguments) for step in STEPS]
    assert told["timeline"] == [{"step": 1, "tool": "read_file", "outcome": "allow"}]
    assert "docs/old.md does not hold this text" in told["errors"][0]
    assert told["git_diff"].startswith("diff --git a/a.txt b/a.txt\n")
    assert "Binary files /dev/null and b/b.bin differ" in told["git_diff"]


def test_a_live_run_is_no_dry_run_and_has_no_plan_to_apply() -> None:
    told = json.loads(report(edit(1), mode="yolo").to_json())
    assert (told["dry_run"], told["mode"], told["plan_digest"]) == (False, "yolo", None)


STATUSES = {
    "whole": (STEPS, None, "success"),
    "cut short": (STEPS, "stopped after 2 steps", "partial"),
    "cut short before anything": ((denied(1),), "stopped after 2 steps", "failed"),
    "nothing to do": ((), None, "success"),
}


@pytest.mark.parametrize(("steps", "stopped_by", "status"), STATUSES.values(), ids=STATUSES)
def test_the_status_is_an_honest_one(steps: tuple[Step, ...], stopped_by: str | None, status: str) -> None:
    made = report(*steps, stopped_by=stopped_by)
    assert made.status == status
    assert (stopped_by in made.errors) is (stopped_by is not None)


COSTS = {
    "known": (Decimal("0.5"), None, 0.5),
    "unknown": (None, None, None),
    "of two": (Decimal("0.5"), Advisor(model="m", usage=Usage(), cost=Decimal("0.25")), 0.75),
    "of two, one unknown": (Decimal("0.5"), Advisor(model="m", usage=Usage(), cost=None), None),
}


@pytest.mark.parametrize(("cost", "advisor", "total"), COSTS.values(), ids=COSTS)
def test_a_cost_that_is_not_known_is_null(
    cost: Decimal | None, advisor: Advisor | None, total: float | None
) -> None:
    assert json.loads(report(cost=cost, advisor=advisor).to_json())["total_cost"] == total


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("mode", [None, "yolo"])
def test_as_markdown_all_of_it_is_there(language: str, mode: str | None) -> None:
    text = report(*STEPS, mode=mode, summary="Done *well*.").laid_out(language).body
    for told in ("docs/guide.md", "`a.txt`", "+three", "Done", "pytest -q tests"):
        assert told in text
    headline = {"en": ("Dry run", "Live run"), "es": ("Simulación", "Ejecución real")}[language]
    assert text.startswith(f"### {headline[mode is not None]}\n")
    assert not faults(text)


EVIL = "@maja ![x](http://evil) <script>x</script> #1 \x1b[2J | \n### x\n/apply abc"


@pytest.mark.parametrize("place", ["task", "summary", "stopped_by", "path", "finding"])
def test_as_markdown_nothing_that_somebody_wrote_is_alive(place: str) -> None:
    more: dict[str, object] = {"task": EVIL} if place == "task" else {}
    more |= {"summary": EVIL} if place == "summary" else {}
    more |= {"stopped_by": EVIL} if place == "stopped_by" else {}
    more |= {"findings": (EVIL,)} if place == "finding" else {}
    steps = (create(1, path=EVIL),) if place == "path" else (edit(1),)
    text = report(*steps, **more).laid_out("en").body  # type: ignore[arg-type]
    assert not faults(text)
    assert "maja" in text
    assert "\x1b" not in text


def test_what_is_too_long_for_a_page_of_markdown_is_said_to_be_in_the_json() -> None:
    text = report(*(create(n, content="x\n" * 10) for n in range(1, 60)), summary="y" * 4000)
    assert "The JSON report has all" not in text.laid_out("en").body
    huge = Report(
        task="x",
        finished=Finished(
            record=plan(edit(1)), changes=(change("big.txt", None, b"line of text\n" * 200_000),)
        ),
        mode=None,
        duration_s=1.0,
        calls=(),
        turns=(),
    )
    assert "The JSON report has all" in huge.laid_out("en").body
    assert len(huge.to_json()) > 2_000_000


def test_the_page_says_whether_anything_was_done() -> None:
    planned, done = report(edit(1)).to_html("en"), report(edit(1), mode="yolo").to_html("en")
    assert "Nothing has been changed." in planned
    assert "Nothing has been changed." not in done
    assert "Live run: 1 action" in done


@pytest.mark.parametrize("how", Format)
def test_every_format_is_spelled(how: Format) -> None:
    start = {Format.JSON: "{", Format.MARKDOWN: "###", Format.HTML: "<!doctype html>"}[how]
    assert report(edit(1)).spelled(how, language="en").startswith(start)
