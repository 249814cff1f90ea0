"""(event, command, circumstances) -> MayDryRun | MayApply | ... | Refusal. Never hears the model.

Every question looks up the people's standing itself, at the time of use, so that a caller can't forget one:
the person who wrote, and on a re-run also the one who started it again. The leaves can't be made elsewhere.
Somebody who may not use the bot is refused silently: neither an answer nor a model call.
"""

from collections.abc import Callable
from dataclasses import InitVar, dataclass, replace
from typing import TYPE_CHECKING

from bot.command import Apply, Approval, Discard, Explain, Help, Malformed, Misspelt, Undo
from bot.errors import Reason
from bot.event import CommentEvent, DispatchEvent, PullRequestEvent
from bot.permission import Permission
from bot.plan.commit_message import PLAN_TRAILER, UNDO_TRAILER
from bot.pull_request import Account, Commit, PullRequest, Standing
from bot.refusal import Refusal

if TYPE_CHECKING:
    from bot.config import ApplyRules


@dataclass(frozen=True, slots=True, kw_only=True)
class MayDryRun:
    """A dry run may be made, and its model paid for, because of what `login` did."""

    login: str
    stamp: InitVar[object]

    def __post_init__(self, stamp: object) -> None:
        _made_here(stamp)


@dataclass(frozen=True, slots=True, kw_only=True)
class MayApply:
    """`login` may have one plan performed: the one whose digest starts so (None: the only one there is)."""

    login: str
    permission: Permission
    digest: str | None
    approval: Approval
    stamp: InitVar[object]

    def __post_init__(self, stamp: object) -> None:
        _made_here(stamp)

    def approves(self, number: int) -> bool:
        """Whether the person named this step, beyond those that a plain `/apply` covers."""
        return self.approval.covers(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class MayUndo:
    login: str
    permission: Permission
    stamp: InitVar[object]

    def __post_init__(self, stamp: object) -> None:
        _made_here(stamp)


@dataclass(frozen=True, slots=True, kw_only=True)
class MayAsk:
    """`login` gets an answer in words: nothing is run, nothing is written but the answer."""

    login: str
    stamp: InitVar[object]

    def __post_init__(self, stamp: object) -> None:
        _made_here(stamp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What every decision needs: `pull_request` is None where there is none with that number.

    `rerun_by` is the login of whoever started this run again, None on the first attempt.
    """

    pull_request: PullRequest | None
    rules: "ApplyRules"
    standing_of: Callable[[str], Standing]
    rerun_by: str | None = None


def may_dry_run(
    event: PullRequestEvent | CommentEvent | DispatchEvent, now: Circumstances, *, own_commit: bool
) -> MayDryRun | Refusal:
    """By itself only where the author could push to this repository; on a fork, a person with leave must ask.

    `own_commit` is what `is_own_commit` says.
    """
    if isinstance(event, PullRequestEvent):
        refusal = _not_by_itself(now, own_commit=own_commit)
        permitted = refusal or _permitted((), now)
    else:
        permitted = _permitted((_actor(event),), now)
    if isinstance(permitted, Refusal):
        return permitted
    return _not_workable(now.pull_request) or MayDryRun(login=_actor(event).login, stamp=_STAMP)


def may_apply(event: CommentEvent, command: Apply, now: Circumstances) -> MayApply | Refusal:
    permission = _may_write(event, now)
    if isinstance(permission, Refusal):
        return permission
    return MayApply(
        login=event.author.login,
        permission=permission,
        digest=command.digest,
        approval=command.approval,
        stamp=_STAMP,
    )


def may_undo(event: CommentEvent, _: Undo, now: Circumstances) -> MayUndo | Refusal:
    """The command has nothing to say beyond its type, which keeps an `/apply` from being taken for one."""
    permission = _may_write(event, now)
    if isinstance(permission, Refusal):
        return permission
    return MayUndo(login=event.author.login, permission=permission, stamp=_STAMP)


def may_ask(
    event: CommentEvent, command: Discard | Explain | Help | Malformed | Misspelt, now: Circumstances
) -> MayAsk | Refusal:
    """Explaining is for all who can read; what changes a plan, and a slip of the pen, for who may apply.

    A slip by anybody else is not answered: it may be a word for another bot.
    """
    needed = Permission.READ if isinstance(command, Explain | Help) else now.rules.permission
    teams = () if isinstance(command, Explain | Help) else now.rules.teams
    permitted = _permitted((event.author,), now, needed=needed, teams=teams)
    if isinstance(permitted, Refusal):
        return permitted
    if now.pull_request is None:
        return _NOT_A_PULL_REQUEST
    return MayAsk(login=event.author.login, stamp=_STAMP)


def on_own_machine(login: str, *, digest: str, approval: Approval) -> MayApply:
    """A person at their own terminal, changing their own files: nobody else's leave is needed."""
    return MayApply(login=login, permission=Permission.ADMIN, digest=digest, approval=approval, stamp=_STAMP)


def is_own_commit(event: PullRequestEvent, *, head: Commit, me: Account) -> bool:
    """Whether the bot itself pushed what this event is about: planning it again would never end.

    Anybody can write the trailer, so the push must be the bot's too.
    """
    is_marked = any(head.trailers(name) for name in (PLAN_TRAILER, UNDO_TRAILER))
    return event.action == "synchronize" and event.sender.id == me.id and is_marked


_STAMP = object()


def _made_here(stamp: object) -> None:
    if stamp is not _STAMP:
        raise TypeError("a leave is made by bot.authority only")


def _actor(event: PullRequestEvent | CommentEvent | DispatchEvent) -> Account:
    return event.author if isinstance(event, CommentEvent) else event.sender


def _may_write(event: CommentEvent, now: Circumstances) -> Permission | Refusal:
    """The permission by which the commenter may have the head branch written to."""
    permitted = _permitted((event.author,), now)
    if isinstance(permitted, Refusal):
        return permitted
    if refusal := _not_workable(now.pull_request):
        return refusal
    if (
        now.pull_request is None
        or now.pull_request.author.id != event.author.id
        or now.rules.author_may_apply
    ):
        return permitted
    return Refusal(
        reason=Reason.AUTHOR_MAY_NOT_APPLY,
        detail="the author of a pull request may not apply plans to it here (apply.author_may_apply)",
        next_step="ask somebody else with the permission to comment the same line",
    )


def _permitted(
    people: tuple[Account, ...],
    now: Circumstances,
    *,
    needed: Permission | None = None,
    teams: tuple[str, ...] | None = None,
) -> Permission | Refusal:
    """The weakest permission among all who had a hand in this run, or why one of them may not."""
    needed = now.rules.permission if needed is None else needed
    teams = now.rules.teams if teams is None else teams
    weakest = Permission.ADMIN
    expected: dict[str, int | None] = {person.login: person.id for person in people}
    if now.rerun_by is not None:
        expected.setdefault(now.rerun_by, None)
    for login, account_id in expected.items():
        standing = now.standing_of(login)
        if not standing.account.is_person:
            return _silent(Reason.NOT_A_PERSON, f"{login} is not a person's account")
        # A login can be given up and taken by somebody else between the comment and now.
        if account_id not in {None, standing.account.id}:
            return _silent(Reason.NOT_PERMITTED, f"the account {login} is no longer the one that commented")
        if not standing.permission.reaches(needed):
            has = f"{login} has the permission {standing.permission.value}"
            return _silent(Reason.NOT_PERMITTED, f"{has}, and {needed.value} is needed")
        if teams and standing.teams.isdisjoint(teams):
            return _silent(Reason.NOT_PERMITTED, f"{login} is in none of the teams of apply.teams")
        weakest = min(weakest, standing.permission, key=list(Permission).index)
    return weakest


def _not_by_itself(now: Circumstances, *, own_commit: bool) -> Refusal | None:
    """Why no dry run is made without being asked for. Nobody waits for an answer, so all are silent."""
    pull_request = now.pull_request
    if own_commit:
        return _silent(Reason.OWN_COMMIT, "the newest commit is one of the bot's own")
    if pull_request is None:
        return None
    if pull_request.is_from_fork:
        return _silent(Reason.FORK, "the head is in a fork: a plan is made when somebody comments /plan")
    if pull_request.is_draft:
        return _silent(Reason.PULL_REQUEST_DRAFT, "the pull request is a draft")
    if refusal := _not_workable(pull_request):
        return replace(refusal, silent=True)
    if not could_push(pull_request.author, now.standing_of):
        login = pull_request.author.login
        return _silent(Reason.NOT_PERMITTED, f"{login} may not push to this repository")
    return None


def could_push(author: Account, standing_of: Callable[[str], Standing]) -> bool:
    """Whether the branch may be the author's: whoever can read may open a pull request of any that is there.

    An app's may, for its leave to open one was given to it.
    """
    if not author.is_person:
        return True
    standing = standing_of(author.login)
    return standing.account.id == author.id and standing.permission.reaches(Permission.WRITE)


def _not_workable(pull_request: PullRequest | None) -> Refusal | None:
    if pull_request is None:
        return _NOT_A_PULL_REQUEST
    if pull_request.is_merged:
        return Refusal(
            reason=Reason.PULL_REQUEST_MERGED,
            detail="the pull request is merged",
            next_step="open a new pull request for further changes",
        )
    if not pull_request.is_open:
        return Refusal(
            reason=Reason.PULL_REQUEST_CLOSED,
            detail="the pull request is closed",
            next_step="reopen it, and comment the same line again",
        )
    if pull_request.head.repository is None:
        return Refusal(
            reason=Reason.HEAD_GONE,
            detail="the repository that the pull request came from was deleted",
            next_step="push the branch somewhere, and open a new pull request from it",
        )
    return None


def _silent(reason: Reason, detail: str) -> Refusal:
    return Refusal(
        reason=reason, detail=detail, next_step="nothing: this is only said in the log", silent=True
    )


_NOT_A_PULL_REQUEST = Refusal(
    reason=Reason.NOT_A_PULL_REQUEST,
    detail="this is an issue, and plans are made for pull requests",
    next_step="comment the same line on a pull request",
)
