"""A digest -> the plan that was posted under it, or why it can't be taken.

The comment must be the bot's own and edited by nobody else; the record in it, or in the artifact that bears
its digest, must be whole; and the comment must say what the record renders to: that is what was approved.
"""

import re
from collections.abc import Iterator

from bot import __version__, marker
from bot.conversation import Conversation, Said, cleaned
from bot.dataclass import dataclass
from bot.errors import BadPlan, Reason
from bot.kit import Kit
from bot.plan import Plan, read_plan
from bot.plan.signature import is_signed
from bot.refusal import Refusal
from bot.render.plan import plan_comment
from bot.situation.rules import Rules

_FRESH = "Comment `/plan` for a fresh plan."


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """`not_shown` are the steps that the comment could not wholly show."""

    plan: Plan
    said: Said
    not_shown: tuple[int, ...]


def find_posted(
    digest: str | None, conversation: Conversation, *, rules: Rules, kit: Kit
) -> Posted | Refusal:
    """`digest` is the start of one, or None for the only plan there has been on the pull request."""
    said = _chosen(digest, conversation)
    if isinstance(said, Refusal):
        return said
    if said.marker.state == "discarded":
        return _no_plan(Reason.PLAN_DISCARDED, "The plan was discarded on this pull request.")
    if kit.signing_key and not is_signed(str(said.marker.digest), said.marker.signature, kit.signing_key):
        return _no_plan(Reason.PLAN_UNSIGNED, "The plan is not signed with this repository's key.")
    editor = kit.repository.editor(said.comment)
    if editor is not None and editor.id != conversation.me.id:
        return _no_plan(Reason.PLAN_ALTERED, f"The plan's comment was edited by {editor.login}.")
    problem = None
    for record in _records(said, kit):
        try:
            plan = read_plan(record)
        except BadPlan as found:
            # Any workflow may upload something under that name: it must not stand in the right one's way.
            problem = found.what
            continue
        if plan.digest == said.marker.digest:
            return _as_shown(plan, said, was_edited=editor is not None, rules=rules, kit=kit)
    if problem is not None:
        return _no_plan(Reason.PLAN_ALTERED, problem)
    return _no_plan(
        Reason.NO_PLAN, "The plan's record is neither in its comment nor kept as an artifact any more."
    )


def _chosen(digest: str | None, conversation: Conversation) -> Said | Refusal:
    plans = conversation.plans if digest is None else conversation.plans_starting(digest)
    good = [said for said in conversation.plans if said.marker.state not in {"applied", "discarded"}]
    valid = [f"`/apply {str(said.marker.digest)[:12]}`" for said in good[-3:]]
    named = ", ".join(valid)
    next_step = f"Comment {named}, or `/plan` for a fresh plan."
    if not plans:
        detail = "There is no plan on this pull request."
        if digest is not None and conversation.plans:
            detail = f"No plan on this pull request has a digest that starts with {digest}."
        return Refusal(reason=Reason.NO_PLAN, detail=detail, next_step=next_step if valid else _FRESH)
    if len({said.marker.digest for said in plans}) > 1:
        bare = digest is None
        return Refusal(
            reason=Reason.DIGEST_NEEDED if bare else Reason.AMBIGUOUS_DIGEST,
            detail="This pull request has had more than one plan, so the digest must be named."
            if bare
            else f"More than one plan has a digest that starts with {digest}.",
            next_step=next_step if valid else _FRESH,
        )
    return plans[-1]


def _records(said: Said, kit: Kit) -> Iterator[bytes]:
    embedded = marker.embedded(said.comment.body)
    if embedded is not None:
        yield embedded
    else:
        yield from kit.repository.artifacts(f"dryrun-plan-{said.marker.digest}")


def _as_shown(plan: Plan, said: Said, *, was_edited: bool, rules: Rules, kit: Kit) -> Posted | Refusal:
    """Another version may lay out otherwise; then the digest alone holds, and each step is judged again.

    Not if it was edited, by the bot itself: somebody may have changed what it says just before.
    """
    if plan.bot_version != __version__ and was_edited:
        return _no_plan(
            Reason.PLAN_ALTERED,
            f"Version {plan.bot_version} made the plan, and its comment has been edited since: it can't be "
            "told whether it says what its record says.",
        )
    shown = plan_comment(
        plan,
        language=rules.config.language,
        prefix=rules.config.command_prefix,
        template=rules.template,
        run_url=_run_url(said.comment.body, kit),
        answers=said.marker.answers,
        state=said.marker.state,
        signature=said.marker.signature,
        redact=kit.redact,
    )
    body = cleaned(shown.body, kit.redact)
    if plan.bot_version == __version__ and _lines(body) != _lines(said.comment.body):
        return _no_plan(
            Reason.PLAN_ALTERED,
            "The plan's comment does not show what its record says, so it proves nothing.",
        )
    return Posted(plan=plan, said=said, not_shown=shown.not_shown)


def _lines(body: str) -> list[str]:
    """Blanks at a line's end show nothing, and its own end may come back another. All others count: joined to
    the three backticks before it, a line is hidden.
    """
    return [line.rstrip() for line in body.strip().split("\n")]


def _run_url(body: str, kit: Kit) -> str | None:
    """The run that made the plan: another one than this. Only the number can be another's choice."""
    if kit.run_url is None:
        return None
    runs = kit.run_url.rpartition("/")[0]
    found = re.search(re.escape(runs) + r"/[0-9]{1,18}\b", body)
    return found[0] if found else None


def _no_plan(reason: Reason, detail: str) -> Refusal:
    return Refusal(reason=reason, detail=detail, next_step=_FRESH)
