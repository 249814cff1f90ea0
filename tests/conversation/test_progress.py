"""One comment while the agent works, in the place where the plan will be."""

from datetime import datetime

from fakes import NOON
from journey import FIX, Journey

from bot import marker
from bot.demo.github import Fault
from bot.demo.model import Said
from bot.outside.patience import Patience


class SlowClock:
    """Every look at it is two seconds after the one before."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def now(self) -> datetime:
        return NOON

    def elapsed_s(self) -> float:
        self._now_s += 2.0
        return self._now_s


def _many_turns() -> list[Said]:
    return [*(Said(text="", calls=FIX[0].calls[:1]) for _ in range(12)), Said(text="Done.")]


def _kinds(journey: Journey) -> list[str]:
    return [found.kind for comment in journey.bot_comments if (found := marker.read(comment.body))]


def _edits(journey: Journey) -> list[str]:
    return [
        exchange.body["body"]
        for exchange in journey.github.log
        if exchange.method in {"POST", "PATCH"}
        and exchange.path.split("/")[-2:][0] in {"1", "comments"}
        and isinstance(exchange.body, dict)
        and "body" in exchange.body
    ]


def test_a_long_run_says_how_far_it_is_and_the_plan_takes_that_place(journey: Journey) -> None:
    journey.model.script = _many_turns()
    assert journey.opened(clock=SlowClock()).reason == "planned"
    assert _kinds(journey) == ["plan"]
    said = _edits(journey)
    assert "kind=progress" in said[0]
    assert 2 <= len([body for body in said if "kind=progress" in body]) < len(journey.model.asked)
    assert "kind=plan" in said[-1]


def test_a_short_run_says_nothing_on_its_way(journey: Journey) -> None:
    journey.plan_it()
    assert all("kind=progress" not in body for body in _edits(journey))


def test_a_plan_whose_place_was_held_can_be_applied(journey: Journey) -> None:
    journey.model.script = _many_turns()
    journey.opened(clock=SlowClock())
    assert journey.says(f"/apply {journey.plan().short_digest}").reason == "applied"


def test_what_a_killed_run_had_said_makes_room_for_the_plan(journey: Journey) -> None:
    journey.model.script = _many_turns()
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    fault = journey.github.misbehave(Fault(method="PATCH", drop=True, times=None))
    journey.patience = Patience(sleep=lambda _: None)
    journey.run(event, run_id="77", clock=SlowClock())
    assert fault.has_struck
    journey.github.behave()
    assert _kinds(journey) == ["progress"]
    assert journey.run(event, run_id="77", attempt=2).reason == "planned"
    assert _kinds(journey) == ["plan"]
