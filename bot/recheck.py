"""A recorded plan, step by step again: (Plan, dispatcher) -> its steps as they come out today.

A record is untrusted data whoever made it: all of it is rehearsed and judged again, on the same files, before
anything is believed. No model is asked.
"""

from collections.abc import Collection, Sequence

from bot.dispatcher import Dispatcher
from bot.errors import Reason
from bot.kit import Kit
from bot.plan import Plan, Step
from bot.proposal import call_of
from bot.refusal import Refusal
from bot.situation import Situation
from bot.situation.staleness import why_changed
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay


def rehearsed_again(
    plan: Plan, situation: Situation, *, kit: Kit, transcript: Transcript
) -> Overlay | Refusal:
    """The planned head with all that the plan changes; or the first step that comes out otherwise today."""
    overlay, steps = steps_again(plan, situation, kit=kit, transcript=transcript)
    return why_changed(plan.steps, steps) or overlay


def steps_again(
    plan: Plan, situation: Situation, *, kit: Kit, transcript: Transcript
) -> tuple[Overlay, Sequence[Step]]:
    """The planned head with all that the plan changes, and the steps that led to it."""
    overlay = Overlay(kit.tree_at(plan.head_sha), kit.searcher)
    dispatcher = Dispatcher.rehearsing(
        tools=kit.tools,
        overlay=overlay,
        policies=situation.rules.policies,
        transcript=transcript,
        lookout=kit.lookout(situation),
    )
    carry_out(plan, dispatcher)
    return overlay, dispatcher.steps


def carry_out(plan: Plan, dispatcher: Dispatcher, *, without: Collection[int] = ()) -> Refusal | None:
    """Every step in its order; what was denied, or failed in the rehearsal, is passed over."""
    for step in plan.steps:
        if not step.is_performed or step.number in without:
            dispatcher.pass_over(step)
        elif missed := dispatcher.dispatch(call_of(step)).missed:
            return Refusal(
                reason=Reason.STEP_FAILED,
                detail=f"Step {step.number} ({step.tool}) could not be carried out as planned: {missed}",
                next_step="Nothing was changed. Comment `/plan` for a fresh plan.",
            )
    return None
