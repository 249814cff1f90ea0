"""Answer -> the action's outputs, and the job summary for when there is no comment to read."""

import json
from collections.abc import Sequence

from bot.answer import Answer
from bot.gate import Outcome
from bot.plan import Plan, Step
from bot.render import plan_comment


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


def summary_of(answer: Answer) -> str:
    """The plans as Markdown: where commenting is forbidden, this is where they are read."""
    return "\n\n".join(plan_comment(plan, embed=False).body for plan in answer.plans)


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
