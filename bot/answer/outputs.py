"""Answer -> the action's outputs."""

import json
from collections.abc import Sequence

from bot.answer import Answer
from bot.plan import Plan, Step
from bot.verdict import Outcome


def outputs_of(answer: Answer) -> dict[str, str]:
    """Every output of action.yml but for those that have nothing to say."""
    outputs = {"decision": answer.decision.value, "reason-code": answer.reason.value}
    for name, value in (
        ("plan-path", answer.plan_path),
        ("transcript-path", answer.transcript_path),
        ("comment-url", answer.comment_url),
        ("commit-sha", answer.commit.sha if answer.commit else None),
    ):
        if value is not None:
            outputs[name] = str(value)
    if answer.plans:
        outputs |= _numbers(answer.plans[0])
        outputs["plans"] = json.dumps([{"task": plan.task.name} | _numbers(plan) for plan in answer.plans])
    return outputs


def _numbers(plan: Plan) -> dict[str, str]:
    return {
        "plan-digest": plan.digest,
        "actions": str(len(plan.steps)),
        "allowed": str(_count(plan.steps, Outcome.ALLOW)),
        "asks": str(_count(plan.steps, Outcome.ASK)),
        "denied": str(_count(plan.steps, Outcome.DENY)),
        "cost-usd": "" if plan.cost is None else format(plan.cost, "f"),
    }


def _count(steps: Sequence[Step], outcome: Outcome) -> int:
    return sum(step.verdict.outcome is outcome for step in steps)
