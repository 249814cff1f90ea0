"""A run is killed, or GitHub fails, at every request of an apply that reaches out; then it is started again.

However it went: nothing is done twice, what was done or may have been is told so, and there is one answer.
"""

import re
from collections.abc import Callable

import pytest
from journey import Ended, Journey
from reaching import EVERYTHING, REACHING, effects, prepared, token

from bot import marker
from bot.demo.github import Event, Fault, bad_gateway
from bot.demo.model import ToolCall
from bot.outside.patience import Patience

# From the commit on; tests/test_faults.py has what comes before. A test below holds them to that.
REQUESTS = range(13, 40)
TOOLS = {
    2: "add_labels",
    3: "comment_on_pr",
    4: "request_reviewers",
    5: "create_issue",
    6: "dispatch_workflow",
}

FAULTS: dict[str, dict[str, object]] = {
    "killed after its effect": {"moment": "after", "drop": True, "times": None},
    "killed before its effect": {"moment": "before", "drop": True, "times": None},
    "a lost answer": {"moment": "after", "drop": True},
    "a 502 before the effect": {"moment": "before", "answer": bad_gateway()},
}


def _planned(journey: Journey, *calls: ToolCall) -> Event:
    journey.patience = Patience(sleep=lambda _: None)

    def plan() -> None:
        prepared(journey, *calls)
        journey.opened(token=token(journey))

    journey.begin(f"a plan of {[one.tool for one in calls]}", plan)
    return journey.commented(f"/apply {journey.plan().short_digest} --approve all")


def _run(journey: Journey, event: Event, *, run_id: str = "77", attempt: int = 1) -> Ended:
    return journey.run(event, run_id=run_id, attempt=attempt, token=token(journey))


def _answers(journey: Journey) -> list[marker.Marker]:
    found = [marker.read(comment.body) for comment in journey.bot_comments]
    return [one for one in found if one is not None and one.kind in {"answer", "claim"}]


def _told(journey: Journey) -> dict[int, str]:
    [answer] = _answers(journey)
    assert (answer.kind, answer.state) in {("answer", "applied"), ("answer", "already-applied")}
    return {int(step): how for step, how in re.findall(r"(\d+)\.([a-z]+)", answer.errands or "")}


@pytest.mark.parametrize("nth", REQUESTS)
@pytest.mark.parametrize("how", FAULTS.values(), ids=FAULTS)
def test_an_apply_that_fails_anywhere_repeats_nothing_and_tells_the_truth(
    journey: Journey, nth: int, how: dict[str, object]
) -> None:
    event, planned_head = _planned(journey), journey.head
    fault = journey.github.misbehave(Fault(nth=nth, **how))  # type: ignore[arg-type]
    first = _run(journey, event)
    journey.github.behave()
    again = _run(journey, event, attempt=2)
    assert again.exit_code == 0
    if not fault.has_struck:
        assert first.exit_code == 0
        assert effects(journey.repository) == EVERYTHING
    log = journey.repository.bare.git("log", "--format=%H %P", f"{planned_head}..topic").decode().split()
    assert log == [journey.head, planned_head]
    told, done = _told(journey), effects(journey.repository)
    assert told.keys() == TOOLS.keys()
    for number, tool in TOOLS.items():
        assert done[tool] <= 1
        match told[number]:
            case "done":
                assert done[tool] == 1
            case "unknown":
                assert fault.has_struck
            case "failed":
                assert done[tool] == 0
            case other:
                raise AssertionError(f"step {number} is told as {other}")
    # Two where a run lives on whose every answer is lost, but not its effects: the first of them is noted.
    assert sum(how != "done" for how in told.values()) <= 2


@pytest.mark.parametrize("nth", range(14, 39))
def test_a_plan_without_a_file_that_is_killed_anywhere_repeats_nothing(journey: Journey, nth: int) -> None:
    event = _planned(journey, *REACHING)
    journey.github.misbehave(Fault(nth=nth, moment="after", drop=True, times=None))
    _run(journey, event)
    journey.github.behave()
    assert _run(journey, event, attempt=2).exit_code == 0
    assert all(count <= 1 for count in effects(journey.repository).values())
    assert sum(how != "done" for how in _told(journey).values()) <= 2


@pytest.mark.parametrize("nth", REQUESTS)
def test_a_second_delivery_while_the_first_is_at_it_does_nothing_twice(journey: Journey, nth: int) -> None:
    """The same comment, in another run, between any two requests of the first one."""
    event = _planned(journey)
    done: list[Ended] = []

    def deliver() -> None:
        journey.github.behave()
        done.append(_run(journey, event, run_id="78"))

    _between(journey, nth, deliver)
    first = _run(journey, event)
    assert {first.exit_code, *(ended.exit_code for ended in done)} <= {0, 3}
    assert all(count <= 1 for count in effects(journey.repository).values())
    held = [answer for answer in _answers(journey) if answer.errands is not None]
    assert len(held) <= 1


@pytest.mark.parametrize("nth", REQUESTS)
def test_two_people_who_apply_at_once_get_it_done_once(journey: Journey, nth: int) -> None:
    event = _planned(journey)
    second = journey.commented(f"/apply {journey.plan().short_digest} --approve all", by="mona")
    done: list[Ended] = []

    def deliver() -> None:
        journey.github.behave()
        done.append(_run(journey, second, run_id="78"))

    _between(journey, nth, deliver)
    first = _run(journey, event)
    assert first.exit_code in {0, 3}
    assert all(count <= 1 for count in effects(journey.repository).values())


def test_every_request_from_the_commit_on_is_tried(journey: Journey) -> None:
    event = _planned(journey)
    journey.github.log.clear()
    _run(journey, event)
    paths = [exchange.path for exchange in journey.github.log]
    assert paths.index("/repos/acme/widgets/git/commits") + 1 >= REQUESTS.start
    assert len(paths) < REQUESTS.stop


def _between(journey: Journey, nth: int, do: Callable[[], None]) -> None:
    journey.github.misbehave(Fault(nth=nth, moment="after", do=do))
