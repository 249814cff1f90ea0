"""What a workflow run sees of the bot: exit code, log, outputs, summary; and what costs nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from journey import Journey, outputs_in

from bot.demo.github import Event, Fault, error
from bot.errors import BadUsage

# Clients and parsers that a comment which is not for the bot must not wait for.
HEAVY = ("github", "requests", "openai", "httpx2", "pydantic", "jinja2", "yaml", "markdown_it", "cmarkgfm")
HEAVY += ("genai_prices", "tree_sitter", "pygit2", "pathspec", "babel", "rich")

_PRINT_MODULES = """
import json, os, sys
from bot.cli.event import respond
code = respond(os.environ)
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def _modules_after(journey: Journey, event: Event) -> tuple[int, set[str]]:
    environ = journey.environment(event) | {"PATH": os.environ["PATH"]}
    ran = subprocess.run(
        [sys.executable, "-c", _PRINT_MODULES],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent.parent,
    )
    code, modules = json.loads(ran.stdout)
    return code, set(modules)


CHEAP = {
    "words": "Looks good to me.",
    "many lines": "Words\n\n> quoted\n\n- a list\n" * 50,
    "a path within a line": "See /etc/passwd, or src/app.py.",
}


@pytest.mark.parametrize("body", CHEAP.values(), ids=CHEAP)
def test_a_comment_that_is_no_command_imports_no_client_and_no_parser(journey: Journey, body: str) -> None:
    journey.github.log.clear()
    code, modules = _modules_after(journey, journey.commented(body))
    assert code == 0
    assert modules.isdisjoint(HEAVY), sorted(modules.intersection(HEAVY))
    assert journey.github.log == []


def test_a_comment_that_looks_like_a_command_to_another_bot_imports_no_client(journey: Journey) -> None:
    """Its Markdown has to be read for that, and nothing more."""
    journey.github.log.clear()
    code, modules = _modules_after(journey, journey.commented("/assign @lee"))
    assert code == 0
    assert modules.isdisjoint({"github", "requests", "openai", "httpx2", "jinja2", "yaml", "cmarkgfm"})
    assert journey.github.log == []


def test_an_event_that_is_none_of_ours_imports_nothing(journey: Journey) -> None:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "closed")
    code, modules = _modules_after(journey, event)
    assert code == 0
    assert modules.isdisjoint(HEAVY)


EVENTS = {
    "an edited comment": lambda journey: _changed(journey, "edited"),
    "a deleted comment": lambda journey: _changed(journey, "deleted"),
    "a closed pull request": lambda journey: journey.github.pull_request_event(
        journey.repository, journey.issue, "closed"
    ),
}


def _changed(journey: Journey, action: str) -> Event:
    comment = journey.github.comment(journey.repository, journey.issue.number, by="lee", body="/plan")
    return journey.github.comment_event(journey.repository, comment, action)


@pytest.mark.parametrize("make", EVENTS.values(), ids=EVENTS)
def test_what_is_not_new_is_ignored(journey: Journey, make: object) -> None:
    ended = journey.run(make(journey))  # type: ignore[operator]
    assert (ended.exit_code, ended.outputs) == (0, {"decision": "ignored", "reason-code": "not-for-us"})
    assert ended.summary == ""
    assert journey.bot_comments == []


def test_the_log_says_in_one_line_how_it_ended(journey: Journey, capsys: pytest.CaptureFixture[str]) -> None:
    journey.opened()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "planned: planned actions: 1, plans: 1 (planned)\n"


def test_hostile_words_in_the_log_are_no_workflow_command(
    journey: Journey, capsys: pytest.CaptureFixture[str]
) -> None:
    config = 'version: 1\n"::set-output name=x::y\\n::error::z": 1\n'
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config}, message="x", by="acme"
    )
    assert journey.opened().reason == "bad-config"
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "::set-output" not in said
    assert "::error" not in said


BROKEN = {
    "no token": ({"GITHUB_TOKEN": ""}, BadUsage, "bad-usage"),
    "no event file": ({"GITHUB_EVENT_PATH": "/no/such/file"}, BadUsage, "bad-usage"),
    "a folder for an event": ({"GITHUB_EVENT_PATH": "/"}, BadUsage, "bad-usage"),
    "no repository": ({"GITHUB_REPOSITORY": "nonsense"}, BadUsage, "bad-usage"),
}


@pytest.mark.parametrize(("more", "raised", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_environment_is_left_to_the_front_door_and_the_outputs_say_so(
    journey: Journey, more: dict[str, str], raised: type[Exception], reason: str
) -> None:
    event = journey.commented("/plan")
    with pytest.raises(raised):
        journey.run(event, more=more)
    output = journey.folder / f"run-{journey.runs}" / "output"
    assert outputs_in(output) == {"decision": "failed", "reason-code": reason}


# No environment can hold it, so nothing looks for it.
UNFORESEEN = {"RUNNER_TEMP": "/tmp/a\0b"}


def test_a_fault_of_our_own_is_told_without_its_words_and_left_to_the_front_door(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    with pytest.raises(ValueError, match="embedded null"):
        journey.run(event, more=UNFORESEEN)
    (comment,) = journey.bot_comments
    assert "`internal`" in comment.body
    assert "embedded null" not in comment.body
    output = journey.folder / f"run-{journey.runs}" / "output"
    assert outputs_in(output) == {"decision": "failed", "reason-code": "internal"}


def test_a_folder_that_can_not_be_made_is_no_fault_of_ours(journey: Journey) -> None:
    blocked = journey.folder / "a-file"
    blocked.write_text("in the way")
    ended = journey.run(journey.commented("/plan tidy"), more={"RUNNER_TEMP": str(blocked)})
    assert (ended.exit_code, ended.reason) == (2, "bad-usage")
    (comment,) = journey.bot_comments
    assert "can't be written: Not a directory" in comment.body


def test_a_run_that_failed_is_done_by_the_next_attempt_in_the_same_comment(journey: Journey) -> None:
    event = journey.commented("/plan tidy")
    with pytest.raises(ValueError, match="embedded null"):
        journey.run(event, more=UNFORESEEN)
    assert journey.run(event, attempt=2).reason == "planned"
    (comment,) = journey.bot_comments
    assert "kind=plan" in comment.body
    assert journey.says("/apply").reason == "applied"


def test_the_summary_of_the_job_says_what_the_comment_says(journey: Journey) -> None:
    ended = journey.opened()
    assert "Action plan (dry-run): 1 planned action" in ended.summary
    assert "+the first line" in ended.summary
    assert "dryrun-bot-record" not in ended.summary
    applied = journey.says("/apply")
    assert "Applied: 1 action" in applied.summary
    refused = journey.says("/apply 000000000000")
    assert "`no-plan`" in refused.summary


def test_an_apply_whose_comment_is_lost_is_applied_all_the_same(journey: Journey) -> None:
    journey.plan_it()
    before = journey.head
    event = journey.commented("/apply")
    journey.github.misbehave(Fault(method="POST", path="/1/comments", times=None, answer=error(422, "No.")))
    ended = journey.run(event)
    journey.github.behave()
    assert (ended.exit_code, ended.reason) == (0, "applied")
    assert journey.head != before
    assert ended.outputs["commit-sha"] == journey.head
    assert "comment-url" not in ended.outputs
    assert "Applied: 1 action" in ended.summary
    again = journey.run(event, attempt=2)
    assert (again.exit_code, again.reason) == (0, "already-applied")
    assert "Nothing has been changed" not in journey.bot_comments[-1].body
