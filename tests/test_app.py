"""From event to answer, over real HTTP and real git."""

from pathlib import Path

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
