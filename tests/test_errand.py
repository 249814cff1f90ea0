import pytest

from bot.errand import Errand, Progress, read_errands, spelled

DUE = (Errand(step=3, progress=Progress.WAITING), Errand(step=15, progress=Progress.WAITING))
CASES = {
    "as it was written": ("3.done.15.tried", ["done", "tried"]),
    "one that nobody told of": ("3.done", ["done", "unknown"]),
    "nothing": ("", ["unknown", "unknown"]),
    "another order": ("15.left.3.failed", ["failed", "left"]),
    "a word that is none": ("3.fine.15.done", ["unknown", "unknown"]),
    "a step twice": ("3.waiting.3.done.15.done", ["unknown", "unknown"]),
    "a step that is none": ("x.done.15.done", ["unknown", "unknown"]),
    "something in front": (".3.done.15.done", ["unknown", "unknown"]),
    "something behind": ("3.done.15.done.", ["unknown", "unknown"]),
    "a number written otherwise": ("03.done.15.done", ["unknown", "unknown"]),
    "more than there are": ("3.done.15.done.16.waiting", ["done", "done"]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_marker_that_is_odd_in_anything_makes_nothing_wait(text: str, expected: list[str]) -> None:
    """What is unknown is not tried: a mistake must never lead to a second time."""
    assert [errand.progress.value for errand in read_errands(text, due=DUE)] == expected


@pytest.mark.parametrize("progress", list(Progress))
def test_what_is_written_is_read(progress: Progress) -> None:
    errands = tuple(Errand(step=errand.step, progress=progress) for errand in DUE)
    assert read_errands(spelled(errands), due=DUE) == errands


@pytest.mark.parametrize("progress", list(Progress))
def test_only_what_was_being_tried_becomes_unknown_when_its_run_is_gone(progress: Progress) -> None:
    left = Errand(step=3, progress=progress, said="x").as_left_by_another()
    assert left.progress is (Progress.UNKNOWN if progress is Progress.TRIED else progress)
