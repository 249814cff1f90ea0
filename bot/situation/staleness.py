"""(Plan, how things stand now) -> why it may not be applied, or None. Pure.

A plan holds for one state of the world, and a record that says otherwise than its own actions is refused.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from bot.authority import MayApply
from bot.errors import Reason
from bot.plan import Plan, Step
from bot.refusal import Refusal
from bot.situation import Situation
from bot.verdict import Outcome


def why_stale(plan: Plan, situation: Situation, *, tools_digest: str, now: datetime) -> Refusal | None:
    """The first thing that differs from what was planned on."""
    if plan.chaos is not None and _is_of(plan, situation):
        return _stale(Reason.CHAOS_PLAN, "The plan comes from a run with failures made on purpose.")
    return why_elsewhere(plan, situation, tools_digest=tools_digest, now=now)


def why_elsewhere(plan: Plan, situation: Situation, *, tools_digest: str, now: datetime) -> Refusal | None:
    """The same of a plan that is not to be applied: it may come from a run with failures made on purpose."""
    pull_request = situation.pull_request
    if not _is_of(plan, situation):
        return _stale(Reason.PLAN_ALTERED, "The plan was made for another pull request.")
    if (plan.head_repository, plan.head_sha) != (pull_request.head.repository, pull_request.head.sha):
        return _stale(
            Reason.STALE_HEAD,
            f"The branch has moved: the plan was made for {plan.head_sha[:12]}, and the head is now "
            f"{pull_request.head.sha[:12]}.",
        )
    if plan.policy_digest != situation.rules.digest:
        return _stale(Reason.STALE_POLICY, "The policy has changed since the plan was made.")
    if plan.tools_digest != tools_digest:
        return _stale(Reason.STALE_TOOLS, "The bot's tools have changed since the plan was made.")
    if now >= plan.expires_at:
        return _stale(Reason.EXPIRED, f"The plan expired at {plan.expires_at:%Y-%m-%d %H:%M} UTC.")
    return None


def _is_of(plan: Plan, situation: Situation) -> bool:
    pull_request = situation.pull_request
    return (plan.repository, plan.pull_request) == (pull_request.base.repository, pull_request.number)


def why_not_approved(plan: Plan, leave: MayApply, *, not_shown: Collection[int]) -> Refusal | None:
    """Steps that ask, or whose diff the comment could not wholly show, must be named by the approver."""
    cut = frozenset(not_shown)
    needed = [
        step.number
        for step in plan.steps
        if step.is_performed and (step.verdict.outcome is Outcome.ASK or step.number in cut)
    ]
    if missing := [number for number in needed if not leave.approves(number)]:
        return Refusal(
            reason=Reason.STEPS_NOT_APPROVED,
            detail=f"These steps must be named by whoever approves them: {_listed(missing)}.",
            next_step=f"Comment `/apply {plan.short_digest} --approve {_listed(needed)}` to approve them.",
        )
    return None


def why_changed(planned: Sequence[Step], remade: Sequence[Step]) -> Refusal | None:
    """The first step that comes out otherwise today than the record says it would."""
    if len(planned) != len(remade):
        return _stale(
            Reason.PLAN_ALTERED, "The plan's record holds a step that changes nothing, which no plan does."
        )
    for before, now in zip(planned, remade, strict=True):
        if now.verdict.outcome > before.verdict.outcome:
            return _stale(
                Reason.STRICTER_NOW,
                f"Step {before.number} was {before.verdict.outcome} and is now {now.verdict.outcome}: "
                f"{now.verdict.reason}",
            )
        if not _is_same(before, now):
            return _stale(
                Reason.PLAN_ALTERED,
                f"Step {before.number} does not do what the plan's record says that it does.",
            )
    return None


def _is_same(before: Step, now: Step) -> bool:
    """All that was shown to the approver.

    Advice may have made an allow into an ask, and nothing else weaker.
    """
    is_tightened = before.verdict.outcome is Outcome.ASK and before.advice is not None
    if before.verdict.outcome is not now.verdict.outcome and not is_tightened:
        return False
    if (before.error is None) is not (now.error is None):
        return False
    beside = {"verdict", "advice", "error", "intent"}
    return before.model_dump(exclude=beside) == now.model_dump(exclude=beside)


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(str(number) for number in numbers)


def _stale(reason: Reason, detail: str) -> Refusal:
    return Refusal(reason=reason, detail=detail, next_step="Comment `/plan` for a fresh plan.")
