"""A commit's message: our trailers last, and nothing of anybody else's words that a machine would obey."""

from typing import Any

import pytest
from plans import DENY, effect, plan, step

from bot.plan import TaskName
from bot.plan.commit_message import (
    APPROVER_TRAILER,
    COMMAND_TRAILER,
    PLAN_TRAILER,
    UNDO_TRAILER,
    write_message,
    write_undo_message,
)
from bot.pull_request import Commit

EDIT = step(1, effect("a.txt", before="1", after="2"))


def _trailers(message: str, name: str) -> tuple[str, ...]:
    commit = Commit(sha="a" * 40, tree="b" * 40, parents=(), message=message, url="", verified=False)
    return commit.trailers(name)


def test_a_message_says_what_was_done_why_and_who_approved() -> None:
    made = plan(EDIT, summary="One typo.")
    assert write_message(made, "lee") == (
        f"dryrun-bot: tidy (1 file)\n\nOne typo.\n\nDryrun-Plan: {made.digest}\nApproved-by: @lee\n"
    )


def test_only_files_that_were_changed_are_counted_and_each_once() -> None:
    made = plan(
        EDIT,
        step(2, effect("a.txt", before="2", after="3"), effect("b.txt", before=None, after="1")),
        step(3, effect("c.txt", before=None, after="1"), verdict=DENY),
    )
    assert write_message(made, "lee").startswith("dryrun-bot: tidy (2 files)\n")


def test_without_a_summary_there_is_no_empty_paragraph() -> None:
    assert "\n\n\n" not in write_message(plan(EDIT, summary=""), "lee")


HOSTILE: dict[str, dict[str, Any]] = {
    "a closing keyword": {"summary": "fixes #1, closes acme/widgets#2"},
    "a mention": {"summary": "thanks @acme/owners"},
    "a trailer of its own": {"summary": "Done.\n\nDryrun-Plan: " + "0" * 64 + "\nApproved-by: @acme"},
    "a trailer as all of it": {"summary": "Dryrun-Plan: " + "0" * 64},
    "one that looks like an approver": {"summary": "Approved-by: @acme"},
    "a skipped check": {"summary": "Done. [skip ci] [ci skip]"},
    "a co-author": {"summary": "x\n\nCo-authored-by: Acme <a@example.com>"},
    "line ends of all kinds": {"summary": "a\r\nb\x0bc\x0cd\u2028e\u2029f\x85g"},
    "hidden characters": {"summary": "a\N{RIGHT-TO-LEFT OVERRIDE}b\N{ZERO WIDTH SPACE}c"},
    "a very long summary": {"summary": "word " * 5000},
    "a task of many words": {"task": TaskName(name="x\n\nDryrun-Plan: y @acme", prompt_digest="f" * 64)},
}


@pytest.mark.parametrize("changes", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_make_no_trailer_no_mention_and_close_nothing(changes: dict[str, Any]) -> None:
    made = plan(EDIT, **changes)
    message = write_message(made, "lee")
    assert _trailers(message, PLAN_TRAILER) == (made.digest,)
    assert _trailers(message, APPROVER_TRAILER) == ("@lee",)
    assert _trailers(message, "Co-authored-by") == ()
    assert message.replace("@lee", "").count("@a") == 0
    assert "#1" not in message
    assert "[skip ci]" not in message
    assert len(message.split("\n")) == 7
    assert len(message) < 800
    assert message.isprintable() or "\n" in message
    assert not set("\r\x0b\x0c\u2028\u2029\x85\u202e\u200b") & set(message)


def test_taking_back_names_the_commit_the_plan_and_the_command() -> None:
    made = plan(EDIT)
    message = write_undo_message(made, "c" * 40, "lee", command=99)
    assert message.startswith("dryrun-bot: take back tidy\n\nThis reverts commit " + "c" * 40 + ".\n")
    assert _trailers(message, UNDO_TRAILER) == (made.digest,)
    assert _trailers(message, COMMAND_TRAILER) == ("99",)
    assert _trailers(message, APPROVER_TRAILER) == ("@lee",)
    # Else the commit would count as one that applies the plan.
    assert _trailers(message, PLAN_TRAILER) == ()
