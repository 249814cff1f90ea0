"""Plan -> the line beside a commit, in its list of checks."""

from bot.plan import Plan
from bot.render.language import catalogue


def check_title(plan: Plan, *, language: str) -> str:
    """The plan's headline, as plain text."""
    number = len(plan.steps)
    title = catalogue(language).ngettext(
        "Action plan (dry-run): %(num)d planned action",
        "Action plan (dry-run): %(num)d planned actions",
        number,
    )
    return title % {"num": number}
