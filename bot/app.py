"""(Event, the outside) -> one Answer: the command, the leave, the right walk.

The only catcher of BotError: what can't be answered is an answer too, and told to whoever waits for one.
"""

from collections.abc import Sequence
from contextlib import suppress

from bot import command
from bot.answer import Answer, Decision
from bot.assignment import asked_for
from bot.authority import MayApply, MayAsk, MayDryRun, MayUndo, could_push
from bot.conversation import listen
from bot.errors import BotError, Reason, foreseen, own_fault
from bot.event import CommentEvent, PullRequestEvent
from bot.kit import Outside
from bot.permission import Permission
from bot.refusal import Refusal
from bot.render import answers
from bot.render.layout import Reply
from bot.visit import Visit, ahead, refused, reply_of
from bot.visit.hearing import Heard, Leave, Unheard, Workable, hear
from bot.world import Reacted, Reaction


def answer(event: Workable, outside: Outside) -> Answer:
    """Never raises BotError. A fault of our own is told too, and then left to the front door."""
    if outside.phase.after is not None:
        return ahead.make(event, outside)
    tasks: tuple[str, ...] = ()
    kit = outside.kit
    reply = Reply(answers=kit.occasion, run_url=kit.run_url, redact=kit.redact)
    try:
        heard = hear(event, outside)
        if isinstance(heard, Unheard):
            return Answer(decision=Decision.IGNORED, reason=heard.reason, detail=heard.detail)
        tasks, reply = heard.tasks, reply_of(heard.rules, outside.kit)
        try:
            if isinstance(event, CommentEvent):
                return _on_comment(event, heard, outside)
            return _on_change(heard, outside)
        finally:
            # What was done before something failed is shown all the same.
            heard.conversation.be_courteous()
    except Exception as error:
        if told := foreseen(error):
            return _failed(event, told, reply, outside, tasks=tasks)
        _failed(event, own_fault(error), reply, outside, tasks=tasks)
        raise


def _on_change(heard: Heard, outside: Outside) -> Answer:
    """A pull request changed, or a person started the workflow for one: plan what is due."""
    leave, assignments = heard.leave, heard.assignments
    if not isinstance(leave, MayDryRun):
        return _refused(heard, outside)
    visit = Visit(situation=heard.situation, conversation=heard.conversation, outside=outside)
    told = _consequences(leave, visit, has_tasks=bool(assignments)) if heard.is_about_rules else None
    if assignments:
        return visit.plan(leave, assignments, is_awaited=not isinstance(heard.event, PullRequestEvent))
    return told or Answer(
        decision=Decision.IGNORED,
        reason=Reason.NO_TASK,
        detail="no task is due, and no policy, prompt or model is changed",
    )


def _consequences(leave: MayDryRun, visit: Visit, *, has_tasks: bool) -> Answer | None:
    """Of changed rules. Where a plan is due as well, not being able to tell them must not keep it."""
    try:
        return visit.consequences(leave)
    except BotError as error:
        if not has_tasks:
            raise
        return visit.tell(error)


def _on_comment(event: CommentEvent, heard: Heard, outside: Outside) -> Answer:
    """One reply for somebody who may use the bot."""
    conversation = heard.conversation
    conversation.be_courteous(Reacted(comment=event.node_id, reaction="eyes"))
    if isinstance(heard.leave, Refusal):
        answered = _refused(heard, outside)
    else:
        visit = Visit(situation=heard.situation, conversation=conversation, outside=outside)
        answered = _obeyed(heard.asked, heard.leave, visit)
    reaction: Reaction = "confused" if answered.decision is Decision.REFUSED else "rocket"
    conversation.be_courteous(Reacted(comment=event.node_id, reaction=reaction))
    return answered


def _refused(heard: Heard, outside: Outside) -> Answer:
    assert isinstance(heard.leave, Refusal)  # noqa: S101 - every other leave opens a walk
    return refused(heard.leave, reply_of(heard.rules, outside.kit), heard.conversation)


def _obeyed(asked: command.Command, leave: Leave, visit: Visit) -> Answer:
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


def _failed(
    event: Workable, error: BotError, reply: Reply, outside: Outside, *, tasks: Sequence[str]
) -> Answer:
    """Told on the pull request to whoever may use the bot. If that fails too, the log has both.

    `tasks` are those that are owed a plan: where one has it, the fault of another is told all the same.
    """
    url = None
    body = answers.error_comment(error, reply).body
    with suppress(BotError):
        if _waits_for_an_answer(event, outside):
            url = _told(event, error, body, outside, tasks=tasks)
    return Answer(
        decision=Decision.FAILED,
        reason=error.reason,
        detail=error.detail,
        exit_code=error.exit_code,
        comment_url=url,
        summary=body,
    )


def _waits_for_an_answer(event: Workable, outside: Outside) -> bool:
    """By the default permission, since the configuration may be what can't be read."""
    repository = outside.kit.repository
    if isinstance(event, PullRequestEvent):
        pull_request = repository.pull_request(event.number)
        return not pull_request.is_from_fork and could_push(pull_request.author, repository.standing)
    person = event.author if isinstance(event, CommentEvent) else event.sender
    standings = [repository.standing(login) for login in {person.login, outside.rerun_by or person.login}]
    return all(it.account.is_person and it.permission.reaches(Permission.WRITE) for it in standings)


def _told(
    event: Workable, error: BotError, body: str, outside: Outside, *, tasks: Sequence[str]
) -> str | None:
    """One comment: a fault that comes again with every push takes the place of the one before."""
    repository = outside.kit.repository
    conversation = listen(repository, event.number, redact=outside.kit.redact, log=outside.kit.log)
    if isinstance(event, PullRequestEvent):
        for said in conversation.said:
            if said.is_fault and said.marker.state == error.reason:
                return repository.edit_comment(said.comment.id, body).url
    if isinstance(event, CommentEvent):
        conversation.be_courteous(Reacted(comment=event.node_id, reaction="confused"))
    occasion = outside.kit.occasion
    if conversation.is_answered(occasion, tasks=tasks) or conversation.is_claimed(occasion):
        return None
    return conversation.say(body)
