"""What came of a command -> the reply on the pull request: applied, refused, failed, undone and so on.

Each carries a marker that names the comment it answers, so that a second run finds it and stays silent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot import __version__
from bot.config import Config
from bot.dataclass import dataclass
from bot.errand import Errand, Progress
from bot.errors import BotError, Reason
from bot.marker import Marker, write
from bot.plan import Plan, Step
from bot.plan.outline import outline_of
from bot.plan.tried import ends_of
from bot.pull_request import Commit
from bot.refusal import Refusal
from bot.render.address import safe_address
from bot.render.budget import choose
from bot.render.layout import Rendered, Reply, lay_out
from bot.render.plan_view import plan_view
from bot.render.sentence import translated
from bot.render.steps import view
from bot.render.titles import TITLES
from bot.verdict import Outcome

PLAIN: Final = Reply()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a result comment's marker says of a plan's errands; `run` is the workflow run that does them."""

    errands: str
    run: int | None
    is_finished: bool


_MOST_OUTPUT: Final = 2_000
_MOST_OUTPUTS: Final = 15
# What is longer is in the artifact alone.
_MOST_PATCH: Final = 40_000


def applied_comment(  # noqa: PLR0913 - all that there is to tell of an apply
    plan: Plan,
    commit: Commit | None,
    reply: Reply = PLAIN,
    *,
    approved_by: str,
    was_there_before: bool = False,
    left_over: tuple[str, ...] = (),
    outputs: Sequence[tuple[int, str]] = (),
    starts_checks: bool | None = None,
    errands: Sequence[Errand] = (),
    claim: Claim | None = None,
) -> Rendered:
    """`left_over` are files that commands made and git ignores; `starts_checks` is None if not known.
    `outputs` are what commands said, by the numbers of their steps.

    `commit` is None where no file was changed. `errands` are the steps after it, and how far each is; `claim`
    is what the comment holds on them.
    """
    reason = Reason.ALREADY_APPLIED if was_there_before else Reason.APPLIED
    later = {errand.step for errand in errands}
    performed = [step for step in plan.steps if step.is_performed and step.number not in later]
    left_out = [step for step in plan.steps if not step.is_performed]
    denied = sum(step.verdict.outcome is Outcome.DENY for step in left_out)
    facts = {
        "plan": plan_view(plan),
        "commit": commit,
        "commit_url": safe_address(commit.url) if commit else None,
        "approved_by": approved_by,
        "was_there_before": was_there_before,
        "done": [view(step) for step in performed[:_MOST_STEPS]],
        "done_count": len(performed),
        "done_in_all": len(performed) + sum(errand.progress is Progress.DONE for errand in errands),
        "denied": denied,
        "failed": len(left_out) - denied,
        "left_over": left_over,
        "outputs": [(number, ends_of(text, most=_MOST_OUTPUT)) for number, text in outputs[:_MOST_OUTPUTS]],
        "starts_checks": starts_checks,
        "errands": [(view(plan.steps[one.step - 1]), one) for one in errands[:_MOST_STEPS]],
        "is_claim": claim is not None and not claim.is_finished,
    }
    url = commit.url if commit else None
    return _reply("applied.md.j2", facts, reply, reason=reason, plan=plan, url=url, claim=claim)


def refusal_comment(refusal: Refusal, reply: Reply = PLAIN) -> Rendered:
    """What was refused, why, and what to do about it."""
    refusal = replace(
        refusal,
        detail=translated(refusal.detail, reply.language),
        next_step=translated(refusal.next_step, reply.language),
    ).as_told(prefix=reply.prefix)
    patch = refusal.patch if len(refusal.patch) <= _MOST_PATCH else ""
    facts = {"sign": "⛔", "what": refusal.detail, "next_step": refusal.next_step, "patch": patch}
    return _reply("told.md.j2", facts, reply, reason=refusal.reason)


def error_comment(error: BotError, reply: Reply = PLAIN) -> Rendered:
    """What could not be done, where, and what to do about it. Nothing has been changed then."""
    reply = replace(reply, language=error.language or reply.language)
    what, next_step = (translated(text, reply.language) for text in (error.what, error.next_step))
    told = Refusal(reason=error.reason, detail=what, next_step=next_step).as_told(prefix=reply.prefix)
    facts = {"sign": "⚠️", "what": what, "next_step": told.next_step, "patch": ""}
    return _reply("told.md.j2", facts, reply, reason=error.reason)


def discarded_comment(plan: Plan, reply: Reply = PLAIN, *, discarded_by: str, others: int = 0) -> Rendered:
    """`plan` is the newest of those that were discarded, `others` how many more there were."""
    facts = {"plan": plan_view(plan), "discarded_by": discarded_by, "others": others}
    return _reply("discarded.md.j2", facts, reply, reason=Reason.DISCARDED, plan=plan)


def undo_comment(commit: Commit, reply: Reply = PLAIN, *, undone: str, undone_by: str) -> Rendered:
    """`undone` is the name of the commit that `commit` takes back."""
    facts = {
        "commit": commit,
        "commit_url": safe_address(commit.url),
        "undone": undone,
        "undone_by": undone_by,
    }
    return _reply("undone.md.j2", facts, reply, reason=Reason.UNDONE, url=commit.url)


def explain_comment(plan: Plan, step: Step, reply: Reply = PLAIN) -> Rendered:
    """Everything about one step."""
    facts = {
        "plan": plan_view(plan),
        "step": view(step),
        "fold": next(iter(choose(outline_of((step,))).folds), None),
    }
    return _reply("explained.md.j2", facts, reply, reason=Reason.EXPLAINED, plan=plan)


def help_comment(config: Config, reply: Reply = PLAIN) -> Rendered:
    """What can be asked here, by whom, and the policy in force, read from the configuration itself."""
    facts = {
        "slash": Reply(prefix=config.command_prefix).slash,
        "tasks": list(config.tasks)[:_MOST_STEPS],
        "ad_hoc": config.ad_hoc_tasks,
        "may_apply": config.apply.permission.value,
        "author_may_apply": config.apply.author_may_apply,
        "defaults": [(name, outcome.value) for name, outcome in config.policy.defaults],
        "limits": config.limits,
        "expires_hours": config.apply.expires_hours,
        "model": config.model.name,
    }
    return _reply("help.md.j2", facts, reply, reason=Reason.EXPLAINED)


def progress_comment(task: str, reply: Reply = PLAIN, *, calls: int, actions: int, seconds: int) -> Rendered:
    """Stands where the plan will stand, while the agent works."""
    place = Marker(
        kind="progress",
        task=task,
        digest=None,
        answers=reply.answers,
        state="working",
        version=__version__,
    )
    return lay_out(
        "progress.md.j2",
        {
            "title": TITLES[Reason.PLANNED],
            "task": task,
            "calls": calls,
            "actions": actions,
            "seconds": seconds,
            "run_url": safe_address(reply.run_url),
        },
        language=reply.language,
        marker=write(place),
        links=_links(reply.run_url),
        redact=reply.redact,
    )


def _reply(
    template: str,
    facts: Mapping[str, object],
    reply: Reply,
    *,
    reason: Reason,
    plan: Plan | None = None,
    url: str | None = None,
    claim: Claim | None = None,
) -> Rendered:
    answer = Marker(
        kind="claim" if claim is not None and not claim.is_finished else "answer",
        task=plan.task.name if plan else "",
        digest=plan.digest if plan else None,
        answers=reply.answers,
        state=reason.value,
        version=__version__,
        errands=claim.errands if claim else None,
        run=claim.run if claim else None,
    )
    own = {
        "title": TITLES[reason],
        "reason": reason.value,
        "run_url": safe_address(reply.run_url),
        "slash": reply.slash,
    }
    links = _links(url, reply.run_url)
    return lay_out(
        template,
        {**own, **facts},
        language=reply.language,
        marker=write(answer),
        links=links,
        redact=reply.redact,
    )


def _links(*urls: str | None) -> tuple[str, ...]:
    return tuple(url for url in map(safe_address, urls) if url is not None)


_MOST_STEPS: Final = 40
