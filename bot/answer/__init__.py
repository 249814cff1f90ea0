"""How a run ended: one decision, why, and what came of it. What the action's outputs and exit code say."""

from enum import StrEnum
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import Reason
from bot.phase import Phase
from bot.plan import Plan
from bot.pull_request import Commit


class Decision(StrEnum):
    """The action's `decision` output; scripts depend on these words.

    `ignored` is every run that neither made, nor used, nor refused a plan: an explanation, for instance.
    `performed`: the steps were carried out, and another job commits what came out.
    """

    PLANNED = "planned"
    APPLIED = "applied"
    PERFORMED = "performed"
    REFUSED = "refused"
    IGNORED = "ignored"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`detail` is one line for the log, `summary` the reply in Markdown, for the job's summary.

    Where an event led to several plans, the other fields speak of the first. `next_phase` is the job that has
    something left to do.
    """

    decision: Decision
    reason: Reason
    detail: str
    exit_code: int = 0
    plans: tuple[Plan, ...] = ()
    plan_path: Path | None = None
    transcript_path: Path | None = None
    comment_url: str | None = None
    commit: Commit | None = None
    summary: str = ""
    next_phase: Phase | None = None
