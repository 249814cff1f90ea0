"""Plan, result, refusal, error -> Markdown for a pull request. Pure, and every word of others in it is inert.

Every function returns a `Rendered`: a body to post, and the fault when a bare one had to be taken instead.
"""

from bot.render.annotations import annotations
from bot.render.answers import (
    Claim,
    applied_comment,
    discarded_comment,
    error_comment,
    explain_comment,
    help_comment,
    progress_comment,
    refusal_comment,
    undo_comment,
)
from bot.render.checks import check_title
from bot.render.layout import Rendered, Reply
from bot.render.plan import PlanComment, plan_comment, plan_summary, steps_not_shown

__all__ = [
    "Claim",
    "PlanComment",
    "Rendered",
    "Reply",
    "annotations",
    "applied_comment",
    "check_title",
    "discarded_comment",
    "error_comment",
    "explain_comment",
    "help_comment",
    "plan_comment",
    "plan_summary",
    "progress_comment",
    "refusal_comment",
    "steps_not_shown",
    "undo_comment",
]
