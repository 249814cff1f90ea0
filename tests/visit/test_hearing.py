"""Each job hears for itself: a replay that needs a model, told by a job that has none."""

from journey import CONFIG, Journey
from phases import planned


def test_what_a_model_would_decide_otherwise_is_asked_by_one_job_and_told_by_the_next(
    journey: Journey,
) -> None:
    changed = CONFIG.replace("Tidy up.", "Tidy up everything.")
    journey.github.push(
        journey.repository, "topic", {".github/dryrun-bot.yml": changed}, message="x", by="mona"
    )
    chain = planned(journey, journey.commented("/replay"))
    assert chain.answer.reason == "replayed"
    assert "kind=answer" in journey.bot_comments[-1].body


def test_a_pull_request_that_changes_the_rules_is_told_of_by_the_job_that_may_comment(
    journey: Journey,
) -> None:
    stricter = CONFIG + "policy:\n  defaults: {write: ask}\n"
    journey.github.push(
        journey.repository, "topic", {".github/dryrun-bot.yml": stricter}, message="x", by="mona"
    )
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    chain = planned(journey, event)
    assert chain.answer.reason == "planned"
    kinds = [comment.body.partition("kind=")[2].partition(" ")[0] for comment in journey.bot_comments]
    assert sorted(kinds) == ["impact", "plan"]
