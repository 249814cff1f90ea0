"""(A plan that another job made, how things stand here) -> why it is not what this job would have recorded.

A model had the run of that job. So whatever this one knows too is compared, and every step is rehearsed and
judged again; what is left are the model's words, and what it says that it cost.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot import __version__
from bot.advice import may_be_tightened
from bot.agent.prompt import write_prompt
from bot.assignment import Assignment
from bot.errors import Reason
from bot.kit import Kit
from bot.plan import Plan, Step
from bot.planning import check_secrets
from bot.recheck import steps_again
from bot.refusal import Refusal
from bot.situation import Situation
from bot.situation.staleness import why_changed, why_elsewhere
from bot.tools import tools_digest
from bot.transcript import Transcript

# Two runners' clocks may differ.
_MOST_AHEAD: Final = timedelta(minutes=5)


def why_not_ours(
    plan: Plan, assignment: Assignment, situation: Situation, *, kit: Kit, transcript: Transcript
) -> Refusal | None:
    """Asked before a plan that another job made is posted as this one's. Raises SecretInPlan."""
    tools, now = tools_digest(kit.tools), kit.clock.now()
    if why := why_elsewhere(plan, situation, tools_digest=tools, now=now):
        return why
    if claim := _false_claim(plan, assignment, situation, kit=kit):
        return _altered(f"The plan's record says otherwise than this run of its {claim}.")
    check_secrets(plan, kit.redact)
    _, steps = steps_again(plan, situation, kit=kit, transcript=transcript)
    return why_changed(plan.steps, steps) or _why_other_verdicts(plan.steps, steps)


def _why_other_verdicts(planned: Sequence[Step], remade: Sequence[Step]) -> Refusal | None:
    """People read the reason of a verdict: it must be the gate's, and not another's words."""
    for before, now in zip(planned, remade, strict=True):
        is_tightened = before.advice is not None and may_be_tightened(before.verdict, now.verdict)
        if before.verdict != now.verdict and not is_tightened:
            return _altered(f"Step {before.number} has another verdict than the policy gives it.")
    return None


def _false_claim(plan: Plan, assignment: Assignment, situation: Situation, *, kit: Kit) -> str | None:
    """What the record says of the run that made it, as far as that is known here too."""
    config, now = situation.rules.config, kit.clock.now()
    prompt = write_prompt(assignment.words, nonce="", pull_request=situation.pull_request)
    chaos = None if config.chaos.chaos is None else str(config.chaos.chaos)
    claims = {
        "task": plan.task.name == assignment.name and plan.task.prompt_digest == prompt.digest,
        "model": plan.model == config.model.name,
        "version": plan.bot_version == __version__,
        "failures made on purpose": plan.chaos == chaos,
        "time": plan.created_at <= now + _MOST_AHEAD,
        "end": plan.expires_at == plan.created_at + timedelta(hours=config.apply.expires_hours),
    }
    return next((what for what, is_true in claims.items() if not is_true), None)


def _altered(detail: str) -> Refusal:
    return Refusal(reason=Reason.PLAN_ALTERED, detail=detail, next_step="Comment `/plan` for a fresh plan.")
