"""What came of a command -> the reply on the pull request: applied, refused, failed, undone and so on.

Each carries a marker that names the comment it answers, so that a second run finds it and stays silent.
"""

from typing import Final

from bot import __version__
from bot.errors import BotError, Reason
from bot.gate import Outcome
from bot.marker import Marker, write
from bot.plan import Plan, Step
from bot.pull_request import Commit
from bot.refusal import Refusal
from bot.render.address import safe_address
from bot.render.budget import choose
from bot.render.layout import Rendered, Reply, lay_out
from bot.render.steps import view
from bot.render.titles import TITLES

PLAIN: Final = Reply()


def applied_comment(
    plan: Plan,
    commit: Commit,
    reply: Reply = PLAIN,
    *,
    approved_by: str,
    was_there_before: bool = False,
    left_over: tuple[str, ...] = (),
    starts_checks: bool | None = None,
) -> Rendered:
    """`left_over` are files that commands made and nobody planned; `starts_checks` is None if not known."""
    return lay_out(
        "applied.md.j2",
        language=reply.language,
        marker=_marker(Reason.ALREADY_APPLIED if was_there_before else Reason.APPLIED, reply.answers, plan),
        links=_links(commit.url, reply.run_url),
        title=TITLES[Reason.ALREADY_APPLIED if was_there_before else Reason.APPLIED],
        plan=plan,
        commit=commit,
        commit_url=safe_address(commit.url),
        run_url=safe_address(reply.run_url),
        approved_by=approved_by,
        was_there_before=was_there_before,
        done=[view(step) for step in plan.steps if step.is_performed][:_MOST_STEPS],
        done_count=sum(step.is_performed for step in plan.steps),
        denied=sum(step.verdict.outcome is Outcome.DENY for step in plan.steps),
        failed=sum(
            step.error is not None and step.verdict.outcome is not Outcome.DENY for step in plan.steps
        ),
        left_over=left_over,
        starts_checks=starts_checks,
    )


def refusal_comment(refusal: Refusal, reply: Reply = PLAIN) -> Rendered:
    """What was refused, why, and what to do about it."""
    return _told(refusal.reason, refusal.detail, refusal.next_step, "refused", reply)


def error_comment(error: BotError, reply: Reply = PLAIN) -> Rendered:
    """What could not be done, where, and what to do about it. Nothing has been changed then."""
    return _told(error.reason, error.what, error.next_step, "failed", reply)


def discarded_comment(plan: Plan, reply: Reply = PLAIN, *, discarded_by: str) -> Rendered:
    return lay_out(
        "discarded.md.j2",
        language=reply.language,
        marker=_marker(Reason.DISCARDED, reply.answers, plan),
        title=TITLES[Reason.DISCARDED],
        plan=plan,
        discarded_by=discarded_by,
    )


def undo_comment(
    commit: Commit,
    reply: Reply = PLAIN,
    *,
    undone: str,
    undone_by: str,
) -> Rendered:
    """`undone` is the name of the commit that `commit` takes back."""
    return lay_out(
        "undone.md.j2",
        language=reply.language,
        marker=_marker(Reason.UNDONE, reply.answers, None),
        links=_links(commit.url, reply.run_url),
        title=TITLES[Reason.UNDONE],
        commit=commit,
        commit_url=safe_address(commit.url),
        run_url=safe_address(reply.run_url),
        undone=undone,
        undone_by=undone_by,
    )


def explain_comment(
    plan: Plan,
    step: Step,
    reply: Reply = PLAIN,
    *,
    facts: tuple[tuple[str, str], ...] = (),
) -> Rendered:
    """Everything about one step. `facts` are (name, value) pairs that the verdict was worked out from."""
    return lay_out(
        "explained.md.j2",
        language=reply.language,
        marker=_marker(Reason.EXPLAINED, reply.answers, plan),
        title=TITLES[Reason.EXPLAINED],
        plan=plan,
        step=step,
        fold=next(iter(choose([view(step)]).folds), None),
        seen=view(step),
        facts=facts[:_MOST_FACTS],
    )


def _told(
    reason: Reason,
    what: str,
    next_step: str,
    how: str,
    reply: Reply,
) -> Rendered:
    return lay_out(
        "told.md.j2",
        language=reply.language,
        marker=_marker(reason, reply.answers, None),
        links=_links(reply.run_url),
        title=TITLES[reason],
        how=how,
        what=what,
        next_step=next_step,
        reason=reason.value,
        run_url=safe_address(reply.run_url),
    )


def _marker(reason: Reason, answers: int | None, plan: Plan | None) -> str:
    return write(
        Marker(
            kind="answer",
            task=plan.task.name if plan else "",
            digest=plan.digest if plan else None,
            answers=answers,
            state=reason.value,
            version=__version__,
        )
    )


def _links(*urls: str | None) -> tuple[str, ...]:
    return tuple(url for url in map(safe_address, urls) if url is not None)


_MOST_STEPS: Final = 40
_MOST_FACTS: Final = 60
