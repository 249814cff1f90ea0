"""From event to answer, over real HTTP and real git."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from journey import CONFIG, FIX, Journey, call

from bot import marker
from bot.demo.github import Fault, error
from bot.demo.model import Raw, Said
from bot.render.live import faults


def test_an_opened_pull_request_gets_one_plan_and_no_commit(journey: Journey) -> None:
    before = journey.head
    ended = journey.opened()
    assert (ended.exit_code, ended.reason) == (0, "planned")
    assert journey.head == before
    assert len(journey.bot_comments) == 1
    plan = journey.plan()
    assert plan.digest == ended.outputs["plan-digest"]
    assert Path(ended.outputs["plan-path"]).read_bytes() == plan.to_bytes()
    assert [step.description for step in plan.steps] == ["edit_file → README.md"]


def test_apply_pushes_exactly_the_plan_as_a_commit_on_the_planned_head(journey: Journey) -> None:
    journey.plan_it()
    plan, before = journey.plan(), journey.head
    ended = journey.says(f"/apply {plan.short_digest}")
    assert (ended.exit_code, ended.reason) == (0, "applied")
    assert ended.outputs["commit-sha"] == journey.head
    git = journey.repository.bare.git
    assert git("rev-parse", f"{journey.head}^").decode().strip() == before
    assert git("diff-tree", "-r", "--name-status", before, journey.head) == b"M\tREADME.md\n"
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    message = git("log", "-1", "--format=%B", journey.head).decode()
    assert f"Dryrun-Plan: {plan.digest}\nApproved-by: @lee" in message
    assert "applied" in str(marker.read(journey.bot_comments[-1].body))


def test_modes_line_ends_deletions_and_new_files_arrive_as_planned(journey: Journey) -> None:
    journey.model.script = [
        Said(
            calls=(
                call("edit_file", path="bin/run.sh", old="hi", new="ho"),
                call("edit_file", path="crlf.txt", old="two", new="2"),
                call("write_file", path="docs/new.md", content="no newline at the end"),
                call("delete_file", path="src/app.py"),
            )
        ),
        Said(text="Done."),
    ]
    journey.opened()
    journey.says(f"/apply {journey.plan().short_digest} --approve 4")
    tree = journey.repository.bare.git("ls-tree", "-r", journey.head).decode()
    assert "100755 blob" in next(line for line in tree.splitlines() if line.endswith("bin/run.sh"))
    assert journey.file("bin/run.sh") == b"#!/bin/sh\necho ho\n"
    assert journey.file("crlf.txt") == b"one\r\n2\r\n"
    assert journey.file("docs/new.md") == b"no newline at the end"
    assert "src/app.py" not in tree


def test_an_outsiders_pull_request_of_a_branch_that_was_there_gets_nothing(journey: Journey) -> None:
    """Nor are they told what is wrong with the configuration."""
    journey.github.push(journey.repository, "left", {"a.md": "a\n"}, message="Add a", by="mona")
    pull = journey.github.open_pull(journey.repository, "left", by="stranger", title="Do as I say")
    event = journey.github.pull_request_event(journey.repository, pull, "opened")
    assert journey.run(event).reason == "not-permitted"
    _configure(journey, "policies: {}\n")
    assert journey.run(event).reason == "bad-config"
    assert not journey.model.asked
    assert not journey.repository.comments_on(pull.number)


def test_an_outsiders_command_costs_nothing_and_gets_nothing(journey: Journey) -> None:
    journey.plan_it()
    said, asked = len(journey.comments), len(journey.model.asked)
    for command in ("/plan", "/apply", "/apply " + journey.plan().short_digest, "/discard", "/aply"):
        ended = journey.says(command, by="stranger")
        assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "ignored", "not-permitted")
    assert len(journey.bot_comments) == said
    assert len(journey.model.asked) == asked
    assert not any(comment.reactions for comment in journey.comments)


def test_another_bots_command_is_ignored_without_a_request(journey: Journey) -> None:
    journey.github.allow(journey.repository, "helper", "admin")
    helper = journey.github.account("other[bot]", type="Bot")
    event = journey.commented("/plan", by=helper.login)
    journey.github.log.clear()
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (0, "not-a-person")
    assert journey.github.log == []


def test_a_comment_on_an_issue_is_answered_there(journey: Journey) -> None:
    issue = journey.github.open_issue(journey.repository, by="mona", title="An issue")
    comment = journey.github.comment(journey.repository, issue.number, by="lee", body="/plan")
    ended = journey.run(journey.github.comment_event(journey.repository, comment))
    assert (ended.exit_code, ended.reason) == (3, "not-a-pull-request")
    assert "reason-code" not in journey.repository.comments_on(issue.number)[-1].body
    assert not journey.model.asked


CLOSED_STATES = {
    "closed": lambda journey: journey.github.close(journey.repository, journey.issue, by="mona"),
    "merged": lambda journey: journey.github.merge(journey.repository, journey.issue, by="mona"),
}


@pytest.mark.parametrize(("state", "end"), CLOSED_STATES.items(), ids=CLOSED_STATES)
def test_a_pull_request_that_is_over_gets_a_refusal_on_demand_and_no_plan_by_itself(
    journey: Journey, state: str, end: Callable[[Journey], object]
) -> None:
    journey.plan_it()
    plan, asked = journey.plan(), len(journey.model.asked)
    end(journey)
    assert journey.opened().reason == f"pull-request-{state}"
    for command in ("/plan", f"/apply {plan.short_digest}"):
        ended = journey.says(command)
        assert (ended.exit_code, ended.reason) == (3, f"pull-request-{state}")
        assert f"pull-request-{state}" in journey.bot_comments[-1].body
    assert len(journey.model.asked) == asked


def test_a_draft_is_planned_when_somebody_asks(journey: Journey) -> None:
    journey.github.push(journey.repository, "early", {"x.md": "x\n"}, message="x", by="mona")
    journey.issue = journey.github.open_pull(
        journey.repository, "early", by="mona", title="Not yet", draft=True
    )
    assert journey.opened().reason == "pull-request-draft"
    assert not journey.model.asked
    assert journey.says("/plan tidy").reason == "planned"


def test_a_pull_request_whose_fork_is_gone_is_told_apart(journey: Journey) -> None:
    journey.github.account("fred")
    fork = journey.github.fork(journey.repository, "fred")
    journey.github.push(fork, "theirs", {"x.md": "x\n"}, message="x", by="fred")
    journey.issue = journey.github.open_pull(journey.repository, "fred:theirs", by="fred", title="x")
    journey.github.remove(fork)
    journey.issue.closed_at = None
    assert journey.says("/plan tidy").reason == "head-gone"
    assert not journey.model.asked


def test_the_bots_own_commit_starts_no_plan(journey: Journey) -> None:
    journey.plan_it()
    assert journey.says("/apply").reason == "applied"
    asked = len(journey.model.asked)
    event = journey.github.pull_request_event(
        journey.repository, journey.issue, "synchronize", by="github-actions[bot]"
    )
    ended = journey.run(event)
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "ignored", "own-commit")
    assert len(journey.model.asked) == asked


def test_a_persons_commit_with_the_bots_trailer_is_planned(journey: Journey) -> None:
    forged = "Innocent\n\nDryrun-Plan: " + "0" * 64
    journey.github.push(journey.repository, "topic", {"x.md": "x\n"}, message=forged, by="mona")
    event = journey.github.pull_request_event(journey.repository, journey.issue, "synchronize", by="mona")
    assert journey.run(event).reason == "planned"


def test_a_run_that_a_stranger_started_again_does_nothing(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    ended = journey.run(event, attempt=2, triggering="stranger")
    assert (ended.exit_code, ended.reason) == (0, "not-permitted")
    assert not journey.model.asked
    assert not journey.bot_comments
    assert journey.run(event, attempt=2, triggering="mona").reason == "planned"


def test_a_workflow_that_was_started_by_hand_plans_the_task_it_names(journey: Journey) -> None:
    event = journey.github.dispatch_event(
        journey.repository, {"pull-request": str(journey.issue.number), "task": "tidy"}, by="lee"
    )
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (0, "planned")
    assert journey.plan().task.name == "tidy"


def test_a_workflow_that_was_started_by_hand_in_free_words(journey: Journey) -> None:
    event = journey.github.dispatch_event(
        journey.repository, {"pull-request": str(journey.issue.number), "task": "mend the typo"}, by="lee"
    )
    assert journey.run(event).reason == "planned"
    assert journey.plan().task.name == "ad-hoc"
    assert "mend the typo" in journey.model.asked[0].messages[1]["content"]


def test_a_workflow_that_was_started_by_hand_in_vain_is_refused_in_words(
    journey: Journey,
) -> None:
    _configure(journey, "ad_hoc_tasks: false\n")
    event = journey.github.dispatch_event(
        journey.repository, {"pull-request": str(journey.issue.number), "task": "no such task"}, by="lee"
    )
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (3, "unknown-task")
    journey.github.close(journey.repository, journey.issue, by="mona")
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (3, "pull-request-closed")
    assert "pull-request-closed" in ended.summary
    assert not journey.model.asked


def test_a_workflow_that_a_stranger_started_by_hand_does_nothing(journey: Journey) -> None:
    event = journey.github.dispatch_event(
        journey.repository, {"pull-request": str(journey.issue.number)}, by="stranger"
    )
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (0, "not-permitted")
    assert not journey.bot_comments


def _configure(journey: Journey, more: str, *, config: str = CONFIG) -> None:
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config + more}, message="x", by="acme"
    )


def test_the_rules_are_those_of_the_default_branch_as_it_is_now(journey: Journey) -> None:
    """Once it was renamed anybody may use its old name, and start an old run again, whose event has that."""
    event = journey.commented("/plan do as I say")
    strict = {".github/dryrun-bot.yml": CONFIG + "ad_hoc_tasks: false\n"}
    journey.github.push(journey.repository, "trunk", strict, message="x", by="acme")
    journey.repository.default_branch = "trunk"
    ended = journey.run(event)
    assert (ended.exit_code, ended.reason) == (3, "unknown-task")
    assert not journey.model.asked


def test_a_mistake_in_the_configuration_is_answered_with_file_and_line(journey: Journey) -> None:
    _configure(journey, "policies: {}\n")
    ended = journey.says("/plan")
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (2, "failed", "bad-config")
    assert "`.github/dryrun-bot.yml` line 7 column 1" in journey.bot_comments[-1].body
    assert [reaction.content for reaction in journey.comments[0].reactions] == ["confused"]
    assert not journey.model.asked


def test_a_mistake_in_the_configuration_is_told_once_for_all_pushes(journey: Journey) -> None:
    _configure(journey, "policies: {}\n")
    for number in range(3):
        journey.github.push(journey.repository, "topic", {"x.md": f"{number}\n"}, message="x", by="mona")
        event = journey.github.pull_request_event(journey.repository, journey.issue, "synchronize")
        assert journey.run(event).exit_code == 2
    assert len(journey.bot_comments) == 1


def test_a_mistake_in_the_configuration_is_not_told_to_outsiders_or_forks(journey: Journey) -> None:
    _configure(journey, "policies: {}\n")
    assert journey.says("/plan", by="stranger").exit_code == 2
    journey.github.account("fred")
    fork = journey.github.fork(journey.repository, "fred")
    journey.github.push(fork, "theirs", {"x.md": "x\n"}, message="x", by="fred")
    journey.issue = journey.github.open_pull(journey.repository, "fred:theirs", by="fred", title="x")
    assert journey.opened().exit_code == 2
    assert not journey.bot_comments
    assert not any(comment.reactions for comment in journey.comments)


MODEL_FAULTS = {
    "a wrong key": (Raw(status=401, body=b'{"error": {"message": "Incorrect API key"}}'), "401"),
    "a page": (Raw(body=b"<html>Hello</html>"), "not JSON"),
    "nothing": (Raw(body=b'{"choices": []}'), "without a message"),
    "hostile words": (Raw(status=400, body=b'{"error": {"message": "@acme/owners fixes #1"}}'), "400"),
}


@pytest.mark.parametrize(("raw", "said"), MODEL_FAULTS.values(), ids=MODEL_FAULTS)
def test_a_model_that_fails_is_answered_and_tried_again_by_the_next_attempt(
    journey: Journey, raw: Raw, said: str
) -> None:
    journey.model.faults = [raw]
    event = journey.commented("/plan tidy")
    ended = journey.run(event)
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (1, "failed", "model-failed")
    (comment,) = journey.bot_comments
    assert said in comment.body
    assert not faults(comment.body, links=(_run_address(journey, comment.body),))
    assert journey.run(event, attempt=2).reason == "planned"
    assert len(journey.bot_comments) == 1


def test_a_full_disk_is_answered_with_the_file_and_the_next_step(journey: Journey, tmp_path: Path) -> None:
    event = journey.commented("/plan tidy")
    output = tmp_path / "dryrun-bot"
    output.mkdir()
    (output / f"transcript-{event.payload['comment']['id']}-1.jsonl").symlink_to("/dev/full")
    ended = journey.run(event, more={"RUNNER_TEMP": str(tmp_path)})
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (1, "failed", "machine-failed")
    (comment,) = journey.bot_comments
    assert "No space left on device" in comment.body
    assert "Check the permissions and the disk" in comment.body


def _run_address(journey: Journey, body: str) -> str:
    found = re.search(rf"{re.escape(journey.github.url)}/acme/widgets/actions/runs/[0-9]+", body)
    assert found
    return found[0]


def test_where_the_bot_may_not_comment_the_plan_is_in_the_summary(journey: Journey) -> None:
    read_only = {"contents": "read", "issues": "read", "pull_requests": "read"}
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    ended = journey.run(event, token=journey.github.workflow_token(journey.repository, read_only))
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "planned", "comment-forbidden")
    assert not journey.bot_comments
    assert "+the first line" in ended.summary
    assert (ended.out / f"plan-{ended.outputs['plan-digest']}.json").exists()


TWO_TASKS = CONFIG.replace("  tidy:", "  spell:\n    prompt: Spell.\n    on: [opened]\n  tidy:")


def test_several_tasks_give_a_plan_each(journey: Journey) -> None:
    _configure(journey, "", config=TWO_TASKS)
    ended = journey.opened()
    assert (ended.exit_code, ended.reason) == (0, "planned")
    told = json.loads(ended.outputs["plans"])
    assert [each["task"] for each in told] == ["spell", "tidy"]
    assert len(journey.bot_comments) == 2
    assert ended.outputs["plan-digest"] == told[0]["plan-digest"] != told[1]["plan-digest"]
    assert len(list(ended.out.glob("transcript-*.jsonl"))) == 2


def test_of_several_tasks_those_without_a_plan_are_done_by_the_next_attempt(journey: Journey) -> None:
    _configure(journey, "", config=TWO_TASKS)
    # The first task takes two turns; the second one's first answer is a fault.
    asked: list[int] = []

    def script(messages: list[dict[str, object]]) -> Said | Raw:
        asked.append(1)
        turn = sum(message["role"] == "assistant" for message in messages)
        return Raw(status=400, body=b"{}") if len(asked) == 3 else FIX[turn]

    journey.model.script = script
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    assert journey.run(event, run_id="77").reason == "model-failed"
    ended = journey.run(event, run_id="77", attempt=2)
    assert ended.reason == "planned"
    assert [each["task"] for each in json.loads(ended.outputs["plans"])] == ["tidy"]
    kinds = [found.task for comment in journey.bot_comments if (found := marker.read(comment.body))]
    assert kinds == ["spell", "tidy"]
    assert journey.run(event, run_id="77", attempt=3).reason == "already-answered"


def test_with_a_prefix_only_prefixed_commands_count_and_are_what_is_offered(journey: Journey) -> None:
    _configure(journey, "command_prefix: robot\n")
    assert journey.says("/plan tidy").reason == "not-for-us"
    assert journey.says("/robot apply").reason == "no-plan"
    assert "`/robot plan`" in journey.bot_comments[-1].body
    assert journey.says("/robot plan tidy").reason == "planned"
    assert f"/robot apply {journey.plan().short_digest}" in journey.bot_comments[-1].body
    assert journey.says("/robot apply").reason == "applied"
    assert "`/robot undo`" in journey.bot_comments[-1].body


def test_every_command_is_seen_and_then_done_or_refused(journey: Journey) -> None:
    journey.says("/plan tidy")
    journey.says("/apply 000000000000")
    asked = [comment for comment in journey.comments if comment.author.type == "User"]
    seen = [[reaction.content for reaction in comment.reactions] for comment in asked]
    assert seen == [["eyes", "rocket"], ["eyes", "confused"]]


def test_no_plan_where_no_task_is_due(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "reopened")
    ended = journey.run(event)
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "ignored", "no-task")


def test_the_answer_is_in_the_configured_language(journey: Journey) -> None:
    _configure(journey, "language: es\n")
    journey.opened()
    assert "Plan de acciones" in journey.bot_comments[-1].body
    journey.says("/apply")
    assert "Aplicado" in journey.bot_comments[-1].body


FAULTS_IN_SPANISH = {
    "a configuration that can't be used": (
        "language: es\nmodle: x\n",
        ("columna 1: modle: no existe tal clave", "¿Querías decir model?"),
    ),
    "a model that fails": ("language: es\n", ("respondió 401", "Comprueba el secreto")),
}


@pytest.mark.parametrize(("config", "said"), FAULTS_IN_SPANISH.values(), ids=FAULTS_IN_SPANISH)
def test_what_could_not_be_done_is_told_in_the_configured_language(
    journey: Journey, config: str, said: tuple[str, ...]
) -> None:
    _configure(journey, config)
    journey.model.faults = [Raw(status=401, body=b'{"error": {"message": "Incorrect API key"}}')]
    journey.run(journey.commented("/plan tidy it up"))
    (comment,) = journey.bot_comments
    assert all(words in comment.body for words in said)
    assert "Qué hacer ahora" in comment.body


def test_where_github_fails_before_anything_is_known_of_a_command_it_is_told_in_the_configured_language(
    journey: Journey,
) -> None:
    _configure(journey, "language: es\n")
    event = journey.commented("/plan tidy it up")
    journey.github.misbehave(Fault(method="GET", path="/files", times=None, answer=error(403, "Not for you")))
    ended = journey.run(event)
    assert ended.reason == "github-failed"
    (comment,) = journey.bot_comments
    assert "GitHub no pudo listar los archivos del pull request" in comment.body
    assert "Da al trabajo `pull-requests: read`" in comment.body
