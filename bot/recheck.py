"""A recorded plan, step by step again: (Plan, dispatcher) -> its steps as they come out today.

A record is untrusted data whoever made it: all of it is rehearsed and judged again, on the same files, before
anything is believed. No model is asked.
"""

from collections.abc import Collection, Sequence

from bot.authority import MayApply
from bot.dataclass import dataclass
from bot.dispatcher import Dispatcher
from bot.errors import Reason, ToolFailed
from bot.kit import Kit
from bot.noted.trials import RecordedTrials, take_over
from bot.plan import Plan, Step
from bot.plan.applied_commit import claiming, holding
from bot.proposal import call_of, propose
from bot.pull_request import Commit
from bot.refusal import Refusal
from bot.situation import Situation
from bot.situation.staleness import why_changed
from bot.transcript import Transcript
from bot.verdict import Outcome
from bot.workspace import Change, Tree, tree_sha
from bot.workspace.copied import Made
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
        trials=RecordedTrials.of_plan(plan),
    )
    carry_out(plan, dispatcher)
    return overlay, dispatcher.steps


def came_out_otherwise(made: Collection[Made], overlay: Overlay, tree: Tree) -> tuple[Change, ...] | str:
    """How `made` differs from the overlay, which is made to match it; or the path that it can't hold.

    `made` are all files that were left otherwise than the tree has them.
    """
    there = {one.path: one for one in made}
    others = []
    for path in sorted({*there, *(change.path for change in overlay.changes())}):
        entry = there[path].entry if path in there else tree.entries.get(path)
        if entry != overlay.entry(path):
            # What is as it was before the plan needs no bytes of another job's.
            content = there[path].content if path in there else tree.read(path) if entry else None
            others.append(Made(path=path, entry=entry, content=content))
    before = overlay.savepoint()
    try:
        take_over(tuple(others), overlay)
    except ToolFailed:
        return others[0].path
    return overlay.changes_since(before)


def why_not_made(
    leave: MayApply,
    plan: Plan,
    changes: tuple[Change, ...],
    situation: Situation,
    *,
    kit: Kit,
    transcript: Transcript,
) -> str | None:
    """Why commands may not have changed these files, each beyond the plan; None where they may.

    As if each of the plan's commands had done all of it.
    """
    if not all(situation.rules.config.sandbox.lets_change(change.path) for change in changes):
        return "the plan doesn't say so, and sandbox.may_change doesn't let it"
    dispatcher = Dispatcher.rehearsing(
        tools=kit.tools,
        overlay=Overlay(kit.tree_at(plan.head_sha), kit.searcher),
        policies=situation.rules.policies,
        transcript=transcript,
    )
    for step in (step for step in plan.steps if step.is_performed and step.is_command):
        _, verdict = dispatcher.review(propose(call_of(step), kit.tools), changes)
        is_named = leave.approves(step.number)
        if verdict.outcome is Outcome.DENY or (verdict.outcome is Outcome.ASK and not is_named):
            return verdict.reason
    return None if plan.has_command else "the plan has no command that could have done it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundApplied:
    """`beyond` are the paths that came out otherwise than predicted, as commands were let."""

    commit: Commit
    beyond: tuple[str, ...] = ()


def found_applied(
    plan: Plan, commits: Sequence[Commit], situation: Situation, *, kit: Kit
) -> FoundApplied | None:
    """The commit on the branch that holds the plan, and nothing else but what its commands may change.

    Whoever may push can make such a commit. It holds the plan's bytes all the same, and other bytes only
    where the default branch's rules let commands write what they like.
    """
    predicted = plan.predicted(kit.tree_at(plan.head_sha).entries)
    if exact := holding(plan, tree_sha(predicted), commits):
        return FoundApplied(commit=exact)
    sandbox = situation.rules.config.sandbox
    if not (plan.has_command and sandbox.may_change):
        return None
    for commit in claiming(plan, commits):
        made = kit.tree_at(commit.sha).entries
        paths = sorted({*made, *predicted})
        beyond = tuple(path for path in paths if made.get(path) != predicted.get(path))
        if all(sandbox.lets_change(path) for path in beyond):
            return FoundApplied(commit=commit, beyond=beyond)
    return None


def carry_out(
    plan: Plan, dispatcher: Dispatcher, *, without: Collection[int] = (), said: dict[int, str] | None = None
) -> Refusal | None:
    """Every step in its order; what was denied, or failed in the rehearsal, is passed over.

    What commands say is put into `said`, by the numbers of their steps.
    """
    for step in plan.steps:
        if not step.is_performed or step.number in without:
            dispatcher.pass_over(step)
            continue
        answer = dispatcher.dispatch(call_of(step))
        if answer.missed is not None:
            missed = answer.missed
            return Refusal(
                reason=Reason.PREDICTION_MISSED if answer.has_strayed else Reason.STEP_FAILED,
                detail=f"Step {step.number} ({step.tool}) could not be carried out as planned: {missed}",
                next_step="Nothing was changed. Comment `/plan` for a fresh plan.",
                patch=answer.difference,
            )
        if said is not None and step.is_command:
            said[step.number] = answer.text
    return None
