"""(Event, the outside) -> one Answer: the command, the leave, the right walk.

The only catcher of BotError: what can't be answered is an answer too, and told to whoever waits for one.
"""

from contextlib import suppress
from typing import TypeAlias, assert_never

from bot import authority, command, render
from bot.answer import Answer, Decision
from bot.assignment import Assigned, asked_for, due
from bot.authority import Circumstances, MayApply, MayAsk, MayDryRun, MayUndo
from bot.conversation import listen
from bot.errors import BotError, Reason
from bot.event import CommentEvent, DispatchEvent, PullRequestEvent
from bot.kit import Outside
from bot.pull_request import Permission, PullRequest
from bot.refusal import Refusal
from bot.render import Reply
from bot.situation import Situation
from bot.situation.rules import CONFIG_PATH, Rules, read_rules
from bot.visit import Visit, refused, reply_of

Workable: TypeAlias = PullRequestEvent | CommentEvent | DispatchEvent


def answer(event: Workable, outside: Outside) -> Answer:
    """Never raises BotError. A fault of our own is told too, and then left to the front door."""
    try:
        match event:
            case CommentEvent():
                return _on_comment(event, outside)
            case PullRequestEvent() | DispatchEvent():
                return _on_change(event, outside)
            case _:
                assert_never(event)
    except BotError as error:
        return _failed(event, error, outside)
    except Exception as bug:
        # Its words may hold anything, and so stay in the log; its name is enough to tell two of them apart.
        what = f"The bot met a fault of its own ({type(bug).__name__})"
        _failed(event, BotError(what, next_step="report it with what the run's log says"), outside)
        raise


def _on_change(event: PullRequestEvent | DispatchEvent, outside: Outside) -> Answer:
    """A pull request changed, or a person started the workflow for one: plan what is due."""
    repository = outside.kit.repository
    pull_request = repository.pull_request(event.number)
    rules = read_rules(repository, default_branch=event.default_branch, base=pull_request.base.name)
    own_commit = isinstance(event, PullRequestEvent) and _is_own(event, pull_request, outside)
    leave = authority.may_dry_run(event, _circumstances(pull_request, rules, outside), own_commit=own_commit)
    if isinstance(leave, Refusal) and leave.silent:
        return _ignored(leave.reason, leave.detail)
    changed = tuple(repository.changed_paths(event.number))
    if isinstance(event, PullRequestEvent):
        assignments: Assigned = due(rules.config, action=event.action, changed=changed)
    else:
        assignments = asked_for(rules.config, command.Plan(text=event.task or ""))
    is_about_rules = CONFIG_PATH in changed
    if not assignments and not is_about_rules:
        return _ignored(Reason.NO_TASK, "no task is due on this event of this pull request")
    conversation = listen(repository, event.number, redact=outside.kit.redact, log=outside.kit.log)
    if conversation.is_answered(outside.kit.occasion, tasks=_names(assignments)):
        return _ignored(Reason.ALREADY_ANSWERED, "this run was answered by an earlier attempt")
    if isinstance(leave, Refusal):
        return refused(leave, reply_of(rules, outside.kit), conversation)
    situation = Situation(pull_request=pull_request, rules=rules, changed_paths=changed)
    visit = Visit(situation=situation, conversation=conversation, outside=outside)
    told = _consequences(leave, visit, has_tasks=bool(assignments)) if is_about_rules else None
    if not assignments:
        return told or _ignored(Reason.NO_TASK, "no task is due, and no policy, prompt or model is changed")
    return visit.plan(leave, assignments)


def _consequences(leave: MayDryRun, visit: Visit, *, has_tasks: bool) -> Answer | None:
    """Of changed rules. Where a plan is due as well, not being able to tell them must not keep it."""
    try:
        return visit.consequences(leave)
    except BotError as error:
        if not has_tasks:
            raise
        return visit.tell(error)


def _on_comment(event: CommentEvent, outside: Outside) -> Answer:
    """Somebody wrote what looks like a command: one reply if they may use the bot, and none if not."""
    repository = outside.kit.repository
    pull_request = repository.pull_request(event.number) if event.is_pull_request else None
    base = pull_request.base.name if pull_request else None
    rules = read_rules(repository, default_branch=event.default_branch, base=base)
    asked = command.read_command(event.body, prefix=rules.config.command_prefix)
    if isinstance(asked, command.NotForUs):
        return _ignored(Reason.NOT_FOR_US, "the comment is not a command here")
    leave = _leave(event, asked, _circumstances(pull_request, rules, outside))
    if isinstance(leave, Refusal) and leave.silent:
        return _ignored(leave.reason, leave.detail)
    conversation = listen(repository, event.number, redact=outside.kit.redact, log=outside.kit.log)
    assignments = asked_for(rules.config, asked) if isinstance(asked, command.Plan) else ()
    if conversation.is_answered(event.comment_id, tasks=_names(assignments)):
        return _ignored(Reason.ALREADY_ANSWERED, "this comment was answered before")
    repository.react(event.comment_id, "eyes")
    if isinstance(leave, Refusal):
        answered = refused(leave, reply_of(rules, outside.kit), conversation)
    else:
        assert pull_request is not None  # noqa: S101 - there is no leave without one
        changed = tuple(repository.changed_paths(event.number)) if isinstance(leave, MayDryRun) else ()
        situation = Situation(pull_request=pull_request, rules=rules, changed_paths=changed)
        visit = Visit(situation=situation, conversation=conversation, outside=outside)
        answered = _obeyed(asked, leave, visit)
    repository.react(event.comment_id, "confused" if answered.decision is Decision.REFUSED else "rocket")
    return answered


def _leave(
    event: CommentEvent, asked: command.Command, now: Circumstances
) -> MayDryRun | MayApply | MayUndo | MayAsk | Refusal:
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


def _obeyed(asked: command.Command, leave: MayDryRun | MayApply | MayUndo | MayAsk, visit: Visit) -> Answer:
    """One walk for each command; the leave says that it may be taken, the command which one."""
    match asked, leave:
        case command.Plan(), MayDryRun():
            return visit.plan(leave, asked_for(visit.situation.rules.config, asked))
        case command.Replay(), MayDryRun():
            return visit.replay(leave)
        case command.Apply(), MayApply():
            return visit.apply(leave)
        case command.Undo(), MayUndo():
            return visit.undo(leave)
        case command.Discard(), MayAsk():
            return visit.discard(leave)
        case command.Explain(number=number), MayAsk():
            return visit.explain(leave, number)
        case command.Help(), MayAsk():
            return visit.help(leave)
        case ((command.Misspelt() | command.Malformed() as unheard), MayAsk()):
            return visit.refuse(_unheard(unheard))
        case _:
            raise TypeError(f"{type(leave).__name__} is not a leave for {type(asked).__name__}")


def _unheard(asked: command.Misspelt | command.Malformed) -> Refusal:
    next_step = "Comment `/help` for what there is, with examples."
    match asked:
        case command.Misspelt(word=word, meant=meant):
            detail = f"There is no command /{word}."
            next_step = f"Did you mean `/{meant}`?" if meant else next_step
        case command.Malformed(why=why):
            detail = why
    return Refusal(reason=Reason.UNKNOWN_COMMAND, detail=detail, next_step=next_step)


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


def _ignored(reason: Reason, detail: str) -> Answer:
    return Answer(decision=Decision.IGNORED, reason=reason, detail=detail)


def _failed(event: Workable, error: BotError, outside: Outside) -> Answer:
    """Told on the pull request to whoever may use the bot. If that fails too, the log has both."""
    url = None
    reply = Reply(answers=outside.kit.occasion, run_url=outside.kit.run_url)
    body = render.error_comment(error, reply).body
    with suppress(BotError):
        if _waits_for_an_answer(event, outside):
            url = _told(event, error, body, outside)
    return Answer(
        decision=Decision.FAILED,
        reason=error.reason,
        detail=f"{error.what.removesuffix('.')}. Next: {error.next_step}",
        exit_code=error.exit_code,
        comment_url=url,
        summary=body,
    )


def _waits_for_an_answer(event: Workable, outside: Outside) -> bool:
    """By the default permission, since the configuration may be what can't be read."""
    repository = outside.kit.repository
    if isinstance(event, PullRequestEvent):
        return not repository.pull_request(event.number).is_from_fork
    person = event.author if isinstance(event, CommentEvent) else event.sender
    standings = [repository.standing(login) for login in {person.login, outside.rerun_by or person.login}]
    return all(it.account.is_person and it.permission.reaches(Permission.WRITE) for it in standings)


def _told(event: Workable, error: BotError, body: str, outside: Outside) -> str | None:
    """One comment: a fault that comes again with every push takes the place of the one before."""
    repository = outside.kit.repository
    conversation = listen(repository, event.number, redact=outside.kit.redact, log=outside.kit.log)
    if isinstance(event, PullRequestEvent):
        for said in conversation.said:
            if said.is_fault and said.marker.state == error.reason:
                return repository.edit_comment(said.comment.id, body).url
    if isinstance(event, CommentEvent):
        repository.react(event.comment_id, "confused")
    occasion = outside.kit.occasion
    if conversation.is_answered(occasion) or conversation.is_claimed(occasion):
        return None
    return conversation.say(body)
