"""A run is killed, or GitHub fails, after every single request that it makes; then it is started again.

However it went, there is one commit with the right bytes and one answer; and of a dry run, one plan.
"""

import pytest
from journey import Ended, Journey

from bot import marker
from bot.demo.github import Event, Fault, bad_gateway
from bot.outside.patience import Patience

# More than any of these runs makes: tests/test_request_budget.py holds them below.
REQUESTS = range(1, 15)

FAULTS = {
    "killed after its effect": {"moment": "after", "drop": True, "times": None},
    "killed before its effect": {"moment": "before", "drop": True, "times": None},
    "a lost answer": {"moment": "after", "drop": True},
    "a 502 after the effect": {"moment": "after", "answer": bad_gateway()},
}


@pytest.fixture(autouse=True)
def _waits_for_nothing(journey: Journey) -> None:
    journey.patience = Patience(sleep=lambda _: None)


def _fault(journey: Journey, event: Event, nth: int, how: dict[str, object]) -> Ended:
    """The run with the fault, and one more as a person starts it again, or as nothing happened."""
    fault = journey.github.misbehave(Fault(nth=nth, **how))
    first = journey.run(event, run_id="77")
    journey.github.behave()
    if not fault.has_struck:
        assert first.exit_code == 0
    return journey.run(event, run_id="77", attempt=2)


@pytest.mark.parametrize("nth", REQUESTS)
@pytest.mark.parametrize("how", FAULTS.values(), ids=FAULTS)
def test_an_apply_that_fails_anywhere_ends_in_one_commit_and_one_answer(
    journey: Journey, nth: int, how: dict[str, object]
) -> None:
    journey.plan_it()
    plan, planned_head = journey.plan(), journey.head
    event = journey.commented(f"/apply {plan.short_digest}")
    again = _fault(journey, event, nth, how)
    assert again.exit_code == 0
    assert again.reason in {"applied", "already-applied", "already-answered"}
    log = journey.repository.bare.git("log", "--format=%H %P", f"{planned_head}..topic").decode().split()
    assert log == [journey.head, planned_head]
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    markers = [marker.read(comment.body) for comment in journey.bot_comments]
    answers = [found.state for found in markers if found and found.kind == "answer"]
    assert len(answers) == 1
    assert answers[0] in {"applied", "already-applied"}
    assert len([found for found in markers if found and found.kind == "plan"]) == 1


@pytest.mark.parametrize("nth", REQUESTS)
@pytest.mark.parametrize("how", FAULTS.values(), ids=FAULTS)
def test_a_dry_run_that_fails_anywhere_ends_in_one_plan(
    journey: Journey, nth: int, how: dict[str, object]
) -> None:
    before = journey.head
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    again = _fault(journey, event, nth, how)
    assert again.exit_code == 0
    assert again.reason in {"planned", "already-answered"}
    assert journey.head == before
    assert [found.kind for found in _said(journey)] == ["plan"]


@pytest.mark.parametrize("nth", REQUESTS)
@pytest.mark.parametrize("how", FAULTS.values(), ids=FAULTS)
def test_a_dry_run_over_an_older_plan_that_fails_anywhere_ends_in_one_more(
    journey: Journey, nth: int, how: dict[str, object]
) -> None:
    """The older one's mark and fold are courtesies: a run that is killed leaves them undone, and no more."""
    journey.plan_it()
    again = _fault(journey, journey.commented("/plan tidy"), nth, how)
    assert again.exit_code == 0
    assert again.reason in {"planned", "already-answered"}
    said = _said(journey)
    assert [found.kind for found in said] == ["plan", "plan"]
    assert said[1].state == "open"
    is_folded = journey.bot_comments[0].minimized is not None
    assert (said[0].state, is_folded) in {("superseded", True), ("open", False), ("superseded", False)}
    if how.get("times", 1) == 1:
        assert (said[0].state, is_folded) == ("superseded", True)


def test_what_can_not_be_marked_keeps_nothing_else_from_being_done(journey: Journey) -> None:
    """The comment of an older plan is deleted in the moment before it would be marked and folded."""
    journey.plan_it()
    older = journey.bot_comments[0]
    event = journey.commented("/plan tidy")

    def delete() -> None:
        del journey.repository.comments[older.id]

    journey.github.misbehave(Fault(path="check-runs", moment="after", do=delete))
    assert journey.run(event).reason == "planned"
    asked = next(comment for comment in journey.comments if comment.body == "/plan tidy")
    assert [reaction.content for reaction in asked.reactions] == ["eyes", "rocket"]


@pytest.mark.parametrize("nth", REQUESTS)
def test_an_undo_that_is_killed_anywhere_takes_the_plan_back_once(journey: Journey, nth: int) -> None:
    before = journey.head
    journey.opened()
    journey.says(f"/apply {journey.plan().short_digest}")
    applied = journey.head
    again = _fault(journey, journey.commented("/undo"), nth, FAULTS["killed after its effect"])
    assert again.exit_code == 0
    assert again.reason in {"undone", "already-answered"}
    git = journey.repository.bare.git
    assert git("rev-parse", "topic^").decode().strip() == applied
    assert git("rev-parse", "topic^{tree}") == git("rev-parse", f"{before}^{{tree}}")
    assert [found.state for found in _said(journey) if found.kind == "answer"] == ["applied", "undone"]


@pytest.mark.parametrize("nth", REQUESTS)
@pytest.mark.parametrize("to", ["on top", "back to an ancestor"])
def test_a_push_between_any_two_requests_survives(journey: Journey, nth: int, to: str) -> None:
    """A force-push back to an ancestor must survive as well as a push on top."""
    journey.plan_it()
    plan, planned_head = journey.plan(), journey.head
    parent = journey.repository.bare.git("rev-parse", f"{planned_head}^").decode().strip()
    pushed: list[str] = []

    def push() -> None:
        if to == "on top":
            changes = {"more.md": "More.\n"}
            pushed.append(
                journey.github.push(journey.repository, "topic", changes, message="More", by="mona")
            )
        else:
            journey.github.move(journey.repository, "topic", parent)
            pushed.append(parent)

    event = journey.commented(f"/apply {plan.short_digest}")
    journey.github.misbehave(Fault(nth=nth, moment="after", do=push))
    ended = journey.run(event)
    if not pushed:
        assert ended.reason == "applied"
        return
    if ended.reason == "applied":
        # The branch had moved to the plan's commit first; then the push came, and it stands.
        assert journey.head == pushed[0]
    else:
        assert ended.reason in {"stale-head", "head-moved", "pull-request-closed"}
        assert journey.head == pushed[0]


def _said(journey: Journey) -> list[marker.Marker]:
    markers = [marker.read(comment.body) for comment in journey.bot_comments]
    return [found for found in markers if found is not None]
