"""Being unable to answer, as one family of exceptions, and the closed list of reason codes.

A "no" is a value (`refusal.Refusal`); a `BotError` means that there is no answer. Only `app` catches it.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from bot.sentence import Sentence


class Reason(StrEnum):
    """Why a run ended as it did: the action's `reason-code`. Scripts depend on these: add, never rename.

    Documented in docs/reason-codes.md; a test compares the two.
    """

    PLANNED = "planned"
    NOTHING_PLANNED = "nothing-planned"
    APPLIED = "applied"
    ALREADY_APPLIED = "already-applied"
    NOTHING_TO_APPLY = "nothing-to-apply"
    EXPLAINED = "explained"
    DISCARDED = "discarded"
    UNDONE = "undone"
    REPLAYED = "replayed"
    PERFORMED = "performed"

    NOT_FOR_US = "not-for-us"
    OTHER_PHASE = "other-phase"
    ALREADY_ANSWERED = "already-answered"
    NO_TASK = "no-task"
    OWN_COMMIT = "own-commit"
    NOT_PERMITTED = "not-permitted"
    NOT_A_PERSON = "not-a-person"
    NOT_A_PULL_REQUEST = "not-a-pull-request"
    PULL_REQUEST_CLOSED = "pull-request-closed"
    PULL_REQUEST_MERGED = "pull-request-merged"
    PULL_REQUEST_DRAFT = "pull-request-draft"
    FORK = "fork"
    HEAD_GONE = "head-gone"

    UNKNOWN_COMMAND = "unknown-command"
    UNKNOWN_TASK = "unknown-task"
    UNKNOWN_STEP = "unknown-step"
    NO_PLAN = "no-plan"
    NOTHING_TO_REPLAY = "nothing-to-replay"
    AMBIGUOUS_DIGEST = "ambiguous-digest"
    DIGEST_NEEDED = "digest-needed"
    AUTHOR_MAY_NOT_APPLY = "author-may-not-apply"
    STEPS_NOT_APPROVED = "steps-not-approved"
    STALE_HEAD = "stale-head"
    STALE_POLICY = "stale-policy"
    STALE_TOOLS = "stale-tools"
    EXPIRED = "expired"
    PLAN_USED = "plan-used"
    PLAN_DISCARDED = "plan-discarded"
    PLAN_ALTERED = "plan-altered"
    PLAN_UNSIGNED = "plan-unsigned"
    CHAOS_PLAN = "chaos-plan"
    STRICTER_NOW = "stricter-now"
    STEP_FAILED = "step-failed"
    PREDICTION_MISSED = "prediction-missed"
    HEAD_MOVED = "head-moved"
    CANNOT_PUSH = "cannot-push"
    UNDO_CONFLICT = "undo-conflict"

    BAD_CONFIG = "bad-config"
    BAD_USAGE = "bad-usage"
    MODEL_FAILED = "model-failed"
    GITHUB_FAILED = "github-failed"
    COMMENT_FORBIDDEN = "comment-forbidden"
    CHECKOUT_FAILED = "checkout-failed"
    BAD_PLAN = "bad-plan"
    BAD_TRANSCRIPT = "bad-transcript"
    BAD_TOOL = "bad-tool"
    NO_SANDBOX = "no-sandbox"
    PHASE_FAILED = "phase-failed"
    BAD_HANDOVER = "bad-handover"
    MACHINE_FAILED = "machine-failed"
    SECRET_IN_PLAN = "secret-in-plan"  # noqa: S105 - a word for it, not one
    INTERNAL = "internal"


class BotError(Exception):
    """What happened and where, in one sentence for a person, and what to do next.

    Both are templates of the same `parts` (see `Sentence`), so that a page can say them in another language;
    one that is a Sentence already stays as it is. `language` is the reader's, where the error knows better
    than whoever tells it: a configuration that can't be used may still say so much.
    """

    reason = Reason.INTERNAL
    exit_code = 1
    language: str | None = None

    def __init__(self, what: str, /, *, next_step: str, **parts: object) -> None:
        self.what, self.next_step = (
            text if isinstance(text, Sentence) else Sentence(text, **parts) for text in (what, next_step)
        )
        super().__init__(self.what)

    @property
    def detail(self) -> str:
        """All of it on one line, for a log."""
        return f"{self.what.removesuffix('.')}. Next: {self.next_step}"

    def told_in(self, language: str | None) -> Self:
        """The same; where it does not know its reader's language yet, it is this one."""
        self.language = self.language or language
        return self


class BadConfig(BotError):
    """The policy file can't be used. `what` starts with file, line and column."""

    reason = Reason.BAD_CONFIG
    exit_code = 2


class BadUsage(BotError):
    reason = Reason.BAD_USAGE
    exit_code = 2


class BadPlan(BotError):
    """Bytes that claim to be a plan record and are not one, or not a whole one."""

    reason = Reason.BAD_PLAN


class BadTranscript(BotError):
    """Bytes that claim to be the record of a run and are not one, or not a whole one. `what` has the line."""

    reason = Reason.BAD_TRANSCRIPT


class BadTool(BotError):
    """A tool that must not be registered: start-up stops, and the message names it."""

    reason = Reason.BAD_TOOL


class ModelFailed(BotError):
    """`lost` are the tries for it whose answers never came whole, and may have been paid for."""

    reason = Reason.MODEL_FAILED

    def __init__(self, what: str, /, *, next_step: str, lost: int = 0, **parts: object) -> None:
        super().__init__(what, next_step=next_step, **parts)
        self.lost = lost


class GitHubFailed(BotError):
    reason = Reason.GITHUB_FAILED


class GitHubForbade(GitHubFailed):
    """The token may not do it, and will not if it is asked again."""


class CommentForbidden(GitHubFailed):
    """The token may not comment, so the answer has to go to the job summary."""

    reason = Reason.COMMENT_FORBIDDEN


class CannotPush(GitHubFailed):
    """The branch is where it was, and GitHub doesn't let this token move it."""

    reason = Reason.CANNOT_PUSH


class CheckoutFailed(BotError):
    reason = Reason.CHECKOUT_FAILED


class NoSandbox(BotError):
    """Commands can't be confined on this machine, so none is run."""

    reason = Reason.NO_SANDBOX


class PhaseFailed(BotError):
    """The job before this one could not do its part. `reason` is what it told of that, if it did."""

    reason = Reason.PHASE_FAILED

    def __init__(
        self, what: str, /, *, next_step: str, reason: Reason = Reason.PHASE_FAILED, **parts: object
    ) -> None:
        super().__init__(what, next_step=next_step, **parts)
        self.reason = reason
        self.exit_code = 2 if reason in {Reason.BAD_CONFIG, Reason.BAD_USAGE} else 1


class BadHandover(BotError):
    """Bytes that claim to be what an earlier job left, and are not, or are about something else."""

    reason = Reason.BAD_HANDOVER


class SecretInPlan(BotError):
    """One of the job's own secrets got into what would be recorded and shown."""

    reason = Reason.SECRET_IN_PLAN


class MachineFailed(BotError):
    """What this machine has too little of, or doesn't let us have: no fault of ours."""

    reason = Reason.MACHINE_FAILED

    @classmethod
    def of(cls, error: BaseException) -> Self | None:
        """None for every other error."""
        if not isinstance(error, OSError) or error.errno not in _OF_THE_MACHINE:
            return None
        what = (
            Sentence("The machine failed: %(why)s", why=error.strerror)
            if error.filename is None
            else Sentence("%(file)s can't be used: %(why)s", file=error.filename, why=error.strerror)
        )
        return cls(what, next_step="check the permissions and the disk, and start again")


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Of a write that fails, the system doesn't say to which file it was."""
    try:
        yield
    except OSError as error:
        error.filename = str(file)
        raise


class ToolFailed(Exception):
    """A tool could not do it. The message is for the model, and says what would work; the run goes on."""


class OutcomeUnknown(ToolFailed):
    """It was tried for real, and nobody can tell whether it took effect. It must not be tried again."""


# Told, but no answer to what was asked: whoever starts the run again wants it tried again.
FAILURES: Final = frozenset(
    {
        Reason.BAD_CONFIG,
        Reason.BAD_USAGE,
        Reason.BAD_PLAN,
        Reason.BAD_TRANSCRIPT,
        Reason.BAD_TOOL,
        Reason.MODEL_FAILED,
        Reason.GITHUB_FAILED,
        Reason.COMMENT_FORBIDDEN,
        Reason.CHECKOUT_FAILED,
        Reason.NO_SANDBOX,
        Reason.PHASE_FAILED,
        Reason.BAD_HANDOVER,
        Reason.MACHINE_FAILED,
        Reason.SECRET_IN_PLAN,
        Reason.INTERNAL,
    }
)


def foreseen(error: Exception) -> BotError | None:
    """What people are told of it; None for a mistake in this program."""
    return error if isinstance(error, BotError) else MachineFailed.of(error)


def own_fault(bug: Exception) -> BotError:
    """What is told of a mistake in this program: its name alone, enough to tell two of them apart.

    Its words may hold anything, and so stay in the log.
    """
    what = Sentence("The bot met a fault of its own (%(kind)s)", kind=type(bug).__name__)
    return BotError(what, next_step="report it with what the run's log says")


_OF_THE_MACHINE: Final = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EMFILE", "ENFILE", "EIO")
    # Windows has no quota.
    if hasattr(errno, name)
)
