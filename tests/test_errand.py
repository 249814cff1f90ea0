import pytest
from plans import ASK, DENY, plan, step

from bot.action import Kind
from bot.errand import Errand, Progress, errands_of, read_errands, spelled
from bot.plan import Step
from bot.tools import registry
from bot.tools.files import WRITE_FILE
from bot.tools.pull_request import PULL_REQUEST_TOOLS

TOOLS = registry([WRITE_FILE, *PULL_REQUEST_TOOLS])
DUE = (Errand(step=3, progress=Progress.WAITING), Errand(step=5, progress=Progress.WAITING))


def _labels(number: int, **changes: object) -> Step:
    fields = {"tool": "add_labels", "kind": Kind.EXTERNAL, "arguments": {"labels": ["typo"]}}
    return step(number, **(fields | changes))


def test_the_errands_of_a_plan_are_what_is_performed_after_the_commit() -> None:
    planned = plan(
        step(1),
        _labels(2),
        _labels(3, verdict=DENY),
        _labels(4, error="there is no label 'typo' in this repository"),
        _labels(5, tool="of_another_version"),
        _labels(6, verdict=ASK),
    )
    assert errands_of(planned, TOOLS) == (
        Errand(step=2, progress=Progress.WAITING),
        Errand(step=6, progress=Progress.WAITING),
    )


@pytest.mark.parametrize("progress", Progress)
def test_what_was_being_tried_when_a_run_ended_is_unknown_and_all_else_stays(progress: Progress) -> None:
    left = Errand(step=3, progress=progress, said="Words.").as_left_by_another()
    expected = Progress.UNKNOWN if progress is Progress.TRIED else progress
    assert left == Errand(step=3, progress=expected, said="Words.")


@pytest.mark.parametrize("first", Progress)
@pytest.mark.parametrize("second", Progress)
def test_what_is_spelled_is_read_again(first: Progress, second: Progress) -> None:
    errands = (Errand(step=3, progress=first), Errand(step=5, progress=second))
    assert spelled(errands) == f"3.{first.value}.5.{second.value}"
    assert read_errands(spelled(errands), due=DUE) == errands


def test_a_marker_keeps_no_words_of_a_tool() -> None:
    assert spelled([Errand(step=3, progress=Progress.FAILED, said="4.done --> @all")]) == "3.failed"


READ = {
    "one that is not told of": ("3.done", ["done", "unknown"]),
    "one that is not due": ("3.done.4.done.5.failed", ["done", "failed"]),
    "another order": ("5.failed.3.done", ["done", "failed"]),
    "nothing": ("", ["unknown", "unknown"]),
    "a word that is none": ("3.done.5.finished", ["unknown", "unknown"]),
    "the beginning of a word": ("3.done.5.wait", ["unknown", "unknown"]),
    "more behind a word": ("3.done.5.donewaiting", ["unknown", "unknown"]),
    "more before it": ("x3.done.5.waiting", ["unknown", "unknown"]),
    "a point at the end": ("3.done.5.waiting.", ["unknown", "unknown"]),
    "a line's end": ("3.done.5.waiting\n", ["unknown", "unknown"]),
    "a step that is told of twice": ("3.done.5.done.5.waiting", ["unknown", "unknown"]),
    "a step with a zero before it": ("03.waiting.5.waiting", ["unknown", "unknown"]),
    "digits that are not ours": ("٣.waiting.5.waiting", ["unknown", "unknown"]),
    "capitals": ("3.DONE.5.waiting", ["unknown", "unknown"]),
}


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_what_a_marker_tells_oddly_is_unknown_so_that_nothing_is_tried_twice(
    text: str, expected: list[str]
) -> None:
    read = read_errands(text, due=DUE)
    assert [(errand.step, errand.progress.value) for errand in read] == [(3, expected[0]), (5, expected[1])]
