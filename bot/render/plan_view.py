"""Plan -> what a template may know of it: plain values, without a record's methods.

A repository's own template must not meet a pydantic model, which can read files and unpickle.
"""

from dataclasses import dataclass
from decimal import Decimal

from bot.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """`until` is a time in UTC, to the minute; `number` counts the steps."""

    repository: str
    pull_request: int | None
    head_sha: str
    task: str
    model: str
    summary: str
    chaos: str
    stopped_by: str
    findings: tuple[str, ...]
    cost: Decimal | None
    until: str
    digest: str
    short_digest: str
    bot_version: str
    number: int


def plan_view(plan: Plan) -> PlanView:
    return PlanView(
        repository=plan.repository,
        pull_request=plan.pull_request,
        head_sha=plan.head_sha,
        task=plan.task.name,
        model=plan.model,
        summary=plan.summary.strip(),
        chaos=plan.chaos or "",
        stopped_by=plan.stopped_by or "",
        findings=plan.findings,
        cost=plan.cost,
        until=plan.expires_at.strftime("%Y-%m-%d %H:%M"),
        digest=plan.digest,
        short_digest=plan.short_digest,
        bot_version=plan.bot_version,
        number=len(plan.steps),
    )
