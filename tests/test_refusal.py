"""A "no" as it is told: whole sentences, and commands as they are written here."""

import pytest

from bot.errors import Reason
from bot.refusal import Refusal

TOLD = {
    "a fragment becomes a sentence": ("the pull request is merged", None, "The pull request is merged."),
    "a sentence stays one": ("It expired.", None, "It expired."),
    "a question stays one": ("Did you mean `/apply`?", None, "Did you mean `/apply`?"),
    "code at the end": ("`--approve` takes numbers, or `all`", None, "`--approve` takes numbers, or `all`."),
    "somebody else's lines keep their end": (
        "failed:\n[exit code 1]\nno\n",
        None,
        "Failed:\n[exit code 1]\nno",
    ),
    "a prefix stands before every command": (
        "Comment `/apply 0123 --approve 2`, or `/plan` again.",
        "dryrun",
        "Comment `/dryrun apply 0123 --approve 2`, or `/dryrun plan` again.",
    ),
    "a path is no command": ("Read `/planes/plan` in `/etc`.", "dryrun", "Read `/planes/plan` in `/etc`."),
    "nothing stays nothing": ("", None, ""),
}


@pytest.mark.parametrize(("text", "prefix", "told"), TOLD.values(), ids=TOLD)
def test_a_refusal_is_told(text: str, prefix: str | None, told: str) -> None:
    refusal = Refusal(reason=Reason.NO_PLAN, detail=text, next_step=text, patch="p").as_told(prefix=prefix)
    assert (refusal.detail, refusal.next_step) == (told, told)
    assert (refusal.reason, refusal.patch, refusal.silent) == (Reason.NO_PLAN, "p", False)
