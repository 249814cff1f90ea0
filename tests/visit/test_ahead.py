"""Four jobs do what one does: each with the rights of the example alone, and only the last of two answers."""

import json
from pathlib import Path

import pytest
from journey import CONFIG, FILES, FIX, Journey, call, outputs_in
from phases import applied, job, opened, planned, run

from bot.demo.github import Fault, error
from bot.demo.model import Raw, Said
from bot.handover import read_handover
from bot.plan import read_plan

WRITES = ("POST", "PATCH", "PUT", "DELETE")


def _writes(journey: Journey) -> list[str]:
    """What was asked of GitHub that could change anything; GraphQL's questions are none of it."""
    return [
        f"{exchange.method} {exchange.path}"
        for exchange in journey.github.log
        if exchange.method in WRITES and not exchange.path.endswith("/graphql")
    ]


def test_a_pull_request_is_planned_by_one_job_and_told_by_the_next(journey: Journey) -> None:
    before = journey.head
    journey.github.log.clear()
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    first = job(journey, event, "plan")
    assert (first.exit_code, first.reason, first.outputs["next-phase"]) == (0, "planned", "report")
    assert _writes(journey) == []
    asked = len(journey.model.asked)
    second = job(journey, event, "report", left=first.left)
    assert (second.exit_code, second.reason) == (0, "planned")
    assert "next-phase" not in second.outputs
    assert len(journey.model.asked) == asked
    (comment,) = journey.bot_comments
    assert second.outputs["comment-url"].endswith(f"-{comment.id}")
    assert journey.plan().digest == first.outputs["plan-digest"] == second.outputs["plan-digest"]
    assert read_plan(Path(second.outputs["plan-path"]).read_bytes()) == journey.plan()
    assert journey.head == before


def test_an_approved_plan_is_carried_out_by_one_job_and_pushed_by_the_next(journey: Journey) -> None:
    opened(journey)
    before = journey.head
    event = journey.commented(f"/apply {journey.plan().short_digest}")
    journey.github.log.clear()
    first = job(journey, event, "perform")
    assert (first.exit_code, first.reason, first.outputs["decision"]) == (0, "performed", "performed")
    assert _writes(journey) == []
    assert journey.head == before
    second = job(journey, event, "commit", left=first.left)
    assert (second.exit_code, second.reason) == (0, "applied")
    assert second.outputs["commit-sha"] == journey.head
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    assert "Applied: 1 action" in journey.bot_comments[-1].body


def test_four_jobs_make_the_commit_and_the_comments_that_one_job_makes(journey: Journey) -> None:
    script = (
        Said(
            calls=(
                call("edit_file", path="bin/run.sh", old="hi", new="ho"),
                call("write_file", path="docs/new.md", content="no newline at the end"),
                call("delete_file", path="src/app.py"),
                call("run_command", command="test -e README.md"),
            )
        ),
        Said(text="Done."),
    )
    trees = []
    for _ in range(2):
        journey.model.script = list(script)
        if trees:
            chain = planned(journey, journey.commented("/plan tidy"))
            answer = applied(
                journey, journey.commented(f"/apply {chain.answer.outputs['plan-digest']} --approve all")
            ).answer
        else:
            digest = journey.says("/plan tidy").outputs["plan-digest"]
            answer = journey.says(f"/apply {digest} --approve all")
        assert answer.reason == "applied"
        trees.append(journey.repository.bare.git("rev-parse", f"{journey.head}^{{tree}}"))
        journey.github.push(
            journey.repository, "topic", {**FILES, "docs/new.md": None}, message="Back", by="mona"
        )
    assert trees[0] == trees[1]


SILENT = {
    "a stranger's plan": ("/plan tidy", ("plan", "report")),
    "a stranger's apply": ("/apply", ("perform", "commit")),
    "a stranger's undo": ("/undo", ("perform", "commit")),
    "a stranger's slip": ("/aply", ("plan", "report")),
}


@pytest.mark.parametrize(("body", "phases"), SILENT.values(), ids=SILENT)
def test_a_stranger_is_answered_by_no_job(journey: Journey, body: str, phases: tuple[str, str]) -> None:
    opened(journey)
    said, before = len(journey.bot_comments), journey.head
    event = journey.commented(body, by="stranger")
    chain = run(journey, event, *phases)
    assert chain.answer.outputs["decision"] == "ignored"
    assert (chain.answer.exit_code, len(journey.bot_comments), journey.head) == (0, said, before)
    comment = journey.comments[-1]
    assert comment.reactions == []


EACH = {
    "help": ("/help", "explained"),
    "an explanation": ("/explain 1", "explained"),
    "a slip": ("/aply", "unknown-command"),
    "an apply with unknown words": ("/apply --force", "unknown-command"),
    "a plan of nothing known": ("/plan tidy", "planned"),
    "an apply": ("/apply", "applied"),
    "an apply of nothing": ("/apply 000000000000", "no-plan"),
    "a discard": ("/discard", "discarded"),
    "an undo": ("/undo", "no-plan"),
    "a replay": ("/replay", "nothing-to-replay"),
    "a prefixed apply": ("/dryrun apply", "applied"),
}


@pytest.mark.parametrize(("body", "reason"), EACH.values(), ids=EACH)
def test_whatever_is_asked_one_of_the_four_jobs_answers(journey: Journey, body: str, reason: str) -> None:
    """Both pairs of jobs run for every command, as they may in the example."""
    opened(journey)
    journey.model.script = list(FIX)
    said = len(journey.bot_comments)
    event = journey.commented(body)
    chains = [run(journey, event, *pair) for pair in (("plan", "report"), ("perform", "commit"))]
    answers = [chain.answer for chain in chains if chain.answer.outputs["decision"] != "ignored"]
    told = [chain.answer.reason for chain in chains if chain.second is not None]
    assert told == [reason]
    assert len(answers) <= 1
    assert len(journey.bot_comments) == said + 1


def test_each_job_started_again_adds_nothing(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    first = job(journey, event, "plan")
    assert job(journey, event, "report", left=first.left).reason == "planned"
    assert job(journey, event, "report", left=first.left, attempt=2).reason == "already-answered"
    assert job(journey, event, "plan", attempt=2).outputs["next-phase"] == "none"
    apply = journey.commented("/apply")
    made = job(journey, apply, "perform")
    assert job(journey, apply, "commit", left=made.left).reason == "applied"
    head = journey.head
    assert job(journey, apply, "commit", left=made.left, attempt=2).reason == "already-answered"
    assert job(journey, apply, "perform", attempt=2).outputs["next-phase"] == "none"
    assert (journey.head, len(journey.bot_comments)) == (head, 2)


def test_a_commit_whose_answer_was_lost_is_answered_by_the_next_attempt(journey: Journey) -> None:
    opened(journey)
    event = journey.commented("/apply")
    made = job(journey, event, "perform")
    journey.github.misbehave(Fault(method="POST", path="/1/comments", times=None, answer=error(422, "No.")))
    assert job(journey, event, "commit", left=made.left).reason == "applied"
    journey.github.behave()
    head = journey.head
    assert job(journey, event, "commit", left=made.left, attempt=2).reason == "already-applied"
    assert journey.head == head


def test_a_model_that_fails_is_told_of_by_the_next_job(journey: Journey) -> None:
    journey.model.script = [Raw(status=401, body=b'{"error": {"message": "bad key"}}')]
    chain = planned(journey, journey.commented("/plan tidy"))
    assert (chain.first.exit_code, chain.first.reason) == (1, "model-failed")
    assert (chain.answer.exit_code, chain.answer.reason) == (1, "model-failed")
    (comment,) = journey.bot_comments
    assert "`model-failed`" in comment.body


def test_what_one_job_could_not_do_is_told_by_the_next_in_the_configured_language(journey: Journey) -> None:
    config = {".github/dryrun-bot.yml": f"{CONFIG}language: es\n"}
    journey.github.push(journey.repository, "main", config, message="x", by="acme")
    journey.model.script = [Raw(status=401, body=b'{"error": {"message": "bad key"}}')]
    planned(journey, journey.commented("/plan tidy"))
    (comment,) = journey.bot_comments
    assert "respondió 401: bad key" in comment.body
    assert "Comprueba el secreto `OPENAI_API_KEY`." in comment.body


def test_a_job_that_died_is_told_of_by_the_next_and_another_attempt_takes_its_place(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    told = job(journey, event, "report")
    assert (told.exit_code, told.reason) == (1, "phase-failed")
    assert "ended without a result" in journey.bot_comments[0].body
    again = planned(journey, event, attempt=2)
    assert again.answer.reason == "planned"
    (comment,) = journey.bot_comments
    assert "kind=plan" in comment.body
    apply = journey.commented("/apply")
    assert job(journey, apply, "commit").reason == "phase-failed"
    assert applied(journey, apply, attempt=2).answer.reason == "applied"


def test_a_full_disk_in_the_first_job_is_told_of_by_the_second(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    output = journey.folder / "runner" / "dryrun-bot"
    output.mkdir(parents=True)
    (output / f"transcript-{event.payload['comment']['id']}-1.jsonl").symlink_to("/dev/full")
    made = job(journey, event, "plan", more={"RUNNER_TEMP": str(output.parent)})
    assert (made.exit_code, made.reason) == (1, "machine-failed")
    assert job(journey, event, "report", left=made.left).reason == "machine-failed"
    (comment,) = journey.bot_comments
    assert "No space left on device" in comment.body


def test_a_fault_of_our_own_in_the_first_job_is_told_of_by_the_second(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    blocked = journey.folder / "a-file"
    blocked.write_text("in the way")
    with pytest.raises(OSError, match="a-file"):
        job(journey, event, "plan", more={"RUNNER_TEMP": str(blocked)})
    outputs = outputs_in(journey.folder / f"run-{journey.runs}" / "output")
    assert outputs == {"decision": "failed", "reason-code": "internal"}
    assert job(journey, event, "report").reason == "phase-failed"


def test_a_configuration_that_cannot_be_read_is_told_once(journey: Journey) -> None:
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": "version: 1\nx: 1\n"}, message="x", by="acme"
    )
    for body, pair in (("/plan tidy", ("plan", "report")), ("/apply", ("perform", "commit"))):
        chain = run(journey, journey.commented(body), *pair)
        assert (chain.first.exit_code, chain.answer.exit_code) == (2, 2)
        assert chain.answer.reason == "bad-config"
    assert len(journey.bot_comments) == 2


def test_a_step_that_comes_out_otherwise_is_refused_by_the_job_that_pushes(journey: Journey) -> None:
    journey.model.script = [
        Said(calls=(call("run_command", command="tee README.md"), *FIX[0].calls)),
        Said(text="Done."),
    ]
    opened(journey)
    before = journey.head
    event = journey.commented("/apply --approve all")
    chain = applied(journey, event)
    assert (chain.first.exit_code, chain.first.outputs["decision"]) == (0, "refused")
    assert (chain.answer.exit_code, chain.answer.reason) == (3, chain.first.reason)
    assert chain.answer.reason in {"step-failed", "prediction-missed"}
    assert journey.head == before


def test_a_head_that_moves_between_the_jobs_is_told_to_whoever_asked_and_to_nobody_else(
    journey: Journey,
) -> None:
    def push(_: Path) -> None:
        journey.github.push(journey.repository, "topic", {"more.md": "x"}, message="More", by="mona")

    chain = opened(journey, between=push)
    assert (chain.answer.exit_code, chain.answer.outputs["decision"]) == (0, "ignored")
    assert journey.bot_comments == []
    journey.model.script = list(FIX)
    assert planned(journey, journey.commented("/plan tidy"), between=push).answer.reason == "stale-head"
    journey.model.script = list(FIX)
    planned(journey, journey.commented("/plan tidy"))
    assert applied(journey, journey.commented("/apply"), between=push).answer.reason == "stale-head"


def test_who_lost_the_permission_between_the_jobs_is_not_obeyed(journey: Journey) -> None:
    def leave(_: Path) -> None:
        journey.github.allow(journey.repository, "lee", "read")

    opened(journey)
    before, said = journey.head, len(journey.bot_comments)
    chain = applied(journey, journey.commented("/apply"), between=leave)
    assert chain.first.reason == "performed"
    assert (chain.answer.reason, chain.answer.outputs["decision"]) == ("not-permitted", "ignored")
    assert (journey.head, len(journey.bot_comments)) == (before, said)


def test_what_is_handed_over_is_closed_and_says_what_it_is_about(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    first = job(journey, event, "plan")
    (file,) = first.left.iterdir()
    assert file.name == "plan.json"
    fields = json.loads(file.read_bytes())
    assert fields["schema"] == "dryrun-bot/handover/1"
    handover = read_handover(
        file.read_bytes(),
        phase="plan",
        repository="acme/widgets",
        pull_request=journey.issue.number,
        occasion=fields["occasion"],
    )
    assert [plan.digest for plan in handover.plans] == [first.outputs["plan-digest"]]
