"""(Event, the outside) -> what is asked for, by whom, how things stand: all that every walk begins with.

Each job of a workflow hears for itself: what another one has found out proves nothing.
"""

from collections.abc import Sequence
from typing import TypeAlias

from bot import CONFIG_PATH, authority, command
from bot.assignment import Assigned, asked_for, due
from bot.authority import Circumstances, MayApply, MayAsk, MayDryRun, MayUndo
from bot.conversation import Conversation, listen
from bot.dataclass import dataclass
from bot.errors import BotError, Reason
from bot.event import CommentEvent, DispatchEvent, PullRequestEvent
from bot.kit import Outside
from bot.pull_request import Opening, PullRequest
from bot.refusal import Refusal
from bot.situation import Situation
from bot.situation.rules import Rules, read_rules
from bot.world import Repository

Workable: TypeAlias = PullRequestEvent | CommentEvent | DispatchEvent
Leave: TypeAlias = MayDryRun | MayApply | MayUndo | MayAsk


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """Nobody is told anything; `detail` is for the log."""

    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """`leave` may be a refusal that is told. `asked` is the command; of other events, that tasks are planned.

    `pull_request` is None where there is none of that number, which is refused. `is_about_rules`: the event
    is one of a pull request that changes the configuration.
    """

    event: Workable
    asked: command.Command
    leave: Leave | Refusal
    pull_request: PullRequest | None
    rules: Rules
    changed_paths: Sequence[str]
    assignments: Assigned
    conversation: Conversation
    is_about_rules: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """Each of them is owed a plan."""
        return _names(self.assignments)

    @property
    def situation(self) -> Situation:
        assert self.pull_request is not None  # noqa: S101 - there is no leave without one
        return Situation(
            pull_request=self.pull_request, rules=self.rules, changed_paths=tuple(self.changed_paths)
        )


def hear(event: Workable, outside: Outside) -> Heard | Unheard:
    repository, opening = outside.kit.repository, None
    if not isinstance(event, CommentEvent) or event.is_pull_request:
        opening = repository.opening(event.number, path=CONFIG_PATH)
    rules = _rules(opening, repository)
    try:
        if isinstance(event, CommentEvent):
            return _comment(event, opening, rules, outside)
        assert opening is not None  # noqa: S101 - only a comment may be on an issue
        return _change(event, opening, rules, outside)
    except BotError as error:
        error.told_in(rules.config.language)
        raise


def _change(
    event: PullRequestEvent | DispatchEvent, opening: Opening, rules: Rules, outside: Outside
) -> Heard | Unheard:
    """A pull request changed, or a person started the workflow for one: what is due is planned."""
    repository, pull_request = outside.kit.repository, opening.pull_request
    own_commit = isinstance(event, PullRequestEvent) and _is_own(event, pull_request, outside)
    leave = authority.may_dry_run(event, _circumstances(pull_request, rules, outside), own_commit=own_commit)
    if isinstance(leave, Refusal) and leave.silent:
        return Unheard(reason=leave.reason, detail=leave.detail)
    changed = tuple(repository.changed_paths(event.number))
    if isinstance(event, PullRequestEvent):
        assignments: Assigned = due(rules.config, action=event.action, changed=changed)
    else:
        assignments = asked_for(rules.config, command.Plan(text=event.task or ""))
    is_about_rules = CONFIG_PATH in changed
    if not assignments and not is_about_rules:
        return Unheard(reason=Reason.NO_TASK, detail="no task is due on this event of this pull request")
    conversation = _conversation(event, opening, outside)
    if conversation.is_answered(outside.kit.occasion, tasks=_names(assignments)):
        return Unheard(reason=Reason.ALREADY_ANSWERED, detail="this run was answered by an earlier attempt")
    return Heard(
        event=event,
        asked=command.Plan(),
        leave=leave,
        pull_request=pull_request,
        rules=rules,
        changed_paths=changed,
        assignments=assignments,
        conversation=conversation,
        is_about_rules=is_about_rules,
    )


def _comment(event: CommentEvent, opening: Opening | None, rules: Rules, outside: Outside) -> Heard | Unheard:
    """Somebody wrote what looks like a command."""
    repository, pull_request = outside.kit.repository, opening.pull_request if opening else None
    asked = command.read_command(event.body, prefix=rules.config.command_prefix)
    if isinstance(asked, command.NotForUs):
        return Unheard(reason=Reason.NOT_FOR_US, detail="the comment is not a command here")
    leave = _leave(event, asked, _circumstances(pull_request, rules, outside))
    if isinstance(leave, Refusal) and leave.silent:
        return Unheard(reason=leave.reason, detail=leave.detail)
    conversation = _conversation(event, opening, outside)
    assignments = asked_for(rules.config, asked) if isinstance(asked, command.Plan) else ()
    if conversation.is_answered(event.comment_id, tasks=_names(assignments)):
        return Unheard(reason=Reason.ALREADY_ANSWERED, detail="this comment was answered before")
    changed = tuple(repository.changed_paths(event.number)) if isinstance(leave, MayDryRun) else ()
    return Heard(
        event=event,
        asked=asked,
        leave=leave,
        pull_request=pull_request,
        rules=rules,
        changed_paths=changed,
        assignments=assignments,
        conversation=conversation,
    )


def _rules(opening: Opening | None, repository: Repository) -> Rules:
    """Not by the event's word for the default branch: once that is renamed, anybody may use its old name."""
    if opening is None:
        return read_rules(repository, default_branch=repository.default_branch())
    base = opening.pull_request.base.name
    return read_rules(repository, default_branch=opening.default_branch, base=base, tips=opening.tips)


def _conversation(event: Workable, opening: Opening | None, outside: Outside) -> Conversation:
    kit = outside.kit
    comments = opening.comments if opening else None
    return listen(kit.repository, event.number, comments=comments, redact=kit.redact, log=kit.log)


def _leave(event: CommentEvent, asked: command.Command, now: Circumstances) -> Leave | Refusal:
    match asked:
        case command.Plan() | command.Replay():
            return authority.may_dry_run(event, now, own_commit=False)
        case command.Apply():
            return authority.may_apply(event, asked, now)
        case command.Undo():
            return authority.may_undo(event, asked, now)
        case command.NotForUs():
            return Refusal(reason=Reason.NOT_FOR_US, detail="not a command", next_step="", silent=True)
        case _:
            return authority.may_ask(event, asked, now)


def _names(assignments: Assigned) -> tuple[str, ...]:
    return () if isinstance(assignments, Refusal) else tuple(assignment.name for assignment in assignments)


def _circumstances(pull_request: PullRequest | None, rules: Rules, outside: Outside) -> Circumstances:
    teams = rules.config.apply.teams
    return Circumstances(
        pull_request=pull_request,
        rules=rules.config.apply,
        standing_of=lambda login: outside.kit.repository.standing(login, teams=teams),
        rerun_by=outside.rerun_by,
    )


def _is_own(event: PullRequestEvent, pull_request: PullRequest, outside: Outside) -> bool:
    """Asked only of a push by the bot's own account, which may be a person's that lent it a token."""
    repository = outside.kit.repository
    me = repository.me()
    if event.action != "synchronize" or event.sender.id != me.id:
        return False
    return authority.is_own_commit(event, head=repository.commit(pull_request.head.sha), me=me)
