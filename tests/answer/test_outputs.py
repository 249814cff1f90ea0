"""What a workflow can read of an answer."""

import json
from decimal import Decimal
from pathlib import Path

from plans import ASK, DENY, plan, step

from bot.answer import Answer, Decision
from bot.answer.outputs import outputs_of
from bot.errors import Reason
from bot.plan import TaskName
from bot.pull_request import Commit

COMMIT = Commit(sha="a" * 40, tree="b" * 40, parents=(), message="", url="https://x", verified=False)


def test_an_answer_without_a_plan_has_a_decision_and_a_reason_only() -> None:
    ignored = Answer(decision=Decision.IGNORED, reason=Reason.NOT_FOR_US, detail="no")
    assert outputs_of(ignored) == {"decision": "ignored", "reason-code": "not-for-us"}


def test_a_plan_is_told_in_numbers() -> None:
    made = plan(
        step(1), step(2, verdict=ASK), step(3, verdict=DENY), step(4, error="no"), cost=Decimal("1E-5")
    )
    answer = Answer(
        decision=Decision.PLANNED,
        reason=Reason.PLANNED,
        detail="",
        plans=(made,),
        plan_path=Path("/x/plan.json"),
        transcript_path=Path("/x/transcript.jsonl"),
        comment_url="https://github.com/acme/widgets/pull/1#issuecomment-1",
        commit=COMMIT,
    )
    outputs = outputs_of(answer)
    numbers = {
        "plan-digest": made.digest,
        "actions": "4",
        "allowed": "2",
        "asks": "1",
        "denied": "1",
        "cost-usd": "0.00001",
    }
    assert json.loads(outputs.pop("plans")) == [{"task": "tidy"} | numbers]
    assert outputs == numbers | {
        "decision": "planned",
        "reason-code": "planned",
        "plan-path": "/x/plan.json",
        "transcript-path": "/x/transcript.jsonl",
        "comment-url": "https://github.com/acme/widgets/pull/1#issuecomment-1",
        "commit-sha": "a" * 40,
    }


def test_an_unknown_cost_is_no_number() -> None:
    made = plan(cost=None)
    answer = Answer(decision=Decision.PLANNED, reason=Reason.NOTHING_PLANNED, detail="", plans=(made,))
    assert outputs_of(answer)["cost-usd"] == ""


def test_of_several_plans_the_first_is_told_singly_and_all_in_a_list() -> None:
    tasks = [TaskName(name=name, prompt_digest="f" * 64) for name in ("one", "two")]
    plans = tuple(plan(step(1), task=task) for task in tasks)
    answer = Answer(decision=Decision.PLANNED, reason=Reason.PLANNED, detail="", plans=plans)
    outputs = outputs_of(answer)
    assert outputs["plan-digest"] == plans[0].digest
    told = json.loads(outputs["plans"])
    assert [each["task"] for each in told] == ["one", "two"]
    assert [each["plan-digest"] for each in told] == [each.digest for each in plans]
    assert "\n" not in outputs["plans"]
