"""Several dry runs of one visit, with the jobs apart: what was made is told though the next could not be."""

from journey import CONFIG, FIX, Journey
from phases import job, planned

from bot.demo.model import Raw

TWO = CONFIG + "  second:\n    prompt: Look again.\n    on: [opened]\n"


def _prepared(journey: Journey) -> Journey:
    journey.github.push(journey.repository, "main", {".github/dryrun-bot.yml": TWO}, message="x", by="acme")
    return journey


def test_each_task_has_a_plan_of_its_own(journey: Journey) -> None:
    _prepared(journey)
    chain = planned(journey, journey.github.pull_request_event(journey.repository, journey.issue, "opened"))
    assert chain.answer.reason == "planned"
    assert len([comment for comment in journey.bot_comments if "kind=plan" in comment.body]) == 2
    assert chain.answer.outputs["plans"] == chain.first.outputs["plans"]


def test_the_plan_that_was_made_is_posted_though_the_next_could_not_be_made(journey: Journey) -> None:
    _prepared(journey)
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    body = b'{"error": {"message": "bad key"}}'
    replies = [*FIX, Raw(status=401, body=body)]
    journey.model.script = lambda messages: replies.pop(0)
    chain = planned(journey, event)
    assert (chain.first.reason, chain.answer.reason) == ("model-failed", "model-failed")
    kinds = ["kind=plan" in comment.body for comment in journey.bot_comments]
    assert kinds == [True, False]
    journey.model.script = list(FIX)
    again = planned(journey, event, attempt=2)
    assert again.answer.reason == "planned"
    assert len([comment for comment in journey.bot_comments if "kind=plan" in comment.body]) == 2


def test_in_one_job_too_the_fault_of_a_second_task_is_told_beside_the_first_plan(journey: Journey) -> None:
    _prepared(journey)
    replies = [*FIX, Raw(status=401, body=b'{"error": {"message": "bad key"}}')]
    journey.model.script = lambda messages: replies.pop(0)
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    assert journey.run(event, run_id="77").reason == "model-failed"
    assert ["kind=plan" in comment.body for comment in journey.bot_comments] == [True, False]
    journey.model.script = list(FIX)
    assert journey.run(event, run_id="77", attempt=2).reason == "planned"
    assert ["kind=plan" in comment.body for comment in journey.bot_comments] == [True, True]


def test_a_plan_signed_by_the_job_that_posts_it_is_good(journey: Journey) -> None:
    """The job that asks the model has no signing key to give away."""
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    first = job(journey, event, "plan")
    assert job(journey, event, "report", left=first.left, signing_key="k").reason == "planned"
    apply = journey.commented("/apply")
    made = job(journey, apply, "perform", signing_key="k")
    assert job(journey, apply, "commit", left=made.left, signing_key="k").reason == "applied"
