"""Reason -> what an answer with it is called, in one line, for the template to translate."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.errors import Reason


def _(message: str) -> str:
    """Marks a message for the catalogue; the template translates it."""
    return message


TITLES: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.PLANNED: _("A plan was made"),
        Reason.NOTHING_PLANNED: _("The agent planned nothing"),
        Reason.APPLIED: _("The plan was applied"),
        Reason.ALREADY_APPLIED: _("The plan was applied before"),
        Reason.NOTHING_TO_APPLY: _("There is nothing to apply"),
        Reason.EXPLAINED: _("A step was explained"),
        Reason.DISCARDED: _("The plan was discarded"),
        Reason.UNDONE: _("The plan was undone"),
        Reason.REPLAYED: _("Past runs were replayed"),
        Reason.PERFORMED: _("The steps were carried out"),
        Reason.NOT_FOR_US: _("This is not for the bot"),
        Reason.OTHER_PHASE: _("Another job answers this"),
        Reason.ALREADY_ANSWERED: _("This was answered before"),
        Reason.NO_TASK: _("There is no task to run"),
        Reason.OWN_COMMIT: _("This is the bot's own commit"),
        Reason.NOT_PERMITTED: _("You may not do this here"),
        Reason.NOT_A_PERSON: _("Only people may do this"),
        Reason.NOT_A_PULL_REQUEST: _("This is no pull request"),
        Reason.PULL_REQUEST_CLOSED: _("The pull request is closed"),
        Reason.PULL_REQUEST_MERGED: _("The pull request is merged"),
        Reason.PULL_REQUEST_DRAFT: _("The pull request is a draft"),
        Reason.FORK: _("The branch is in a fork"),
        Reason.HEAD_GONE: _("The branch is gone"),
        Reason.UNKNOWN_COMMAND: _("That is no command of mine"),
        Reason.UNKNOWN_TASK: _("There is no such task"),
        Reason.UNKNOWN_STEP: _("There is no such step"),
        Reason.NO_PLAN: _("There is no such plan"),
        Reason.NOTHING_TO_REPLAY: _("There is nothing to replay"),
        Reason.AMBIGUOUS_DIGEST: _("More than one plan is meant"),
        Reason.DIGEST_NEEDED: _("Say which plan"),
        Reason.AUTHOR_MAY_NOT_APPLY: _("Somebody else must apply this"),
        Reason.STEPS_NOT_APPROVED: _("Some steps need to be named"),
        Reason.STALE_HEAD: _("The branch has moved since this plan"),
        Reason.STALE_POLICY: _("The policy has changed since this plan"),
        Reason.STALE_TOOLS: _("The tools have changed since this plan"),
        Reason.EXPIRED: _("The plan is too old"),
        Reason.PLAN_USED: _("The plan was used already"),
        Reason.PLAN_DISCARDED: _("The plan was discarded before"),
        Reason.PLAN_ALTERED: _("The plan can't be trusted"),
        Reason.PLAN_UNSIGNED: _("The plan has no valid signature"),
        Reason.CHAOS_PLAN: _("A chaos run can't be applied"),
        Reason.STRICTER_NOW: _("The policy would be stricter now"),
        Reason.STEP_FAILED: _("A step could not be carried out"),
        Reason.PREDICTION_MISSED: _("The result was not the planned one"),
        Reason.HEAD_MOVED: _("The branch moved in between"),
        Reason.CANNOT_PUSH: _("The commit can't be pushed"),
        Reason.UNDO_CONFLICT: _("The plan can't be undone any more"),
        Reason.BAD_CONFIG: _("The configuration has a mistake"),
        Reason.BAD_USAGE: _("The bot was started wrongly"),
        Reason.MODEL_FAILED: _("The model gave no answer to go on with"),
        Reason.GITHUB_FAILED: _("A request to GitHub failed"),
        Reason.COMMENT_FORBIDDEN: _("The bot may not comment here"),
        Reason.CHECKOUT_FAILED: _("The files could not be read"),
        Reason.BAD_PLAN: _("The plan record can't be read"),
        Reason.BAD_TRANSCRIPT: _("The record of a run can't be read"),
        Reason.BAD_TOOL: _("A tool is not well made"),
        Reason.NO_SANDBOX: _("Commands can't be confined here"),
        Reason.PHASE_FAILED: _("The job before this one failed"),
        Reason.BAD_HANDOVER: _("What the job before this one left can't be used"),
        Reason.MACHINE_FAILED: _("The machine is full, or forbids it"),
        Reason.SECRET_IN_PLAN: _("A secret got into the plan"),
        Reason.INTERNAL: _("The bot has a bug"),
    }
)
