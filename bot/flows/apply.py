"""The apply: exactly the plan that a person approved becomes a commit. No model is asked, and none can be.

perform   nothing stale, everything approved -> the same rehearsal again gives the same steps -> they are
          carried out on a clean copy of the head -> the files are what was predicted
          (what reaches out is left until the commit is made: see errands)
commit    the same tree on GitHub -> a commit on the planned head -> the branch moves, if it is still there
"""

from collections.abc import Collection
from dataclasses import dataclass

from bot.authority import MayApply
from bot.conversation.posted import Posted
from bot.dispatcher import Dispatcher
from bot.errand import errands_of
from bot.errors import CannotPush, Reason
from bot.kit import Kit
from bot.plan import Plan, Step
from bot.plan.applied_commit import holding
from bot.plan.commit_message import UNDO_TRAILER, write_message
from bot.proposal import call_of
from bot.pull_request import Commit
from bot.refusal import Refusal
from bot.situation import Situation
from bot.situation.staleness import why_changed, why_not_approved, why_stale
from bot.tools import tools_digest
from bot.transcript import Transcript
from bot.workspace import Change, Tree, tree_sha
from bot.workspace.diff import file_diff
from bot.workspace.disk import Disk
from bot.workspace.open_tree import OpenTree
from bot.workspace.overlay import Overlay
from bot.world import Shell

_MOST_COMMITS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """`left_over` are files that commands made and nobody planned: they are not in the commit.

    `commit` is None for a plan that changes no file and only reaches out.
    """

    commit: Commit | None
    was_there_before: bool = False
    left_over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """The changes as they came out, and the name of the tree that holds them."""

    changes: tuple[Change, ...]
    tree: str
    left_over: tuple[str, ...]


def apply(
    leave: MayApply,
    posted: Posted,
    situation: Situation,
    *,
    kit: Kit,
    shell: Shell,
    transcript: Transcript,
) -> Applied | Refusal:
    """Once, however often it is called: a commit that is already there is the answer."""
    before = applied_before(posted, situation, kit=kit)
    if before is not None:
        return before
    performed = perform(leave, posted, situation, kit=kit, shell=shell, transcript=transcript)
    if isinstance(performed, Refusal):
        return performed
    if not performed.changes:
        return Applied(commit=None, left_over=performed.left_over)
    return commit(leave, posted.plan, performed, situation, kit=kit)


def perform(
    leave: MayApply,
    posted: Posted,
    situation: Situation,
    *,
    kit: Kit,
    shell: Shell,
    transcript: Transcript,
) -> Performed | Refusal:
    """Every reason to refuse is looked for before the first step is carried out."""
    plan = posted.plan
    if why := why_stale(plan, situation, tools_digest=tools_digest(kit.tools), now=kit.clock.now()):
        return why
    if why := why_not_approved(plan, leave, not_shown=posted.not_shown):
        return why
    tree = kit.tree_at(plan.head_sha)
    overlay = Overlay(tree, kit.searcher)
    again = Dispatcher.rehearsing(
        tools=kit.tools,
        overlay=overlay,
        policies=situation.rules.policies,
        transcript=transcript,
        lookout=kit.lookout(situation),
    )
    _carry_out(plan, again)
    if why := why_changed(plan.steps, again.steps):
        return why
    later = {errand.step for errand in errands_of(plan, kit.tools)}
    if not overlay.changes() and not later:
        return _NOTHING
    with shell.folder() as folder:
        laid_out = OpenTree(tree, situation.rules.is_secret)
        kit.materialise(laid_out, folder)
        disk = Disk(folder, tree, kit.searcher)
        hands = Dispatcher.performing(
            leave,
            tools=kit.tools,
            overlay=Overlay(tree, kit.searcher),
            disk=disk,
            shell=shell,
            policies=situation.rules.policies,
            transcript=transcript,
        )
        if why := _carry_out(plan, hands, without=later):
            return why
        return _compared(tree, overlay.changes(), disk, laid_out)


def commit(
    leave: MayApply, plan: Plan, performed: Performed, situation: Situation, *, kit: Kit
) -> Applied | Refusal:
    """The branch moves only from the planned head, and only to the tree that was performed."""
    branch = situation.pull_request.head.name
    home = kit.home_of(plan.head_repository)
    try:
        tree = home.make_tree(base_commit=plan.head_sha, changes=performed.changes)
        if tree != performed.tree:
            return _missed("the tree that GitHub made of it")
        made = home.make_commit(tree=tree, parent=plan.head_sha, message=write_message(plan, leave.login))
        is_moved = home.move_branch(branch, before=plan.head_sha, after=made.sha)
    except CannotPush as failed:
        # Not a fault but an answer: the work is done, and people can push it themselves.
        return _not_pushed(plan, performed, failed)
    if is_moved:
        return Applied(commit=made, left_over=performed.left_over)
    # Two applies at once make two commits, and only one of them can move the branch.
    if winner := holding(plan, tree, home.commits(branch, most=_MOST_COMMITS)):
        return Applied(commit=winner, was_there_before=True)
    return Refusal(
        reason=Reason.HEAD_MOVED,
        detail="Somebody pushed to the branch while the plan was being applied. Nothing was changed.",
        next_step="Comment `/plan` for a fresh plan.",
    )


def applied_before(posted: Posted, situation: Situation, *, kit: Kit) -> Applied | Refusal | None:
    """The commit on the branch that holds this plan; a plan is good for one, even when that is gone again."""
    plan, head = posted.plan, situation.pull_request.head
    if head.sha == plan.head_sha:
        return _USED if posted.said.marker.state == "applied" else None
    commits = kit.home_of(plan.head_repository).commits(head.name, most=_MOST_COMMITS)
    if any(plan.digest in commit.trailers(UNDO_TRAILER) for commit in commits):
        return _USED
    if not any(commit.parents == (plan.head_sha,) for commit in commits):
        # Nor may the planned head be there at all any more, to ask what was predicted on it.
        return None
    predicted = plan.predicted(kit.tree_at(plan.head_sha).entries)
    found = holding(plan, tree_sha(predicted), commits)
    return None if found is None else Applied(commit=found, was_there_before=True)


def _carry_out(plan: Plan, dispatcher: Dispatcher, *, without: Collection[int] = ()) -> Refusal | None:
    """Every step in its order; what was denied, or failed in the rehearsal, is passed over."""
    for step in plan.steps:
        if not step.is_performed or step.number in without:
            dispatcher.pass_over(step)
        elif missed := dispatcher.dispatch(call_of(step)).missed:
            return _failed(step, missed)
    return None


def _compared(tree: Tree, changes: tuple[Change, ...], disk: Disk, laid_out: OpenTree) -> Performed | Refusal:
    """Hold every file that was laid out or planned to the prediction; what is neither is left behind."""
    found = disk.state()
    planned = {change.path: change.after for change in changes}
    for path, entry in {**laid_out.entries, **planned}.items():
        if found.entries.get(path) != entry:
            return _missed(path)
    kept = {path: entry for path, entry in {**tree.entries, **planned}.items() if entry is not None}
    left_over = sorted({*found.entries, *found.odd} - kept.keys())
    return Performed(changes=changes, tree=tree_sha(kept), left_over=tuple(left_over))


def _failed(step: Step, why: str) -> Refusal:
    return Refusal(
        reason=Reason.STEP_FAILED,
        detail=f"Step {step.number} ({step.tool}) could not be carried out as planned: {why}",
        next_step="Nothing was changed. Comment `/plan` for a fresh plan.",
    )


def _missed(what: str) -> Refusal:
    return Refusal(
        reason=Reason.PREDICTION_MISSED,
        detail=f"The result differs from the plan: {what} came out otherwise. Nothing was changed.",
        next_step="Comment `/plan` for a fresh plan; a command in this one may have changed a file.",
    )


def _not_pushed(plan: Plan, performed: Performed, failed: CannotPush) -> Refusal:
    return Refusal(
        reason=Reason.CANNOT_PUSH,
        detail=f"{failed.what}. The plan was performed, and its result is below.",
        next_step=f"Apply the patch to {plan.head_sha[:12]} with `git apply`, or {failed.next_step}.",
        patch="".join(file_diff(change) for change in performed.changes),
    )


_USED = Refusal(
    reason=Reason.PLAN_USED,
    detail="The plan was applied before, and its commit was taken back or is no longer on the branch.",
    next_step="Comment `/plan` for a fresh plan.",
)
_NOTHING = Refusal(
    reason=Reason.NOTHING_TO_APPLY,
    detail="The plan changes no file, so there is nothing to commit.",
    next_step="Comment `/plan` with a task that changes something.",
)
