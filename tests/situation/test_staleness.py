"""Why a plan may not be applied. What of the world may differ is in test_posted, through the bot."""

from dataclasses import replace
from typing import Any

import pytest
from plans import ALLOW, ASK, DENY, effect, plan, step

from bot.action import Kind
from bot.authority import on_own_machine
from bot.command import Approval
from bot.errors import Reason
from bot.plan import Step
from bot.situation.staleness import why_changed, why_not_approved

DONE = effect("a.txt", before="1", after="2")
PLANNED = step(1, DONE)


def _approving(*numbers: int, everything: bool = False) -> Any:
    approval = Approval(steps=frozenset(numbers), everything=everything)
    return on_own_machine("lee", digest="", approval=approval)


OF_FIVE = plan(
    step(1, DONE),
    step(2, DONE, verdict=ASK),
    step(3, DONE, verdict=DENY),
    step(4, verdict=ASK, error="it could not be done"),
    step(5, DONE),
)

APPROVALS = {
    "nobody named anything": (_approving(), (), [2]),
    "it was named": (_approving(2), (), []),
    "others were named": (_approving(1, 3, 4, 5), (), [2]),
    "all were": (_approving(everything=True), (), []),
    "a step that was cut in the comment": (_approving(2), (5,), [5]),
    "a step that was cut, and an asking one": (_approving(), (5,), [2, 5]),
    "a denied or failed step that was cut": (_approving(2), (3, 4), []),
    "a cut step that was named": (_approving(2, 5), (5,), []),
}


@pytest.mark.parametrize(("leave", "not_shown", "missing"), APPROVALS.values(), ids=APPROVALS)
def test_steps_that_ask_or_were_not_shown_must_be_named(
    leave: Any, not_shown: tuple[int, ...], missing: list[int]
) -> None:
    refusal = why_not_approved(OF_FIVE, leave, not_shown=not_shown)
    if not missing:
        assert refusal is None
        return
    assert refusal is not None
    assert refusal.reason is Reason.STEPS_NOT_APPROVED
    assert f": {','.join(map(str, missing))}." in refusal.detail
    needed = sorted({2, *(number for number in not_shown if number in {1, 2, 5})})
    line = f"`/apply {OF_FIVE.short_digest} --approve {','.join(map(str, needed))}`"
    assert line in refusal.next_step


SAME = {
    "the same": (PLANNED, PLANNED),
    "another reason for the same verdict": (
        PLANNED,
        step(1, DONE, verdict=replace(ALLOW, rule="x", reason="y", source="z")),
    ),
    "another wording of the failure": (step(1, error="no"), step(1, error="can't")),
    "an advice that made an allow an ask": (
        step(1, DONE, verdict=ASK, advice={"concerns": ["x"]}),
        step(1, DONE, verdict=ALLOW),
    ),
}


@pytest.mark.parametrize(("before", "now"), SAME.values(), ids=SAME)
def test_a_step_is_the_same(before: Step, now: Step) -> None:
    assert why_changed([before], [now]) is None


STRICTER = {
    "an allow that asks": (step(1, DONE, verdict=ALLOW), step(1, DONE, verdict=ASK), "allow and is now ask"),
    "an allow that is denied": (step(1, DONE), step(1, verdict=DENY), "was allow and is now deny"),
    "an ask that is denied": (step(1, DONE, verdict=ASK), step(1, verdict=DENY), "was ask and is now deny"),
    "an advised ask that is denied": (
        step(1, DONE, verdict=ASK, advice={}),
        step(1, verdict=DENY),
        "was ask and is now deny",
    ),
}


@pytest.mark.parametrize(("before", "now", "said"), STRICTER.values(), ids=STRICTER)
def test_a_step_is_judged_stricter_now(before: Step, now: Step, said: str) -> None:
    refusal = why_changed([before], [now])
    assert refusal is not None
    assert refusal.reason is Reason.STRICTER_NOW
    assert said in refusal.detail
    assert now.verdict.reason in refusal.detail


ALTERED: dict[str, tuple[Step, Step]] = {
    "a verdict that is weaker now, without an advice": (step(1, DONE, verdict=ASK), step(1, DONE)),
    "a denial that would be allowed": (step(1, verdict=DENY), step(1, DONE)),
    "a denial with an advice": (step(1, verdict=DENY, advice={}), step(1, DONE)),
    "other bytes": (PLANNED, step(1, effect("a.txt", before="1", after="3"))),
    "another file": (PLANNED, step(1, effect("b.txt", before="1", after="2"))),
    "another ground": (PLANNED, step(1, effect("a.txt", before="0", after="2"))),
    "one file more": (PLANNED, step(1, DONE, effect("b.txt", before="1", after="2"))),
    "no file": (PLANNED, step(1)),
    "a failure that was none": (PLANNED, step(1, error="no")),
    "a success that was a failure": (step(1, error="no"), PLANNED),
    "another id": (PLANNED, step(1, DONE, id="dry-000000000000")),
    "other arguments": (PLANNED, step(1, DONE, arguments={"path": "b.txt"})),
    "another tool": (PLANNED, step(1, DONE, tool="delete_file")),
    "another kind": (PLANNED, step(1, DONE, kind=Kind.EXTERNAL)),
    "another description": (PLANNED, step(1, DONE, description="harmless")),
    "another condition": (PLANNED, step(1, DONE, depends_on=(1,))),
}


@pytest.mark.parametrize(("before", "now"), ALTERED.values(), ids=ALTERED)
def test_a_record_that_says_otherwise_than_its_own_action_is_refused(before: Step, now: Step) -> None:
    refusal = why_changed([step(1, DONE), before], [step(1, DONE), now])
    assert refusal is not None
    assert refusal.reason is Reason.PLAN_ALTERED


def test_a_step_that_only_reads_has_no_place_in_a_plan() -> None:
    refusal = why_changed([PLANNED, step(2, tool="read_file", kind=Kind.READ)], [PLANNED])
    assert refusal is not None
    assert refusal.reason is Reason.PLAN_ALTERED
