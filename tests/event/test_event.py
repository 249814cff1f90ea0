"""Whole payloads come from the embedded GitHub; those that something is wrong with are bent here."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.demo.github import GitHub
from bot.errors import BadUsage, Reason
from bot.event import CommentEvent, DispatchEvent, Ignored, PullRequestEvent, read_event
from bot.glance import has_slash_line
from bot.pull_request import Account

MAYA = {"login": "maya", "id": 7, "type": "User", "site_admin": False}
ROBOT = {"login": "helpful[bot]", "id": 8, "type": "Bot"}
REPOSITORY = {"full_name": "acme/widgets", "default_branch": "main", "new_key_of_next_year": {}}
COMMENTED: dict[str, Any] = {
    "action": "created",
    "issue": {"number": 12, "pull_request": {"url": "https://api.github.com/x"}, "title": "T"},
    "comment": {"id": 99, "node_id": "IC_99", "body": "/plan", "user": MAYA, "author_association": "OWNER"},
    "repository": REPOSITORY,
    "sender": MAYA,
}
CHANGED: dict[str, Any] = {
    "action": "opened",
    "number": 12,
    "pull_request": {"number": 12, "head": {"sha": "a" * 40, "ref": "topic"}, "draft": True},
    "repository": REPOSITORY,
    "sender": MAYA,
}
DISPATCHED: dict[str, Any] = {"inputs": {"pull-request": "12"}, "repository": REPOSITORY, "sender": MAYA}


def read(name: str, payload: object, **inputs: Any):
    return read_event(json.dumps(payload).encode(), name=name, **inputs)


def bent(payload: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy of `payload` with another value at `a.b.c`."""
    copy = json.loads(json.dumps(payload))
    *folders, name = path.split(".")
    where = copy
    for folder in folders:
        where = where[folder]
    where[name] = value
    return copy


def test_a_new_comment_by_a_person_is_an_event() -> None:
    assert read("issue_comment", COMMENTED) == CommentEvent(
        number=12,
        comment_id=99,
        node_id="IC_99",
        body="/plan",
        author=Account(login="maya", id=7, is_person=True),
        is_pull_request=True,
        repository="acme/widgets",
    )


def test_a_comment_on_an_issue_says_so() -> None:
    payload = bent(COMMENTED, "issue", {"number": 3})
    event = read("issue_comment", payload)
    assert isinstance(event, CommentEvent)
    assert not event.is_pull_request


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "ready_for_review"])
def test_a_changed_pull_request_is_an_event(name: str, action: str) -> None:
    event = read(name, bent(CHANGED, "action", action))
    assert isinstance(event, PullRequestEvent)
    assert (event.number, event.action, event.head_sha) == (12, action, "a" * 40)


IGNORED = {
    "an edited comment": ("issue_comment", bent(COMMENTED, "action", "edited"), Reason.NOT_FOR_US),
    "a deleted comment": ("issue_comment", bent(COMMENTED, "action", "deleted"), Reason.NOT_FOR_US),
    "a comment without an action": ("issue_comment", {"comment": {}}, Reason.NOT_FOR_US),
    "a comment with an odd action": (
        "issue_comment",
        bent(COMMENTED, "action", ["created"]),
        Reason.NOT_FOR_US,
    ),
    "praise": ("issue_comment", bent(COMMENTED, "comment.body", "Well done!"), Reason.NOT_FOR_US),
    "a comment without a body": ("issue_comment", bent(COMMENTED, "comment.body", None), Reason.NOT_FOR_US),
    "a bot's command": ("issue_comment", bent(COMMENTED, "comment.user", ROBOT), Reason.NOT_A_PERSON),
    "a bot's doing": ("issue_comment", bent(COMMENTED, "sender", ROBOT), Reason.NOT_A_PERSON),
    "a deleted account's command": (
        "issue_comment",
        bent(COMMENTED, "comment.user", None),
        Reason.NOT_A_PERSON,
    ),
    "a person called like a bot": (
        "issue_comment",
        bent(COMMENTED, "comment.user", ROBOT | {"login": "maya"}),
        Reason.NOT_A_PERSON,
    ),
    "a closed pull request": ("pull_request", bent(CHANGED, "action", "closed"), Reason.NOT_FOR_US),
    "a label": ("pull_request_target", bent(CHANGED, "action", "labeled"), Reason.NOT_FOR_US),
    "a push": ("push", {"ref": "refs/heads/main"}, Reason.NOT_FOR_US),
    "a review comment": ("pull_request_review_comment", COMMENTED, Reason.NOT_FOR_US),
    "no event at all": ("", {}, Reason.NOT_FOR_US),
}


@pytest.mark.parametrize(("name", "payload", "reason"), IGNORED.values(), ids=IGNORED)
def test_everything_else_is_ignored_with_a_reason(name: str, payload: object, reason: Reason) -> None:
    event = read(name, payload)
    assert isinstance(event, Ignored)
    assert event.reason is reason


def test_a_login_that_ends_like_a_bots_proves_nothing() -> None:
    event = read("issue_comment", bent(COMMENTED, "comment.user", MAYA | {"login": "maya[bot]"}))
    assert isinstance(event, CommentEvent)


BROKEN = {
    "not JSON": b"{",
    "not UTF-8": b'{"action": "\xff\xfe"}',
    "a list": b"[]",
    "nothing": b"",
    "nested too deep": b"[" * 100_000,
    "a number of ten thousand digits": b"1" * 10_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_bytes_that_are_no_payload_are_bad_usage(text: bytes) -> None:
    with pytest.raises(BadUsage, match="GITHUB_EVENT_PATH"):
        read_event(text, name="issue_comment")


BENT = {
    "a number as text": ("issue_comment", bent(COMMENTED, "issue.number", "12")),
    "a number below one": ("issue_comment", bent(COMMENTED, "issue.number", 0)),
    "a number beyond every database": ("issue_comment", bent(COMMENTED, "comment.id", 2**70)),
    "a number that is true": ("issue_comment", bent(COMMENTED, "issue.number", value=True)),
    "a body that is a list": ("issue_comment", bent(COMMENTED, "comment.body", ["/plan"])),
    "a repository with a path": ("issue_comment", bent(COMMENTED, "repository.full_name", "a/b/../c")),
    "an account that is a login": ("issue_comment", bent(COMMENTED, "comment.user", "maya")),
    "no comment": ("issue_comment", bent(COMMENTED, "comment", None) | {"comment": {"body": "/plan"}}),
    "a head that is a branch": ("pull_request", bent(CHANGED, "pull_request.head.sha", "main")),
    "no sender": ("pull_request", bent(CHANGED, "sender", None)),
    "inputs that are a list": ("workflow_dispatch", bent(DISPATCHED, "inputs", [12])),
}


@pytest.mark.parametrize(("name", "payload"), BENT.values(), ids=BENT)
def test_a_payload_of_the_wrong_shape_is_bad_usage_and_says_where(name: str, payload: object) -> None:
    with pytest.raises(BadUsage, match=r"can't be read: \w+"):
        read(name, payload)


DISPATCHES = {
    "the number in the form": (DISPATCHED, {}, (12, None)),
    "a number with a hash": (bent(DISPATCHED, "inputs", {"pull-request": " #12 "}), {}, (12, None)),
    "a number named with an underscore": (bent(DISPATCHED, "inputs", {"pull_request": 12}), {}, (12, None)),
    "a task in the form": (
        bent(DISPATCHED, "inputs", {"pull-request": "12", "task": " tidy-docs "}),
        {},
        (12, "tidy-docs"),
    ),
    "the action's own inputs": (bent(DISPATCHED, "inputs", None), {"number": 5, "task": "t"}, (5, "t")),
    "the action's inputs go first": (DISPATCHED, {"number": 5, "task": None}, (5, None)),
}


@pytest.mark.parametrize(("payload", "inputs", "expected"), DISPATCHES.values(), ids=DISPATCHES)
def test_a_run_by_hand_names_pull_request_and_task(payload, inputs, expected) -> None:
    event = read("workflow_dispatch", payload, **inputs)
    assert isinstance(event, DispatchEvent)
    assert (event.number, event.task) == expected


@pytest.mark.parametrize("number", ["", "-1", "0", "12; rm -rf /", "1e3", "\u0661\u0662", None, False])
def test_a_run_by_hand_without_a_number_says_what_to_type(number: object) -> None:
    with pytest.raises(BadUsage) as caught:
        read("workflow_dispatch", bent(DISPATCHED, "inputs", {"pull-request": number}))
    assert "pull-request" in caught.value.next_step


SLASH_LINES = {
    "/plan": True,
    "words\n/plan": True,
    "words\r/plan": True,
    "  \u00a0\ufeff/plan": True,
    "\u00a0<!-- x -->/plan": True,
    "": False,
    "see /plan": False,
    "a/plan": False,
    "/ plan": False,
    "// a comment": False,
    "/1": False,
    "> /plan": False,
    "`/plan`": False,
    "https://example.org/plan": False,
}


@pytest.mark.parametrize("body", SLASH_LINES)
def test_a_line_that_starts_with_a_slash_is_found(body: str) -> None:
    assert has_slash_line(body) is SLASH_LINES[body]


@pytest.mark.parametrize(
    "body", ["\n" * 65_536, " " * 65_536, "\n " * 32_768, "-->" * 21_000, "\u200b" * 65_536]
)
@pytest.mark.timeout(5)
def test_a_body_made_to_be_slow_is_not_slow(body: str) -> None:
    assert not has_slash_line(body)


def test_a_comment_that_is_not_for_us_imports_nothing_heavy() -> None:
    payload = json.dumps(bent(COMMENTED, "comment.body", "Looks good to me, see /docs."))
    script = (
        "import sys\n"
        "from bot.event import Ignored, read_event\n"
        "assert isinstance(read_event(sys.stdin.buffer.read(), name='issue_comment'), Ignored)\n"
        "heavy = {'pydantic', 'github', 'openai', 'jinja2', 'yaml', 'markdown_it', 'requests'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], input=payload.encode(), capture_output=True, check=True
    )
    assert ran.stdout.decode().strip() == "[]"


def test_what_github_writes_for_a_workflow_is_read(tmp_path: Path) -> None:
    with GitHub(tmp_path) as github:
        repository = github.repository("acme/widgets", {"README.md": "# W\n"})
        head = github.push(repository, "topic", {"a.py": "x\n"}, message="A", by="acme")
        pull = github.open_pull(repository, "topic", by="acme", title="A")
        issue = github.open_issue(repository, by="acme", title="B")
        on_pull = github.comment(repository, pull.number, by="acme", body="/plan")
        on_issue = github.comment(repository, issue.number, by="acme", body="/plan")
        told = [
            github.pull_request_event(repository, pull, "opened"),
            github.comment_event(repository, on_pull),
            github.comment_event(repository, on_issue),
            github.comment_event(repository, on_pull, "edited"),
            github.dispatch_event(repository, {"pull-request": str(pull.number)}, by="acme"),
        ]
        opened, pull_comment, issue_comment, edited, dispatched = (
            read_event(event.write(tmp_path / "event.json").read_bytes(), name=event.name) for event in told
        )
    assert isinstance(opened, PullRequestEvent)
    assert (opened.number, opened.head_sha) == (pull.number, head)
    assert isinstance(pull_comment, CommentEvent)
    assert (pull_comment.comment_id, pull_comment.is_pull_request) == (on_pull.id, True)
    assert isinstance(issue_comment, CommentEvent)
    assert not issue_comment.is_pull_request
    assert isinstance(edited, Ignored)
    assert isinstance(dispatched, DispatchEvent)
    assert dispatched.number == pull.number
