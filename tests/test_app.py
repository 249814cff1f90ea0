"""From event to answer, over real HTTP and real git."""

from collections.abc import Callable
from pathlib import Path

import pytest
from journey import Journey, call

from bot import marker
from bot.demo.model import Said


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
    journey.opened()
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


def test_an_outsiders_command_costs_nothing_and_gets_nothing(journey: Journey) -> None:
    journey.opened()
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
    journey.opened()
    plan, asked = journey.plan(), len(journey.model.asked)
    end(journey)
    assert journey.opened().reason == f"pull-request-{state}"
    for command in ("/plan", f"/apply {plan.short_digest}"):
        ended = journey.says(command)
        assert (ended.exit_code, ended.reason) == (3, f"pull-request-{state}")
        assert f"pull-request-{state}" in journey.bot_comments[-1].body
    assert len(journey.model.asked) == asked
