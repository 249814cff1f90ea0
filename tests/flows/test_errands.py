"""What a plan does beyond the files: rehearsed by reading, done after the commit, once, and told."""

from typing import Any

import pytest
from journey import FILES, Journey, call
from reaching import CONFIG, EDIT, EVERYTHING, NOTHING, REACHING, effects, prepared, token

from bot import marker
from bot.demo.model import Said, ToolCall


def _opened(journey: Journey, *calls: Any, config: str = CONFIG) -> Any:
    prepared(journey, *calls, config=config)
    journey.opened(token=token(journey))
    return journey.plan()


def _applies(journey: Journey, extra: str = "--approve all") -> Any:
    digest = journey.plan().short_digest
    return journey.says(f"/apply {digest} {extra}".strip(), token=token(journey))


def test_a_dry_run_asks_and_does_nothing(journey: Journey) -> None:
    journey.github.log.clear()
    plan = _opened(journey)
    assert [step.error for step in plan.steps] == [None] * 6
    assert [step.verdict.outcome for step in plan.steps] == ["allow"] * 4 + ["ask"] * 2
    assert effects(journey.repository) == NOTHING
    changing = [
        (exchange.method, exchange.path)
        for exchange in journey.github.log
        if exchange.method != "GET" and not exchange.path.endswith("/graphql")
    ]
    assert all(path.endswith(("/comments", "/check-runs")) for _, path in changing)


def test_an_apply_commits_and_then_does_each_once_and_says_so(journey: Journey) -> None:
    plan = _opened(journey)
    before = journey.head
    ended = _applies(journey)
    assert ended.reason == "applied"
    assert journey.head != before
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    assert effects(journey.repository) == EVERYTHING
    [answer] = [one.body for one in journey.bot_comments if "kind=answer" in one.body]
    found = marker.read(answer)
    assert found is not None
    assert (found.state, found.digest) == ("applied", plan.digest)
    assert found.errands == "2.done.3.done.4.done.5.done.6.done"
    assert answer.count("✅&nbsp;done") == 5
    assert "start it again" not in answer
    [dispatched] = journey.repository.dispatches
    assert (dispatched.workflow, dispatched.ref, dispatched.inputs) == ("release.yml", "main", {"tag": "v1"})


def test_what_the_agent_wrote_is_posted_inert(journey: Journey) -> None:
    _opened(journey)
    _applies(journey)
    [posted] = [one.body for one in journey.bot_comments if "dryrun-bot-step/1" in one.body]
    assert "`@mona`" in posted
    assert "fixes `#1`" in posted
    assert "\n/apply" not in posted
    assert "> `/apply`" in posted or "> /apply" in posted


def test_each_is_noted_before_it_is_tried(journey: Journey) -> None:
    """By the order in which GitHub heard of it."""
    _opened(journey)
    journey.github.log.clear()
    _applies(journey)
    heard = []
    for exchange in journey.github.log:
        body = exchange.body if isinstance(exchange.body, dict) else {}
        found = marker.read(str(body.get("body", "")))
        if found is not None and found.errands is not None:
            heard.append(found.errands)
        elif exchange.method == "POST" and exchange.path.endswith(
            ("/labels", "/requested_reviewers", "/dispatches")
        ):
            heard.append(exchange.path.rpartition("/")[2])
    assert heard == [
        "2.waiting.3.waiting.4.waiting.5.waiting.6.waiting",
        "2.tried.3.waiting.4.waiting.5.waiting.6.waiting",
        "labels",
        "2.done.3.tried.4.waiting.5.waiting.6.waiting",
        "2.done.3.done.4.tried.5.waiting.6.waiting",
        "requested_reviewers",
        "2.done.3.done.4.done.5.tried.6.waiting",
        "2.done.3.done.4.done.5.done.6.tried",
        "dispatches",
        "2.done.3.done.4.done.5.done.6.done",
    ]


def test_without_a_word_of_the_policy_none_is_allowed_and_the_model_is_not_even_told_of_them(
    journey: Journey,
) -> None:
    plan = _opened(journey, config=str(FILES[".github/dryrun-bot.yml"]))
    assert [step.verdict.outcome for step in plan.steps] == ["allow"] + ["deny"] * 5
    offered = {tool["function"]["name"] for tool in journey.model.asked[0].body["tools"]}
    assert not offered & {call.tool for call in REACHING}
    assert "http_request" not in offered
    assert _applies(journey).reason == "applied"
    assert effects(journey.repository) == NOTHING


def test_a_plan_that_only_reaches_out_has_no_commit_and_is_used_up_once(journey: Journey) -> None:
    _opened(journey, *REACHING)
    before = journey.head
    ended = _applies(journey)
    assert (ended.reason, ended.outputs.get("commit-sha")) == ("applied", None)
    assert journey.head == before
    assert effects(journey.repository) == EVERYTHING
    assert "changes no file, so there is no commit" in ended.summary
    assert _applies(journey).reason == "plan-used"
    assert effects(journey.repository) == EVERYTHING


def test_steps_that_ask_must_be_named_or_nothing_at_all_is_done(journey: Journey) -> None:
    _opened(journey)
    before = journey.head
    assert _applies(journey, "").reason == "steps-not-approved"
    assert (journey.head, effects(journey.repository)) == (before, NOTHING)
    assert _applies(journey, "--approve 5,6").reason == "applied"
    assert effects(journey.repository) == EVERYTHING


def test_a_second_apply_repeats_nothing(journey: Journey) -> None:
    _opened(journey)
    _applies(journey)
    assert _applies(journey).reason == "already-applied"
    assert effects(journey.repository) == EVERYTHING
    newest = journey.bot_comments[-1].body
    assert newest.count("✅&nbsp;done") == 5
    found = marker.read(newest)
    assert found is not None
    assert found.errands is None


FAILING: dict[str, tuple[ToolCall, str]] = {
    "a label that nobody made": (call("add_labels", labels=["typo", "nope"]), "there is no label 'nope'"),
    "a stranger": (call("request_reviewers", reviewers=["stranger"]), "is no collaborator"),
    "the author": (call("request_reviewers", reviewers=["mona"]), "nobody reviews their own pull request"),
    "a blank comment": (call("comment_on_pr", body=" \n"), "the comment is blank"),
    "a blank title": (call("create_issue", title=" "), "the title is blank"),
    "an issue with a label that nobody made": (
        call("create_issue", title="T", labels=["nope"]),
        "there is no label 'nope'",
    ),
    "a workflow that is not there": (
        call("dispatch_workflow", workflow="nope.yml"),
        "there is no workflow nope.yml",
    ),
    "an input that it does not know": (
        call("dispatch_workflow", workflow="release.yml", inputs={"tag": "v1", "x": "y"}),
        "knows no input 'x'",
    ),
    "an input that it needs": (call("dispatch_workflow", workflow="release.yml"), "needs the input 'tag'"),
}
INVALID: dict[str, tuple[ToolCall, str]] = {
    "a title that is too long": (call("create_issue", title="x" * 257), "at most 256 characters"),
    "a comment that is too long": (call("comment_on_pr", body="x" * 12_001), "at most 12000 characters"),
    "no label": (call("add_labels", labels=[]), "at least 1 item"),
    "a login with an at": (call("request_reviewers", reviewers=["@lee"]), "should match pattern"),
    "a workflow elsewhere": (
        call("dispatch_workflow", workflow="../../x.yml"),
        "should match pattern",
    ),
    "a branch of one's own": (
        call("dispatch_workflow", workflow="release.yml", ref="topic"),
        "Extra inputs are not permitted",
    ),
}


@pytest.mark.parametrize(("proposed", "why"), FAILING.values(), ids=FAILING)
def test_what_github_would_refuse_fails_in_the_rehearsal(
    journey: Journey, proposed: ToolCall, why: str
) -> None:
    [step] = _opened(journey, proposed).steps
    assert why in str(step.error)
    assert effects(journey.repository) == NOTHING


@pytest.mark.parametrize(("proposed", "why"), INVALID.values(), ids=INVALID)
def test_what_no_tool_takes_is_denied(journey: Journey, proposed: ToolCall, why: str) -> None:
    [step] = _opened(journey, proposed).steps
    assert step.verdict.outcome == "deny"
    assert why in step.verdict.reason


def test_a_workflow_that_is_turned_off_fails_in_the_rehearsal(journey: Journey) -> None:
    journey.repository.turned_off.add("release.yml")
    [step] = _opened(journey, REACHING[4]).steps
    assert "is turned off" in str(step.error)


def test_issues_that_are_turned_off_fail_in_the_rehearsal(journey: Journey) -> None:
    journey.repository.has_issues = False
    [step] = _opened(journey, REACHING[3]).steps
    assert "issues are turned off" in str(step.error)


def test_what_changed_since_the_plan_makes_it_stale_before_anything_is_done(journey: Journey) -> None:
    _opened(journey)
    before = journey.head
    del journey.repository.labels["typo"]
    assert _applies(journey).reason == "plan-altered"
    assert (journey.head, effects(journey.repository)) == (before, NOTHING)


def test_what_github_refuses_when_it_counts_is_told_and_the_rest_goes_on(journey: Journey) -> None:
    _opened(journey)
    allowed = dict.fromkeys(("checks", "contents", "issues", "pull_requests", "statuses"), "write")
    weak = journey.github.workflow_token(journey.repository, allowed | {"actions": "read"})
    ended = journey.says(f"/apply {journey.plan().short_digest} --approve all", token=weak)
    assert ended.reason == "applied"
    assert effects(journey.repository) == EVERYTHING | {"dispatch_workflow": 0}
    [answer] = [one.body for one in journey.bot_comments if "kind=answer" in one.body]
    assert "6.failed" in answer
    assert "not accessible by integration" in answer


def test_a_made_up_name_is_not_told_to_anybody(journey: Journey) -> None:
    """The second one names the issue that the first one only pretended to open."""
    first = REACHING[3]
    prepared(journey, first)
    journey.opened(token=token(journey))
    name = journey.plan().steps[0].id
    journey.model.script = (
        Said(calls=(first,)),
        Said(calls=(call("comment_on_pr", body=f"Thanks, see {name}."),)),
        Said(text="Done."),
    )
    journey.says("/plan tidy", token=token(journey))
    plan = journey.plan()
    assert [step.conditional_on for step in plan.steps] == [(), (1,)]
    ended = _applies(journey)
    assert ended.reason == "applied"
    assert effects(journey.repository) == NOTHING | {"create_issue": 1}
    assert "it names the made-up result of step 1" in ended.summary


def test_a_command_that_fails_stops_it_all(journey: Journey) -> None:
    _opened(journey, EDIT, call("run_command", command="false"), REACHING[0])
    before = journey.head
    assert _applies(journey).reason == "step-failed"
    assert (journey.head, effects(journey.repository)) == (before, NOTHING)


def test_nobody_may_comment_so_nothing_is_tried(journey: Journey) -> None:
    """What can't be noted is not done."""
    _opened(journey)
    digest = journey.plan().short_digest
    mute = {"contents": "write", "actions": "write", "issues": "read", "pull_requests": "read"}
    weak = journey.github.workflow_token(journey.repository, mute)
    ended = journey.says(f"/apply {digest} --approve all", token=weak)
    assert ended.reason == "applied"
    assert effects(journey.repository) == NOTHING
    assert "the bot may not comment" in ended.summary
