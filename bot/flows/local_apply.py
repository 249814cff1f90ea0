"""A saved plan on a person's own repository: exactly that, with all the checks of a pull request's apply.

The answer is what is to be written, all or nothing. No model is asked, and none can be.
"""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot import recheck
from bot.authority import MayApply
from bot.dataclass import dataclass
from bot.dispatcher import Dispatcher
from bot.dispatcher.performance import Commands
from bot.errors import Reason
from bot.local_run.home import Home
from bot.noted.trials import RecordedTrials
from bot.plan import Plan
from bot.refusal import Refusal
from bot.situation.staleness import why_changed, why_not_approved
from bot.tools import tools_digest
from bot.transcript import Transcript
from bot.verdict import Outcome
from bot.workspace import Change
from bot.workspace.copied import CopiedTree
from bot.workspace.disk import Disk
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """`left_over` are files that commands made on the private copy and nobody planned: they stay there."""

    changes: tuple[Change, ...]
    left_over: tuple[str, ...]


def carry_out(leave: MayApply, plan: Plan, *, home: Home, transcript: Transcript) -> Carried | Refusal:
    """Every reason to refuse is looked for before the first step; nothing of the person's own is touched."""
    if why := _why_stale(plan, home, now=home.clock.now()):
        return why
    if why := why_not_approved(plan, leave, not_shown=()):
        return replace(why, next_step=f"Add --approve {_to_approve(plan)}, if you have read these steps.")
    overlay = Overlay(home.tree, home.searcher)
    again = Dispatcher.rehearsing(
        tools=home.tools,
        overlay=overlay,
        policies=home.config.policies,
        transcript=transcript,
        trials=RecordedTrials.of_plan(plan),
    )
    recheck.carry_out(plan, again)
    if why := why_changed(plan.steps, again.steps):
        return replace(why, next_step=_PLAN_AGAIN)
    if not overlay.changes() and not (plan.has_command and home.config.sandbox.may_change):
        return _NOTHING
    with home.shell.folder() as folder:
        return _performed(leave, plan, home=home, folder=folder, transcript=transcript)


def _performed(
    leave: MayApply,
    plan: Plan,
    *,
    home: Home,
    folder: Path,
    transcript: Transcript,
) -> Carried | Refusal:
    # Only a command can reach files that its step doesn't name; what is secret is not there for it.
    named = [effect.path for step in plan.steps for effect in step.effects]
    shown = (path for path in home.tree.entries if not home.is_secret(path))
    tree = Part(home.tree, shown if plan.has_command else named)
    home.materialise(tree, folder)
    disk, overlay = Disk(folder, tree, home.searcher), Overlay(home.tree, home.searcher)
    hands = Dispatcher.performing(
        leave,
        tools=home.tools,
        overlay=overlay,
        disk=disk,
        commands=Commands(
            shell=home.shell,
            copy=CopiedTree(folder, tree),
            trials=RecordedTrials.of_plan(plan),
            may_change=home.config.sandbox.lets_change,
        ),
        policies=home.config.policies,
        transcript=transcript,
    )
    if why := recheck.carry_out(plan, hands):
        return replace(why, next_step=f"Nothing was changed. {_PLAN_AGAIN}")
    found, changes = disk.state(), overlay.changes()
    if not changes:
        return _NOTHING
    predicted = {**tree.entries, **{change.path: change.after for change in changes}}
    for path, entry in predicted.items():
        if found.entries.get(path) != entry:
            return _missed(path)
    kept = {path for path, entry in predicted.items() if entry is not None}
    return Carried(changes=changes, left_over=tuple(sorted({*found.entries, *found.odd} - kept)))


def _why_stale(plan: Plan, home: Home, *, now: datetime) -> Refusal | None:
    if plan.chaos is not None:
        return _stale(Reason.CHAOS_PLAN, "The plan comes from a run with failures made on purpose.")
    if plan.head_sha != home.head_sha:
        was, is_now = plan.head_sha[:12], home.head_sha[:12]
        return _stale(
            Reason.STALE_HEAD, f"The plan was made on commit {was}, and the newest is now {is_now}."
        )
    if plan.policy_digest != home.config.policy_digest:
        return _stale(Reason.STALE_POLICY, "The policy has changed since the plan was made.")
    if plan.tools_digest != tools_digest(home.tools):
        why = _stale(Reason.STALE_TOOLS, "The tools are not those that the plan was made with.")
        with_mcp = f"If it was made with --mcp, apply it with --mcp. {_PLAN_AGAIN}"
        return replace(why, next_step=with_mcp) if home.config.mcp else why
    if now >= plan.expires_at:
        return _stale(Reason.EXPIRED, f"The plan expired at {plan.expires_at:%Y-%m-%d %H:%M} UTC.")
    return _why_other_files(plan, home)


def _why_other_files(plan: Plan, home: Home) -> Refusal | None:
    """The commit is the same whatever was edited since; what the plan's steps found in their files is not."""
    before: dict[str, tuple[str | None, str | None]] = {}
    for effect in (effect for step in plan.steps if step.is_performed for effect in step.effects):
        before.setdefault(effect.path, (effect.mode_before, effect.blob_before))
    for path, planned_on in before.items():
        entry = home.tree.entries.get(path)
        if planned_on != ((entry.mode, entry.blob) if entry else (None, None)):
            return _stale(Reason.STALE_HEAD, f"The file {path} has changed since the plan was made.")
    return None


def _to_approve(plan: Plan) -> str:
    asks = [step for step in plan.steps if step.is_performed and step.verdict.outcome is Outcome.ASK]
    return ",".join(str(step.number) for step in asks)


def _missed(path: str) -> Refusal:
    return Refusal(
        reason=Reason.PREDICTION_MISSED,
        detail=f"The result differs from the plan: {path} came out otherwise. Nothing was changed.",
        next_step=_PLAN_AGAIN,
    )


def _stale(reason: Reason, detail: str) -> Refusal:
    return Refusal(reason=reason, detail=detail, next_step=_PLAN_AGAIN)


_PLAN_AGAIN = "Make a fresh plan: dryrun-bot run TASK --dry-run --plan-out FILE."
_NOTHING = Refusal(
    reason=Reason.NOTHING_TO_APPLY,
    detail="The plan changes no file.",
    next_step="Make one with a task that changes something.",
)
