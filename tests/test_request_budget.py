"""How often GitHub is asked: for a plan 8 times at most, for an apply 12, for no command never.

The numbers that hold now are written down beside those that must: who needs one more request says so here.
"""

import io
import zipfile
from collections.abc import Callable

import pytest
from fakes import FixedClock
from journey import CONFIG, Ended, Journey, call

from bot.demo.model import Said

MOST_FOR_A_PLAN, MOST_FOR_AN_APPLY = 8, 12

# A run that takes long says how far it is, which is a request more: how fast the machine is has no say here.
CLOCK = FixedClock()


def _requests(journey: Journey, run: Callable[[], Ended], reason: str) -> list[str]:
    journey.github.log.clear()
    ended = run()
    assert ended.reason == reason
    return [exchange.line for exchange in journey.github.log]


def test_a_plan_of_an_opened_pull_request_takes_six_requests(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "planned")
    assert len(requests) <= 6 <= MOST_FOR_A_PLAN, requests


def test_a_plan_that_was_asked_for_takes_eight(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "planned")
    assert len(requests) <= 8 <= MOST_FOR_A_PLAN, requests


def test_a_plan_that_takes_the_place_of_an_older_one_takes_seven(journey: Journey) -> None:
    """Its comment is marked and folded, in one request."""
    journey.opened(clock=CLOCK)
    event = journey.github.pull_request_event(journey.repository, journey.issue, "synchronize")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "planned")
    assert len(requests) <= 7 <= MOST_FOR_A_PLAN, requests
    assert "state=superseded" in journey.bot_comments[0].body
    assert journey.bot_comments[0].minimized == "OUTDATED"


def test_a_plan_that_was_asked_for_over_an_older_one_takes_eight_too(journey: Journey) -> None:
    """And the comment that asked for it is reacted to in the same request."""
    journey.opened(clock=CLOCK)
    event = journey.commented("/plan tidy")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "planned")
    assert len(requests) <= 8 <= MOST_FOR_A_PLAN, requests
    assert journey.bot_comments[0].minimized == "OUTDATED"
    asked = next(comment for comment in journey.comments if comment.body == "/plan tidy")
    assert [reaction.content for reaction in asked.reactions] == ["eyes", "rocket"]


@pytest.mark.parametrize("files", [1, 19])
def test_an_apply_of_any_number_of_text_files_takes_ten(journey: Journey, files: int) -> None:
    writes = tuple(call("write_file", path=f"new/{number}.txt", content="x\n") for number in range(files))
    journey.model.script = [Said(calls=writes), Said(text="Done.")]
    journey.opened(clock=CLOCK)
    event = journey.commented(f"/apply {journey.plan().short_digest}")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "applied")
    assert len(requests) <= 10 <= MOST_FOR_AN_APPLY, requests


def test_an_apply_of_hundreds_of_files_from_an_artifact_takes_twelve_beside_gits_own_two(
    journey: Journey,
) -> None:
    """The record is three requests more, one of them to a storage host; the files are git's own two."""
    config = CONFIG + "policy: {limits: {actions: 1000, files: 1000, added_lines: 10000}}\n"
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config}, message="Large", by="mona"
    )
    writes = tuple(call("write_file", path=f"new/{number}.txt", content="x\n") for number in range(500))
    journey.model.script = [Said(calls=writes), Said(text="Done.")]
    planned = journey.opened(clock=CLOCK)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.write(planned.outputs["plan-path"], "plan.json")
    digest = planned.outputs["plan-digest"]
    journey.github.upload_artifact(journey.repository, f"dryrun-plan-{digest}", content.getvalue())
    event = journey.commented(f"/apply {digest[:12]} --approve all")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "applied")
    gits_own = [line for line in requests if "info/refs" in line or "git-receive-pack" in line]
    assert len(gits_own) == 2, requests
    assert len(requests) - len(gits_own) <= 12 <= MOST_FOR_AN_APPLY, requests
    assert journey.file("new/499.txt") == b"x\n"
    assert not journey.repository.bare.refs("refs/dryrun-bot")


def test_an_apply_of_what_was_applied_already_takes_seven(journey: Journey) -> None:
    journey.opened(clock=CLOCK)
    digest = journey.plan().short_digest
    journey.says(f"/apply {digest}", clock=CLOCK)
    event = journey.commented(f"/apply {digest}")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "already-applied")
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
    assert _requests(journey, lambda: journey.run(event, clock=CLOCK), "not-for-us") == []


def test_an_outsiders_command_costs_the_questions_who_they_are_and_what_the_rules_are(
    journey: Journey,
) -> None:
    event = journey.commented("/plan", by="stranger")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "not-permitted")
    assert len(requests) <= 3, requests
    assert not any(request.startswith(("PATCH", "PUT", "DELETE")) for request in requests)
    assert journey.comments[-1].reactions == []


def test_a_pull_request_without_a_task_that_is_due_costs_little(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "reopened")
    requests = _requests(journey, lambda: journey.run(event, clock=CLOCK), "no-task")
    assert len(requests) <= 3, requests
