"""What is said of a workflow's events and rights."""

from importlib.resources import files

import pytest

from bot.own_machine.workflow_checkup import workflow_checkup

STARTER = files("bot") / "starter"
USES = "steps: [{uses: dryrun-bot/dryrun-bot@v1}]"
ON = "on: [pull_request_target, issue_comment]\n"
ALL = "contents: write, pull-requests: write, checks: write"


def said(text: str) -> dict[str, tuple[str, str | None]]:
    return {
        check.what: (check.found, check.next_step)
        for check in workflow_checkup(text.encode(), file="bot.yml")
    }


@pytest.mark.parametrize("name", ["workflow.yml", "single-job.yml"])
def test_what_init_writes_is_found_to_be_right(name: str) -> None:
    checks = said((STARTER / name).read_text())
    assert set(checks) == {"Events", "Rights"}
    assert [step for _, step in checks.values()] == [None, None]


EVENTS = {
    "a word": ("on: issue_comment\n", "no pull request starts it"),
    "a list": ("on: [pull_request_target]\n", "no comment starts it"),
    "a mapping": ("on: {pull_request_target: {types: [opened]}}\n", "no comment starts it"),
    "the branch's own file": ("on: [pull_request, issue_comment]\n", "a pull request's own branch"),
    "both kinds": ("on: [pull_request, pull_request_target, issue_comment]\n", "a pull request's own branch"),
    "none": ("name: x\n", "no comment starts it"),
    "a number": ("on: 7\n", "no comment starts it"),
}


@pytest.mark.parametrize(("text", "found"), EVENTS.values(), ids=EVENTS)
def test_events_that_would_not_do_are_told_with_the_next_step(text: str, found: str) -> None:
    what, step = said(text)["Events"]
    assert found in what
    assert step


RIGHTS = {
    "enough": (f"{ON}jobs: {{a: {{permissions: {{{ALL}}}, {USES}}}}}", None),
    "enough for the whole workflow": (f"{ON}permissions: {{{ALL}}}\njobs: {{a: {{{USES}}}}}", None),
    "everything": (f"{ON}permissions: write-all\njobs: {{a: {{{USES}}}}}", None),
    "nothing said": (f"{ON}jobs: {{a: {{{USES}}}}}", "contents: write, pull-requests: write, checks: write"),
    "only reading": (f"{ON}permissions: read-all\njobs: {{a: {{{USES}}}}}", "contents: write"),
    "a job that takes them away": (
        f"{ON}permissions: write-all\njobs: {{a: {{permissions: {{}}, {USES}}}}}",
        "contents: write",
    ),
    "one too few": (
        f"{ON}jobs: {{a: {{permissions: {{contents: write, pull-requests: write}}, {USES}}}}}",
        "a lacks checks: write",
    ),
    "writing where reading would do": (
        (
            f"{ON}permissions: write-all\n"
            "jobs: {a: {steps: [{uses: dryrun-bot/dryrun-bot@v1, with: {phase: plan}}]}}"
        ),
        None,
    ),
    "no job of ours": (f"{ON}jobs: {{a: {{steps: [{{run: dryrun-bot}}]}}}}", "no job has a step"),
    "steps that are none": (f"{ON}jobs: {{a: {{steps: 7}}, b: 7}}", "no job has a step"),
}


@pytest.mark.parametrize(("text", "lacks"), RIGHTS.values(), ids=RIGHTS)
def test_rights_that_are_lacking_are_named_with_their_job(text: str, lacks: str | None) -> None:
    found, step = said(text)["Rights"]
    assert (step is None) is (lacks is None)
    assert (lacks or "enough") in found


def test_phases_that_no_job_does_are_named() -> None:
    text = (STARTER / "workflow.yml").read_text().replace("phase: commit", "phase: report")
    assert said(text)["Jobs"][0] == "there is none for commit"


BROKEN = {
    "no YAML": b"a: [",
    "a key twice": b"on: push\non: push",
    "an anchor": b"&a x: *a",
    "bytes": b"\xff",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_can_not_be_read_is_told_and_nothing_else(text: bytes) -> None:
    (check,) = workflow_checkup(text, file="bot.yml")
    assert check.what == "Workflow"
    assert "bot.yml" in check.found
    assert check.next_step
