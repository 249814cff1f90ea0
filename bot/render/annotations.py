"""Plan -> workflow commands that put a notice on each denied step's file."""

from typing import Final

from bot.plan import Plan, Step
from bot.verdict import Outcome
from bot.words.sanitise import for_log


def annotations(plan: Plan) -> str:
    """Lines to be printed as they are: the runner obeys them, and only them. GitHub shows ten a step."""
    denied = [step for step in plan.steps if step.verdict.outcome is Outcome.DENY]
    return "".join(_notice(step) for step in denied[:_MOST])


def _notice(step: Step) -> str:
    path = step.arguments.get("path")
    file = f"file={_property(path)}," if isinstance(path, str) and path else ""
    title = _property(f"Step {step.number} denied: {step.verdict.rule}")
    return f"::notice {file}title={title}::{_data(step.verdict.reason)}\n"


def _data(text: str) -> str:
    return for_log(text)[:_MOST_CHARACTERS].replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_MOST: Final = 10
_MOST_CHARACTERS: Final = 1000
