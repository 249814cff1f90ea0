"""Which comment tells of an apply, and who writes it: the run that made it, or one that came upon it."""

import pytest
from journey import Ended, Journey
from reaching import EDIT, EVERYTHING, NOTHING, effects, prepared, token

from bot import marker
from bot.demo.github import Event, Fault
from bot.marker import Marker
from bot.outside.patience import Patience


def _planned(journey: Journey, *calls: object) -> Event:
    journey.patience = Patience(sleep=lambda _: None)
    prepared(journey, *calls)
    journey.opened(token=token(journey))
    return _asks(journey)


def _asks(journey: Journey) -> Event:
    return journey.commented(f"/apply {journey.plan().short_digest} --approve all")


def _run(journey: Journey, event: Event, *, run_id: str, attempt: int = 1) -> Ended:
    return journey.run(event, run_id=run_id, attempt=attempt, token=token(journey))


def _killed_at_the_labels(journey: Journey, event: Event, *, run_id: str) -> None:
    """From then on nothing reaches GitHub."""

    def kill() -> None:
        journey.github.misbehave(Fault(drop=True, times=None))

    fault = journey.github.misbehave(Fault(method="POST", path="/labels$", drop=True, do=kill))
    _run(journey, event, run_id=run_id)
    journey.github.behave()
    assert fault.has_struck


def _answers(journey: Journey) -> list[Marker]:
    found = [marker.read(comment.body) for comment in journey.bot_comments]
    return [one for one in found if one is not None and one.kind in {"answer", "claim"}]


def test_an_apply_without_errands_claims_nothing_and_is_told_in_one_comment(journey: Journey) -> None:
    ended = _run(journey, _planned(journey, EDIT), run_id="77")
    assert ended.reason == "applied"
    [answer] = _answers(journey)
    assert (answer.kind, answer.state, answer.errands, answer.run) == ("answer", "applied", None, None)
    assert journey.bot_comments[-1].body.split("-->", 1)[1].strip() in ended.summary


def test_an_apply_with_errands_ends_in_one_comment_that_held_the_claim(journey: Journey) -> None:
    ended = _run(journey, _planned(journey), run_id="77")
    [answer] = _answers(journey)
    assert (answer.kind, answer.run) == ("answer", 77)
    assert answer.errands == "2.done.3.done.4.done.5.done.6.done"
    assert ended.summary.count("✅&nbsp;done") == 5
    assert effects(journey.repository) == EVERYTHING


def test_the_same_comment_in_another_run_is_left_to_the_first(journey: Journey) -> None:
    event = _planned(journey)
    _killed_at_the_labels(journey, event, run_id="77")
    claim = journey.bot_comments[-1].body
    ended = _run(journey, event, run_id="78")
    assert ended.reason == "already-answered"
    assert [one.kind for one in _answers(journey)] == ["claim"]
    assert journey.bot_comments[-1].body == claim
    assert effects(journey.repository) == NOTHING


def test_another_comment_is_told_how_far_the_first_run_got_and_nothing_is_tried(journey: Journey) -> None:
    _killed_at_the_labels(journey, _planned(journey), run_id="77")
    ended = _run(journey, _asks(journey), run_id="78")
    assert ended.reason == "already-applied"
    assert [(one.kind, one.errands) for one in _answers(journey)] == [
        ("claim", "2.tried.3.waiting.4.waiting.5.waiting.6.waiting"),
        ("answer", None),
    ]
    assert effects(journey.repository) == NOTHING


def test_another_attempt_of_the_run_that_was_killed_goes_on_with_it(journey: Journey) -> None:
    event = _planned(journey)
    _killed_at_the_labels(journey, event, run_id="77")
    _run(journey, event, run_id="77", attempt=2)
    [answer] = _answers(journey)
    assert (answer.kind, answer.errands) == ("answer", "2.unknown.3.done.4.done.5.done.6.done")
    assert effects(journey.repository) == EVERYTHING | {"add_labels": 0}


CHECKS = {"github-actions[bot]": "It starts no workflow", "robot[bot]": "It starts your checks"}


@pytest.mark.parametrize(("me", "told"), CHECKS.items(), ids=CHECKS)
def test_only_of_a_workflow_s_own_token_it_is_said_that_it_starts_no_checks(
    journey: Journey, me: str, told: str
) -> None:
    journey.github.account(me, type="Bot")
    journey.github.allow(journey.repository, me, "write")
    secret = token(journey) if me == "github-actions[bot]" else journey.github.token(me)
    prepared(journey, EDIT)
    journey.opened(token=secret)
    assert journey.run(_asks(journey), token=secret).reason == "applied"
    answer = journey.bot_comments[-1]
    assert answer.author.login == me
    assert [words for words in CHECKS.values() if words in answer.body] == [told]
