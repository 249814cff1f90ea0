"""How often GitHub is asked: for a plan 8 times at most, for an apply 12, for no command never.

The numbers that hold now are written down beside those that must: who needs one more request says so here.
"""

from collections.abc import Callable

import pytest
from journey import Ended, Journey, call

from bot.demo.model import Said

MOST_FOR_A_PLAN, MOST_FOR_AN_APPLY = 8, 12


def _requests(journey: Journey, run: Callable[[], Ended], reason: str) -> list[str]:
    journey.github.log.clear()
    ended = run()
    assert ended.reason == reason
    return [exchange.line for exchange in journey.github.log]


def test_a_plan_of_an_opened_pull_request(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    requests = _requests(journey, lambda: journey.run(event), "planned")
    assert len(requests) <= 5 <= MOST_FOR_A_PLAN, requests


def test_a_plan_that_was_asked_for(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    requests = _requests(journey, lambda: journey.run(event), "planned")
    assert len(requests) <= 8 <= MOST_FOR_A_PLAN, requests


def test_a_plan_that_takes_the_place_of_an_older_one(journey: Journey) -> None:
    """Its comment is marked and folded."""
    journey.opened()
    event = journey.github.pull_request_event(journey.repository, journey.issue, "synchronize")
    requests = _requests(journey, lambda: journey.run(event), "planned")
    assert len(requests) <= 7 <= MOST_FOR_A_PLAN, requests


@pytest.mark.parametrize("files", [1, 19])
def test_an_apply_of_any_number_of_text_files(journey: Journey, files: int) -> None:
    writes = tuple(call("write_file", path=f"new/{number}.txt", content="x\n") for number in range(files))
    journey.model.script = [Said(calls=writes), Said(text="Done.")]
    journey.opened()
    event = journey.commented(f"/apply {journey.plan().short_digest}")
    requests = _requests(journey, lambda: journey.run(event), "applied")
    assert len(requests) <= 11 <= MOST_FOR_AN_APPLY, requests


def test_an_apply_of_what_was_applied_already(journey: Journey) -> None:
    journey.opened()
    digest = journey.plan().short_digest
    journey.says(f"/apply {digest}")
    event = journey.commented(f"/apply {digest}")
    requests = _requests(journey, lambda: journey.run(event), "already-applied")
    assert len(requests) <= 7 <= MOST_FOR_AN_APPLY, requests


NO_COMMANDS = {
    "words": "Looks good to me.",
    "a quoted command": "> /apply\n\nReally?",
    "a command in a fence": "```\n/apply\n```",
    "another bot's command": "/assign @lee",
    "a path": "/etc/passwd is readable",
}


@pytest.mark.parametrize("body", NO_COMMANDS.values(), ids=NO_COMMANDS)
def test_a_comment_that_is_no_command_costs_none(journey: Journey, body: str) -> None:
    event = journey.commented(body)
    assert _requests(journey, lambda: journey.run(event), "not-for-us") == []


def test_an_outsiders_command_costs_the_questions_who_they_are_and_what_the_rules_are(
    journey: Journey,
) -> None:
    event = journey.commented("/plan", by="stranger")
    requests = _requests(journey, lambda: journey.run(event), "not-permitted")
    assert len(requests) <= 3, requests
    assert not any(request.startswith(("PATCH", "PUT", "DELETE")) for request in requests)


def test_a_pull_request_without_a_task_that_is_due_costs_little(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "reopened")
    requests = _requests(journey, lambda: journey.run(event), "no-task")
    assert len(requests) <= 3, requests
