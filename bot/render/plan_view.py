"""Plan -> what a template may know of it: plain values, without a record's methods.

A repository's own template must not meet a pydantic model, which can read files and unpickle.
"""

from datetime import datetime
from decimal import Decimal

from markupsafe import Markup

from bot.dataclass import dataclass
from bot.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """`until` and `since` are times in UTC, to the minute; `number` counts the steps.

    `advisor` is the second model, "" where none was asked. `cached` is the share of what the agent's model
    read that came from its provider's cache, in whole percent. Markup is ours, and no words.
    """

    repository: str
    pull_request: int | None
    head_sha: Markup
    task: str
    model: str
    summary: str
    chaos: str
    stopped_by: str
    findings: tuple[str, ...]
    cost: Decimal | None
    cached: int
    advisor: str
    advisor_cost: Decimal | None
    base_sha: Markup
    since: Markup
    until: Markup
    digest: Markup
    short_digest: Markup
    bot_version: str
    number: int


def plan_view(plan: Plan) -> PlanView:
    return PlanView(
        repository=plan.repository,
        pull_request=plan.pull_request,
        head_sha=Markup(plan.head_sha),  # noqa: S704 - the record lets it be hexadecimal digits only
        task=plan.task.name,
        model=plan.model,
        summary=plan.summary.strip(),
        chaos=plan.chaos or "",
        stopped_by=plan.stopped_by or "",
        findings=plan.findings,
        cost=plan.cost,
        cached=plan.usage.cached_percent,
        advisor=plan.advisor.model if plan.advisor else "",
        advisor_cost=plan.advisor.cost if plan.advisor else None,
        base_sha=Markup(plan.base_sha),  # noqa: S704 - hexadecimal digits
        since=_moment(plan.created_at),
        until=_moment(plan.expires_at),
        digest=Markup(plan.digest),  # noqa: S704 - hexadecimal digits
        short_digest=Markup(plan.short_digest),  # noqa: S704 - hexadecimal digits
        bot_version=plan.bot_version,
        number=len(plan.steps),
    )


def _moment(at: datetime) -> Markup:
    return Markup(at.strftime("%Y-%m-%d %H:%M"))  # noqa: S704 - digits
