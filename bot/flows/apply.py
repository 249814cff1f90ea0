"""The apply: exactly the plan that a person approved becomes a commit. No model is asked, and none can be.

perform   nothing stale, everything approved -> the same rehearsal again gives the same steps -> they are
          carried out on a clean copy of the head -> the files are what was predicted
          (what reaches out is left until the commit is made: see errands)
take over the same, where another job has carried them out: what it made is held to the prediction
commit    the same tree on GitHub -> a commit on the planned head -> the branch moves, if it is still there
"""

from collections.abc import Callable
from dataclasses import replace

from bot.authority import MayApply
from bot.conversation.posted import Posted
from bot.dataclass import dataclass
from bot.dispatcher import Dispatcher
from bot.dispatcher.performance import Commands
from bot.errand import errands_of
from bot.errors import CannotPush, Reason
from bot.handover import Handover
from bot.kit import Kit
from bot.noted.trials import RecordedTrials
from bot.plan import Plan
from bot.plan.commit_message import UNDO_TRAILER, write_message
from bot.plan.tried import ends_of
from bot.pull_request import Commit
from bot.recheck import came_out_otherwise, carry_out, found_applied, rehearsed_again, why_not_made
from bot.refusal import Refusal
from bot.sentence import Sentence
from bot.situation import Situation
from bot.situation.staleness import why_not_approved, why_stale
from bot.tools import tools_digest
from bot.transcript import Transcript
from bot.workspace import Change, Entry, Tree, tree_sha
from bot.workspace.copied import CopiedTree, Made
from bot.workspace.diff import file_diff
from bot.workspace.disk import Disk
from bot.workspace.open_tree import OpenTree
from bot.workspace.overlay import Overlay
from bot.world import Shell

_MOST_COMMITS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """`left_over` are files that commands made and git ignores: they are not in the commit. `outputs` are as
    in `Performed`.

    `commit` is None for a plan that changes no file and only reaches out.
    """

    commit: Commit | None
    was_there_before: bool = False
    left_over: tuple[str, ...] = ()
    outputs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """The changes as they came out, and the name of the tree that holds them.

    `outputs` are what commands said, by the numbers of their steps, cut and without secrets.
    """

    changes: tuple[Change, ...]
    tree: str
    left_over: tuple[str, ...]
    outputs: tuple[tuple[int, str], ...] = ()


def apply(
    leave: MayApply,
    posted: Posted,
    situation: Situation,
    *,
    kit: Kit,
    shell: Shell,
    transcript: Transcript,
    handed_over: Callable[[], Handover] | None = None,
) -> Applied | Refusal:
    """Once, however often it is called: a commit that is already there is the answer.

    `handed_over` gives what another job has left, and is asked only where nothing speaks against the plan;
    None: the steps are carried out here.
    """
    before = applied_before(posted, situation, kit=kit)
    if before is not None:
        return before
    if handed_over is None:
        performed = perform(leave, posted, situation, kit=kit, shell=shell, transcript=transcript)
    else:
        performed = take_over(leave, posted, situation, handed_over, kit=kit, transcript=transcript)
    if isinstance(performed, Refusal):
        return performed
    if not performed.changes:
        return Applied(commit=None, left_over=performed.left_over, outputs=performed.outputs)
    return commit(leave, posted.plan, performed, situation, kit=kit)


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
    found = found_applied(plan, commits, situation, kit=kit)
    return None if found is None else Applied(commit=found.commit, was_there_before=True)


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
    predicted = _predicted(leave, posted, situation, kit=kit, transcript=transcript)
    if isinstance(predicted, Refusal):
        return predicted
    tree = kit.tree_at(plan.head_sha)
    later = {errand.step for errand in errands_of(plan, kit.tools)}
    shell = shell if situation.rules.config.sandbox.required else shell.lenient()
    with shell.folder() as folder:
        laid_out = OpenTree(tree, situation.rules.is_secret)
        kit.materialise(laid_out, folder)
        disk, overlay = Disk(folder, tree, kit.searcher), Overlay(tree, kit.searcher)
        hands = Dispatcher.performing(
            leave,
            tools=kit.tools,
            overlay=overlay,
            disk=disk,
            commands=Commands(
                shell=shell,
                copy=CopiedTree(folder, laid_out),
                trials=RecordedTrials.of_plan(plan),
                may_change=situation.rules.config.sandbox.lets_change,
            ),
            policies=situation.rules.policies,
            transcript=transcript,
        )
        said: dict[int, str] = {}
        if why := carry_out(plan, hands, without=later, said=said):
            return replace(why, detail=kit.redact(why.detail), patch=kit.redact(why.patch))
        performed = _compared(tree, overlay.changes(), disk, laid_out)
        if isinstance(performed, Refusal):
            return performed
        if not performed.changes and not later:
            return _NOTHING
        outputs = tuple((number, ends_of(kit.redact(text))) for number, text in said.items())
        return replace(performed, outputs=outputs)


def take_over(
    leave: MayApply,
    posted: Posted,
    situation: Situation,
    handed_over: Callable[[], Handover],
    *,
    kit: Kit,
    transcript: Transcript,
) -> Performed | Refusal:
    """Nothing is carried out here; every byte is one that the plan predicts, or that commands may change."""
    plan = posted.plan
    overlay = _predicted(leave, posted, situation, kit=kit, transcript=transcript)
    if isinstance(overlay, Refusal):
        return overlay
    handover = handed_over()
    if (refused := handover.refused) is not None:
        return Refusal(
            reason=refused.reason, detail=refused.detail, next_step=_PLAN_AGAIN, patch=refused.difference
        )
    if (found := handover.made) is None or found.plan != plan.digest:
        raise handover.why_nothing()
    if len({file.path for file in found.changes}) != len(found.changes):
        return _missed("one path, twice,")
    came_out = [Made(path=file.path, entry=file.entry, content=file.raw) for file in found.changes]
    others = came_out_otherwise(came_out, overlay, kit.tree_at(plan.head_sha))
    if isinstance(others, str):
        return _missed(others)
    if others and why_not_made(leave, plan, others, situation, kit=kit, transcript=transcript):
        return _missed(others[0].path)
    changes = overlay.changes()
    tree = tree_sha(_kept(kit.tree_at(plan.head_sha), changes))
    if found.tree != tree:
        return _missed("the tree of all files")
    outputs = tuple((said.step, said.output) for said in found.outputs)
    return Performed(changes=changes, tree=tree, left_over=found.left_over, outputs=outputs)


def _predicted(
    leave: MayApply, posted: Posted, situation: Situation, *, kit: Kit, transcript: Transcript
) -> Overlay | Refusal:
    """The plan's files, rehearsed again; or the first reason not to carry it out."""
    plan = posted.plan
    if why := why_stale(plan, situation, tools_digest=tools_digest(kit.tools), now=kit.clock.now()):
        return why
    if why := why_not_approved(plan, leave, not_shown=posted.not_shown):
        return why
    overlay = rehearsed_again(plan, situation, kit=kit, transcript=transcript)
    if isinstance(overlay, Refusal):
        return overlay
    may_make = bool(situation.rules.config.sandbox.may_change) and plan.has_command
    return overlay if may_make or overlay.changes() or errands_of(plan, kit.tools) else _NOTHING


def commit(
    leave: MayApply, plan: Plan, performed: Performed, situation: Situation, *, kit: Kit
) -> Applied | Refusal:
    """The branch moves only from the planned head, and only to the tree that was performed."""
    branch = situation.pull_request.head.name
    home = kit.home_of(plan.head_repository)
    try:
        before = kit.tree_at(plan.head_sha).entries
        tree = home.make_tree(base_commit=plan.head_sha, changes=performed.changes, before=before)
        if tree != performed.tree:
            return _missed("the tree that GitHub made of it")
        made = home.make_commit(tree=tree, parent=plan.head_sha, message=write_message(plan, leave.login))
        is_moved = home.move_branch(branch, before=plan.head_sha, after=made.sha)
    except CannotPush as failed:
        # Not a fault but an answer: the work is done, and people can push it themselves.
        return _not_pushed(plan, performed, failed)
    if is_moved:
        return Applied(commit=made, left_over=performed.left_over, outputs=performed.outputs)
    # Two applies at once make two commits, and only one of them can move the branch.
    commits = home.commits(branch, most=_MOST_COMMITS)
    if winner := found_applied(plan, commits, situation, kit=kit):
        return Applied(commit=winner.commit, was_there_before=True)
    return Refusal(
        reason=Reason.HEAD_MOVED,
        detail="Somebody pushed to the branch while the plan was being applied. Nothing was changed.",
        next_step=_PLAN_AGAIN,
    )


def _compared(tree: Tree, changes: tuple[Change, ...], disk: Disk, laid_out: OpenTree) -> Performed | Refusal:
    """Hold every file that was laid out or planned to the prediction; what is neither is left behind."""
    found = disk.state()
    planned = {change.path: change.after for change in changes}
    for path, entry in {**laid_out.entries, **planned}.items():
        if found.entries.get(path) != entry:
            return _missed(path)
    kept = _kept(tree, changes)
    left_over = sorted({*found.entries, *found.odd} - kept.keys())
    return Performed(changes=changes, tree=tree_sha(kept), left_over=tuple(left_over))


def _kept(tree: Tree, changes: tuple[Change, ...]) -> dict[str, Entry]:
    """Every tracked file, once the changes are made."""
    after = {**tree.entries, **{change.path: change.after for change in changes}}
    return {path: entry for path, entry in after.items() if entry is not None}


def _missed(what: str) -> Refusal:
    return Refusal(
        reason=Reason.PREDICTION_MISSED,
        detail=f"The result differs from the plan: {what} came out otherwise. Nothing was changed.",
        next_step="Comment `/plan` for a fresh plan; a command in this one may have changed a file.",
    )


def _not_pushed(plan: Plan, performed: Performed, failed: CannotPush) -> Refusal:
    return Refusal(
        reason=Reason.CANNOT_PUSH,
        detail=Sentence("%(what)s. The plan was performed, and its result is below.", what=failed.what),
        next_step=Sentence(
            "Apply the patch to %(head_sha)s with `git apply`, or %(next_step)s.",
            head_sha=plan.head_sha[:12],
            next_step=failed.next_step,
        ),
        patch="".join(file_diff(change) for change in performed.changes),
    )


_PLAN_AGAIN = "Comment `/plan` for a fresh plan."
_USED = Refusal(
    reason=Reason.PLAN_USED,
    detail="The plan was applied before, and its commit was taken back or is no longer on the branch.",
    next_step=_PLAN_AGAIN,
)
_NOTHING = Refusal(
    reason=Reason.NOTHING_TO_APPLY,
    detail="The plan changes no file, so there is nothing to commit.",
    next_step="Comment `/plan` with a task that changes something.",
)
