"""What people ask for beside plan and apply, and how a "no" is told, through the whole bot."""

import pytest
from journey import CONFIG, Journey, call

from bot.demo.github import Fault, error
from bot.demo.model import Said


def _said(journey: Journey) -> str:
    return journey.bot_comments[-1].body


def _configure(journey: Journey, more: str) -> None:
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": CONFIG + more}, message="x", by="acme"
    )


UNHEARD = {
    "a slip of the pen": ("/aply", "There is no command `/aply`.", "Did you mean `/apply`?"),
    "a slip with words": ("/discrad now", "There is no command `/discrad`.", "Did you mean `/discard`?"),
    "an apply by force": ("/apply --force", "`/apply` takes a digest", "`/help`"),
    "a digest that is too short": ("/apply 0123", "12 to 64", "`/help`"),
    "a digest and force": ("/apply 0123456789ab --force", "takes a digest", "`/help`"),
    "approval of nothing": ("/apply --approve", "takes a digest", "`/help`"),
    "approval of words": ("/apply --approve everything", "step numbers", "`/help`"),
    "words too many": ("/discard all", "`/discard` takes no further words", "`/help`"),
    "a step without a number": ("/explain", "takes the number of one step", "`/help`"),
}


@pytest.mark.parametrize(("line", "said", "next_step"), UNHEARD.values(), ids=UNHEARD)
def test_what_is_no_command_is_answered_with_help_and_nothing_is_done(
    journey: Journey, line: str, said: str, next_step: str
) -> None:
    journey.plan_it()
    before, asked = journey.head, len(journey.model.asked)
    ended = journey.says(line)
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (3, "refused", "unknown-command")
    assert said in _said(journey)
    assert next_step in _said(journey)
    assert (journey.head, len(journey.model.asked)) == (before, asked)


@pytest.mark.parametrize("line", ["/aply", "/apply --force", "/replay", "/discard", "/undo"])
def test_a_slip_by_somebody_who_may_not_apply_is_a_word_for_another_bot(journey: Journey, line: str) -> None:
    journey.github.allow(journey.repository, "reader", "read")
    assert journey.says(line, by="reader").reason == "not-permitted"
    assert not journey.bot_comments


def test_help_is_for_everybody_who_may_read_and_shows_what_holds_here(journey: Journey) -> None:
    _configure(journey, "apply: {permission: maintain, expires_hours: 5}\n")
    journey.github.allow(journey.repository, "reader", "read")
    ended = journey.says("/help", by="reader")
    assert (ended.exit_code, ended.reason) == (0, "explained")
    for shown in (
        "/plan tidy",
        "`maintain`",
        "5 hours",
        "40 model calls",
        "scripted-model",
        "| delete | `ask` |",
    ):
        assert shown in _said(journey)
    assert not journey.model.asked


# Discard


def test_a_discard_ends_every_open_plan_and_says_so(journey: Journey) -> None:
    journey.plan_it()
    first = journey.plan().short_digest
    journey.model.script = [Said(calls=(call("delete_file", path="crlf.txt"),)), Said(text="Another.")]
    journey.says("/plan something else")
    second = journey.plan().short_digest
    ended = journey.says("/discard")
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "ignored", "discarded")
    assert f"`lee` discarded plan `{second}`." in _said(journey)
    assert "1 older plan was discarded with it." in _said(journey)
    for digest in (first, second):
        assert journey.says(f"/apply {digest} --approve all").reason == "plan-discarded"


def test_a_discard_ends_a_plan_that_a_newer_one_took_the_place_of(journey: Journey) -> None:
    journey.plan_it()
    first = journey.plan().short_digest
    journey.model.script = [Said(calls=(call("delete_file", path="crlf.txt"),)), Said(text="Another.")]
    journey.says("/plan tidy")
    journey.says("/discard")
    assert journey.says(f"/apply {first}").reason == "plan-discarded"


def test_there_is_nothing_to_discard_without_an_open_plan(journey: Journey) -> None:
    assert journey.says("/discard").reason == "no-plan"
    journey.opened()
    journey.says("/apply")
    assert journey.says("/discard").reason == "no-plan"


def test_a_discard_that_can_not_be_noted_is_not_said_to_be_done(journey: Journey) -> None:
    journey.plan_it()
    journey.github.misbehave(Fault(method="PATCH", times=None, answer=error(403, "No.")))
    ended = journey.says("/discard")
    assert (ended.exit_code, ended.outputs["decision"]) == (1, "failed")
    assert "discarded plan" not in _said(journey)
    journey.github.behave()
    assert journey.says("/apply").reason == "applied"


def test_a_new_plan_of_a_task_takes_the_place_of_the_old_one_and_of_no_other(journey: Journey) -> None:
    journey.plan_it()
    first = journey.bot_comments[-1]
    journey.says("/plan something else")
    other = journey.bot_comments[-1]
    journey.says("/plan tidy")
    assert (first.minimized, other.minimized) == ("OUTDATED", None)
    assert "state=superseded" in first.body
    assert "state=open" in other.body


# Explain


def test_a_step_is_explained_with_all_that_its_verdict_came_from(journey: Journey) -> None:
    journey.model.script = [
        Said(
            calls=(
                call("edit_file", path="README.md", old="teh", new="the", intent="It was misspelt."),
                call("write_file", path=".github/workflows/ci.yml", content="on: push\n"),
            )
        ),
        Said(text="Done."),
    ]
    journey.opened()
    ended = journey.says("/explain 2")
    assert (ended.exit_code, ended.reason) == (0, "explained")
    assert ".github/workflows" in _said(journey)
    assert "deny" in _said(journey)
    journey.says("/explain #1")
    assert "It was misspelt." in _said(journey)
    assert "+the first line" in _said(journey)


NO_STEPS = {
    "one too many": ("/explain 2", "The newest plan has 1 step, so there is no step 2 to explain."),
    "far too many": ("/explain 9999", "no step 9999"),
}


@pytest.mark.parametrize(("line", "said"), NO_STEPS.values(), ids=NO_STEPS)
def test_a_step_that_is_not_there_is_not_explained(journey: Journey, line: str, said: str) -> None:
    journey.plan_it()
    ended = journey.says(line)
    assert (ended.exit_code, ended.reason) == (3, "unknown-step")
    assert said in _said(journey).replace("`", "")


def test_in_a_plan_without_steps_there_is_none_to_explain(journey: Journey) -> None:
    journey.model.script = [Said(text="All is well.")]
    assert journey.opened().reason == "nothing-planned"
    journey.says("/explain 1")
    assert "The newest plan has no steps" in _said(journey)


def test_without_a_plan_there_is_nothing_to_explain(journey: Journey) -> None:
    assert journey.says("/explain 1").reason == "no-plan"


# Apply, beside what tests/flows/test_apply.py shows


def test_the_plans_comment_says_in_its_marker_that_it_was_applied(journey: Journey) -> None:
    journey.plan_it()
    posted = journey.bot_comments[-1]
    journey.says("/apply")
    assert "state=applied" in posted.body


def test_an_apply_stands_when_the_plans_comment_can_not_be_marked(journey: Journey) -> None:
    journey.plan_it()
    before = journey.head
    journey.github.misbehave(Fault(method="PATCH", times=None, answer=error(403, "No.")))
    ended = journey.says("/apply")
    assert (ended.exit_code, ended.reason) == (0, "applied")
    assert journey.head != before
    assert "Applied: 1 action" in _said(journey)


def test_a_refused_apply_names_the_plan_in_its_outputs(journey: Journey) -> None:
    journey.model.script = [Said(calls=(call("delete_file", path="crlf.txt"),)), Said(text="Done.")]
    journey.opened()
    ended = journey.says("/apply")
    assert ended.reason == "steps-not-approved"
    assert ended.outputs["plan-digest"] == journey.plan().digest


def test_an_apply_leaves_a_transcript_of_who_approved_and_what_was_done(journey: Journey) -> None:
    journey.plan_it()
    ended = journey.says("/apply")
    (transcript,) = ended.out.glob("transcript-*.jsonl")
    text = transcript.read_text()
    assert '"approved_by":"lee"' in text
    assert f'"applies":"{journey.plan().digest}"' in text
    assert ended.outputs["transcript-path"] == str(transcript)


def test_the_commit_is_said_to_start_no_checks_where_the_workflows_own_token_pushed(journey: Journey) -> None:
    journey.plan_it()
    journey.says("/apply")
    assert "It starts no workflow" in _said(journey)
