"""The workflows of examples/, run by a workflow engine against a GitHub and a model not written here.

They install the bot from the package index, so they are left out of `make test`: `make action` runs them, and
once more without a network.
"""

from collections.abc import Callable
from typing import Any

import pytest
from act.workflow import KEY, Act

from bot import marker
from bot.plan import Plan, read_plan

pytestmark = [pytest.mark.network, pytest.mark.timeout(900)]
Acts = Callable[..., Act]


def _opened(act: Act) -> dict[str, Any]:
    act.github.push("topic", {"notes.md": "Some notes.\n"}, message="Add notes", new_from="main")
    pull = {"title": "Add notes", "head": "topic", "base": "main"}
    act.github.repo("POST", "/pulls", pull, status=201)
    return act.github.event("pull_request", "opened")


def _said(act: Act, body: str, *, by: str) -> dict[str, Any]:
    """A comment on the pull request, and the event of it."""
    act.github.repo("POST", "/issues/1/comments", {"body": body}, login=by, status=201)
    payload = act.github.event("issue_comment", "created", body=body)
    # emulate leaves this out, by which GitHub tells a pull request from an issue.
    payload["issue"]["pull_request"] = {"url": f"{act.github.url}/repos/maint/widgets/pulls/1"}
    return payload


def _bots(act: Act) -> list[str]:
    return [it["body"] for it in act.github.comments(1) if it["user"]["login"] == "dryrun-bot"]


def _plan(act: Act) -> Plan:
    record = marker.embedded([body for body in _bots(act) if "kind=plan" in body][-1])
    assert record is not None
    return read_plan(record)


WORKFLOWS = {
    "dryrun-bot.yml": ({"plan": "succeeded", "report": "succeeded"}, {"perform", "commit"}),
    "single-job.yml": ({"dryrun-bot": "succeeded"}, {"dryrun-bot"}),
}


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_pull_request_is_planned_applied_by_its_owner_and_left_alone_by_strangers(
    acts: Acts, workflow: str
) -> None:
    act = acts(workflow=workflow)
    planning, committing = WORKFLOWS[workflow]

    ran = act.run("pull_request_target", _opened(act))
    assert (ran.exit_code, ran.jobs) == (0, planning), ran.log[-6000:]
    plan = _plan(act)
    assert [step.description for step in plan.steps] == [
        "edit_file → README.md",
        "run_command → grep -q the README.md",
    ]
    assert len(act.model.asked()) == 3
    assert f"uploaded dryrun-plan-{plan.digest}" in ran.log
    assert KEY not in ran.log

    before = act.github.tip("topic")
    chat = act.run("issue_comment", _said(act, "Looks good to me, see https://example.com/a", by="maint"))
    assert (chat.exit_code, chat.jobs) == (0, {})

    line = f"/apply {plan.short_digest} --approve all"
    strange = act.run("issue_comment", _said(act, line, by="stranger"))
    assert strange.exit_code == 0, strange.log[-6000:]
    assert set(strange.jobs.values()) == {"succeeded"}
    assert "decision=ignored" in strange.log
    assert len(_bots(act)) == 1
    assert act.github.tip("topic") == before

    applied = act.run("issue_comment", _said(act, line, by="maint"))
    assert applied.exit_code == 0, applied.log[-6000:]
    assert committing <= applied.jobs.keys()
    assert set(applied.jobs.values()) == {"succeeded"}
    after = act.github.tip("topic")
    assert act.github.repo("GET", f"/git/commits/{after}")["parents"][0]["sha"] == before
    assert act.github.files("topic")["README.md"] == b"# Sample\n\nthe first line\n"
    assert "Applied: 2 actions" in _bots(act)[-1]
    assert len(act.model.asked()) == 3


def test_a_plan_that_failed_is_told_of_by_the_next_job(acts: Acts) -> None:
    act = acts(turns=[{"error": {"message": "no such key", "type": "invalid"}, "status": 401}])
    ran = act.run("pull_request_target", _opened(act))
    assert ran.jobs == {"plan": "failed", "report": "failed"}, ran.log[-6000:]
    (told,) = _bots(act)
    assert "`model-failed`" in told
    assert KEY not in told
