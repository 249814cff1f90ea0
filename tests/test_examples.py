"""The shape of the workflows in examples/: who may do what, what starts a job, and what can't be cut off."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.glance import has_slash_line
from bot.phase import Phase, Turn, turn_of

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "examples").glob("*.yml"))


def _workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load((ROOT / "examples" / name).read_text(), yaml.BaseLoader)
    return loaded


def _ours(job: dict[str, Any]) -> dict[str, str]:
    """What the job gives the action."""
    (step,) = (step for step in job["steps"] if step.get("uses", "").startswith("dryrun-bot/"))
    given: dict[str, str] = step["with"]
    return given


FOUR = _workflow("dryrun-bot.yml")["jobs"]
ONE = _workflow("single-job.yml")["jobs"]


def test_no_job_has_the_models_key_and_the_right_to_write() -> None:
    assert [_ours(job)["phase"] for job in FOUR.values()] == list(FOUR)
    writes = {name for name, job in FOUR.items() if "write" in job["permissions"].values()}
    keys = {name for name, job in FOUR.items() if "openai-api-key" in _ours(job)}
    assert (writes, keys) == ({"report", "commit"}, {"plan"})
    assert [name for name, job in FOUR.items() if job["permissions"].get("contents") == "write"] == ["commit"]
    for job in FOUR.values():
        assert "secrets." not in json.dumps({**job, "steps": []})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_is_permitted_that_no_job_asks_for_and_every_job_ends(file: Path) -> None:
    workflow = _workflow(file.name)
    assert workflow["permissions"] == {}
    assert all("permissions" in job and "timeout-minutes" in job for job in workflow["jobs"].values())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_action_but_our_own_is_pinned_and_no_checkout_keeps_a_token(file: Path) -> None:
    text = file.read_text()
    for used in re.findall(r"uses: (\S+)", text):
        assert used.startswith("dryrun-bot/dryrun-bot@") or re.search(r"@[0-9a-f]{40}$", used), used
    for job in _workflow(file.name)["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                # No `ref` either: what a pull request brings is never checked out.
                assert step["with"] == {"persist-credentials": "false"}


@pytest.mark.parametrize("job", [FOUR["report"], FOUR["commit"], ONE["dryrun-bot"]])
def test_what_writes_waits_its_turn_and_is_never_cancelled(job: dict[str, Any]) -> None:
    assert job["concurrency"] == {
        "group": "dryrun-bot-${{ github.event.pull_request.number || github.event.issue.number }}",
        "cancel-in-progress": "false",
        "queue": "max",
    }


@pytest.mark.parametrize(("first", "second"), [("plan", "report"), ("perform", "commit")])
def test_the_second_job_also_follows_a_first_one_that_failed(first: str, second: str) -> None:
    assert FOUR[second]["needs"] == first
    assert FOUR[second]["if"] == (
        f"always() && needs.{first}.result != 'skipped' && needs.{first}.outputs.next-phase != 'none'"
    )
    assert FOUR[first]["outputs"] == {"next-phase": "${{ steps.dryrun-bot.outputs.next-phase }}"}


COMMANDS = {
    "bare": "/plan",
    "with words": "/plan tidy the docs",
    "in capitals": "/APPLY 0123456789ab",
    "an undo": "/Undo",
    "after a blank line": "\r\n\r\n/apply",
    "after words": "Thanks!\n/help",
    "indented": "   /plan",
    "indented on a later line": "Look:\n  /apply",
    "with a prefix": "/dryrun apply",
    "after a hidden comment": "<!-- x -->/plan",
    "after a hidden comment and a space": "<!-- x --> /apply",
}
CHAT = {
    "words": "Looks good to me.",
    "an address": "See https://example.com/a/b",
    "a path": "The file src/app.py and/or docs",
    "a number": "3/4 of it",
    "a quotation in JSON": 'It says "a\\n" there',
}


def _starts(job: dict[str, Any], body: str, *, user: str = "User", pull_request: object = True) -> bool:
    """What the job's `if` comes to for a comment: GitHub's expression, of the few words that ours have."""
    comment = {"body": body, "user": {"type": user}}
    github = {
        "event_name": "issue_comment",
        "event": {"comment": comment, "issue": {"pull_request": pull_request}},
    }

    def value(path: str) -> Any:
        found: Any = github
        for name in path.split(".")[1:]:
            found = found[name]
        return found

    text = re.sub(r"github(\.\w+)+", lambda it: f"value({it[0]!r})", job["if"])
    text = text.replace("||", " or ").replace("&&", " and ").replace("'\\n/'", "'\\\\n/'")
    words = {
        "value": value,
        "startsWith": lambda text, start: text.lower().startswith(start.lower()),
        "contains": lambda text, part: part.lower() in text.lower(),
        "toJSON": lambda text: json.dumps(text, ensure_ascii=False),
    }
    return bool(eval(text, {"__builtins__": {}}, words))


@pytest.mark.parametrize("body", COMMANDS.values(), ids=COMMANDS)
def test_whatever_may_be_a_command_starts_the_job_that_answers_it(body: str) -> None:
    assert has_slash_line(body)
    assert _starts(ONE["dryrun-bot"], body)
    for name in ("plan", "perform"):
        if turn_of(Phase(name), body) is not Turn.OTHERS:
            assert _starts(FOUR[name], body)


@pytest.mark.parametrize("body", CHAT.values(), ids=CHAT)
def test_chat_starts_no_job(body: str) -> None:
    assert not any(_starts(job, body) for job in (FOUR["plan"], FOUR["perform"], ONE["dryrun-bot"]))


def test_a_plan_starts_no_job_that_performs() -> None:
    assert not _starts(FOUR["perform"], "/plan tidy")
    assert _starts(FOUR["perform"], "/undo")


def test_a_bots_comment_and_one_on_an_issue_start_no_job() -> None:
    for job in (FOUR["plan"], FOUR["perform"], ONE["dryrun-bot"]):
        assert not _starts(job, "/plan", user="Bot")
        assert not _starts(job, "/apply", pull_request=None)


def test_the_same_filter_stands_wherever_one_does() -> None:
    filters = [re.findall(r"\(startsWith.*?'>/'\)\)", job["if"]) for job in (FOUR["plan"], ONE["dryrun-bot"])]
    assert filters[0] == filters[1] != []
    assert filters[0][0] in FOUR["perform"]["if"]
