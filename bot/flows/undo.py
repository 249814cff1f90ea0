"""The undo: an applied plan is taken back by one more commit, if nobody has built on its lines since.

find       the newest plan on the branch that was applied and not taken back
take back  its files, merged backwards: what others have changed elsewhere stays
commit     on the head as it was read; the branch moves, if it is still there
"""

from collections.abc import Sequence

from bot.authority import MayUndo
from bot.dataclass import dataclass
from bot.errors import Reason
from bot.kit import Kit
from bot.plan import Plan
from bot.plan.commit_message import COMMAND_TRAILER, PLAN_TRAILER, UNDO_TRAILER, write_undo_message
from bot.pull_request import Commit
from bot.recheck import FoundApplied, found_applied
from bot.refusal import Refusal
from bot.situation import Situation
from bot.workspace import Change, Entry, Mode, Tree, blob_sha, tree_sha

_MOST_COMMITS = 100
# A link's target is no lines, and can't be merged as if it were.
_FILES = frozenset({Mode.FILE, Mode.EXECUTABLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """`commit` takes the commit named `undone` back."""

    commit: Commit
    undone: str


def newest_applied(situation: Situation, *, kit: Kit) -> str | None:
    """The digest that the newest applying commit bears; one that was taken back is passed over.

    A commit that was made for this very command counts as not made: the run that made it was killed before
    it could say so, and this one says it.
    """
    taken_back: set[str] = set()
    for commit in _commits(situation, kit):
        if str(kit.occasion) not in commit.trailers(COMMAND_TRAILER):
            taken_back.update(commit.trailers(UNDO_TRAILER))
        for digest in commit.trailers(PLAN_TRAILER):
            if digest not in taken_back:
                return digest
    return None


def undo(leave: MayUndo, plan: Plan, situation: Situation, *, kit: Kit) -> Undone | Refusal:
    """Tied to the plan's record: only a commit that holds this plan is taken back, and all of that one."""
    head = situation.pull_request.head
    commits = _commits(situation, kit)
    found = found_applied(plan, commits, situation, kit=kit)
    if found is None:
        return _conflict("no commit on the branch holds exactly this plan")
    applied = found.commit
    for made in commits:
        if str(kit.occasion) in made.trailers(COMMAND_TRAILER) and _takes_back(made, plan, found, kit):
            return Undone(commit=made, undone=applied.sha)
    now = kit.tree_at(head.sha)
    changes = _changes(plan, found, now, kit)
    if isinstance(changes, Refusal):
        return changes
    home = kit.home_of(plan.head_repository)
    tree = home.make_tree(base_commit=head.sha, changes=changes, before=now.entries)
    message = write_undo_message(plan, applied.sha, leave.login, command=kit.occasion)
    made = home.make_commit(tree=tree, parent=head.sha, message=message)
    if home.move_branch(head.name, before=head.sha, after=made.sha):
        return Undone(commit=made, undone=applied.sha)
    return Refusal(
        reason=Reason.HEAD_MOVED,
        detail="Somebody pushed to the branch while the plan was being taken back. Nothing was changed.",
        next_step="Comment `/undo` again.",
    )


def _takes_back(made: Commit, plan: Plan, found: FoundApplied, kit: Kit) -> bool:
    """A trailer alone proves nothing, since whoever may push can write one: it must be what we would make."""
    if len(made.parents) != 1:
        return False
    before = kit.tree_at(made.parents[0])
    changes = _changes(plan, found, before, kit)
    if isinstance(changes, Refusal):
        return False
    after = {**before.entries, **{change.path: change.after for change in changes}}
    return made.tree == tree_sha({path: entry for path, entry in after.items() if entry is not None})


def _changes(plan: Plan, found: FoundApplied, now: Tree, kit: Kit) -> Sequence[Change] | Refusal:
    """What takes the plan back where the files are `now`."""
    before, applied = kit.tree_at(plan.head_sha), kit.tree_at(found.commit.sha)
    changes: list[Change] = []
    for path in sorted({*_paths(plan), *found.beyond}):
        back = _back(path, before, applied, now, kit)
        if isinstance(back, Refusal):
            return back
        changes += back
    return changes


def _back(path: str, before: Tree, applied: Tree, now: Tree, kit: Kit) -> Sequence[Change] | Refusal:
    """What takes this path back: no change where it is back already."""
    old, made, current = (tree.entries.get(path) for tree in (before, applied, now))
    if current == old:
        return ()
    if current == made:
        return (_change(path, now, old, None if old is None else before.read(path)),)
    if old is None or made is None or current is None:
        return _conflict(f"{path} was made or deleted again since")
    if not _FILES.issuperset(entry.mode for entry in (old, made, current)):
        return _conflict(f"{path} is no file any more, or was none")
    merged = kit.merge(applied.read(path), now.read(path), before.read(path))
    if merged is None:
        return _conflict(f"{path} was changed since in the same lines")
    mode = old.mode if current.mode is made.mode else current.mode
    return (_change(path, now, Entry(mode=mode, blob=blob_sha(merged)), merged),)


def _change(path: str, now: Tree, after: Entry | None, content: bytes | None) -> Change:
    current = now.entries.get(path)
    return Change(
        path=path,
        before=current,
        after=after,
        content_before=None if current is None else now.read(path),
        content_after=content,
    )


def _paths(plan: Plan) -> frozenset[str]:
    steps = (step for step in plan.steps if step.is_performed)
    return frozenset(effect.path for step in steps for effect in step.effects)


def _commits(situation: Situation, kit: Kit) -> Sequence[Commit]:
    head = situation.pull_request.head
    return kit.home_of(head.repository).commits(head.sha, most=_MOST_COMMITS)


def _conflict(why: str) -> Refusal:
    return Refusal(
        reason=Reason.UNDO_CONFLICT,
        detail=f"The plan can't be taken back by itself: {why}. Nothing was changed.",
        next_step="Revert the commit by hand, where you can see what others have built on it.",
    )
