import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from samples import COMMIT, RUN, denied, edit, mixed, plan, step
from snapshots import same_as_golden

from bot import marker
from bot.action import Kind
from bot.config import DEFAULT, ApplyRules, Task, read_config
from bot.errand import Errand, Progress
from bot.errors import BotError, ModelFailed, Reason
from bot.outside.fault import Fault
from bot.outside.fault import Kind as FaultKind
from bot.outside.llm import OpenAiModel
from bot.outside.own_repository import OwnRepository
from bot.outside.rest import Request, github_failed
from bot.plan import Plan
from bot.refusal import Refusal
from bot.render.answers import (
    Claim,
    applied_comment,
    discarded_comment,
    error_comment,
    explain_comment,
    help_comment,
    progress_comment,
    refusal_comment,
    undo_comment,
)
from bot.render.language import LANGUAGES
from bot.render.layout import Rendered, Reply
from bot.sentence import Sentence

CONFIG = DEFAULT.model_copy(
    update={"tasks": {"tidy-docs": Task(prompt="x")}, "apply": ApplyRules(author_may_apply=False)}
)


def reaching() -> Plan:
    """A file, and three steps beyond it."""
    return plan(
        edit(1),
        step(2, "create_issue", {"title": "More typos"}, kind=Kind.EXTERNAL),
        step(3, "add_labels", {"labels": ["typo"]}, kind=Kind.EXTERNAL),
        step(4, "comment_on_pr", {"body": "See dry-1f00ba5e0815 | @maria"}, kind=Kind.EXTERNAL),
    )


def raised(fails: Callable[[], object]) -> BotError:
    with pytest.raises(BotError) as caught:
        fails()
    return caught.value


def ask_nobody() -> None:
    """A port of this machine that nobody listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    model = OpenAiModel(model="m", api_key="k", base_url=f"http://127.0.0.1:{port}/v1", retries=0)
    try:
        model.ask([{"role": "user", "content": "hello"}], tools=[])
    except ModelFailed as failed:
        parts = {**failed.what.parts, "server": "127.0.0.1:8000"}
        raise ModelFailed(Sentence(failed.what.template, **parts), next_step=failed.next_step) from failed


REQUEST = Request(
    what=Sentence("comment on pull request %(number)s", number=7),
    permission="pull-requests: write",
    path="/x",
)
FORBIDDEN = Fault(kind=FaultKind.FORBIDDEN, status=403, message="Resource not accessible by integration")
LAYOUTS = {
    "applied": lambda reply: applied_comment(mixed(), COMMIT, reply, approved_by="maria", starts_checks=True),
    "applied-unsigned": lambda reply: applied_comment(
        plan(edit(1)),
        replace(COMMIT, verified=False),
        reply,
        approved_by="maria",
        left_over=("out.txt", "a b"),
        starts_checks=False,
    ),
    "applied-before": lambda reply: applied_comment(
        mixed(), COMMIT, reply, approved_by="maria", was_there_before=True
    ),
    "applied-claim": lambda reply: applied_comment(
        reaching(),
        COMMIT,
        reply,
        approved_by="maria",
        starts_checks=True,
        errands=(
            Errand(step=2, progress=Progress.DONE, said="https://github.com/acme/site/issues/8 @maria"),
            Errand(step=3, progress=Progress.TRIED),
            Errand(step=4, progress=Progress.WAITING),
        ),
        claim=Claim(errands="2.done.3.tried.4.waiting", run=1, is_finished=False),
    ),
    "applied-errands": lambda reply: applied_comment(
        reaching(),
        None,
        reply,
        approved_by="maria",
        errands=(
            Errand(step=2, progress=Progress.FAILED, said="fixes #1 | ![x](https://evil.example/x.png)"),
            Errand(step=3, progress=Progress.UNKNOWN, said="the server answered with status 502"),
            Errand(step=4, progress=Progress.LEFT, said="it names the made-up result of step 2"),
        ),
        claim=Claim(errands="2.failed.3.unknown.4.left", run=1, is_finished=True),
    ),
    "error-config": lambda reply: error_comment(
        raised(lambda: read_config(b"version: 1\nmodle: x\n", file=".github/dryrun-bot.yml")), reply
    ),
    "error-model": lambda reply: error_comment(raised(ask_nobody), reply),
    "error-github": lambda reply: error_comment(github_failed(REQUEST, FORBIDDEN), reply),
    "error-checkout": lambda reply: error_comment(
        raised(lambda: OwnRepository.opened(Path("/no/such/checkout"), home={})), reply
    ),
    "discarded": lambda reply: discarded_comment(mixed(), reply, discarded_by="maria"),
    "undone": lambda reply: undo_comment(COMMIT, reply, undone="d" * 40, undone_by="maria"),
    "explained": lambda reply: explain_comment(mixed(), mixed().steps[2], reply),
    "explained-allowed": lambda reply: explain_comment(mixed(), mixed().steps[0], reply),
    "help": lambda reply: help_comment(CONFIG, reply),
    "help-default": lambda reply: help_comment(DEFAULT, reply),
    "progress": lambda reply: progress_comment("tidy-docs", reply, calls=1, actions=2, seconds=12),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "make"), LAYOUTS.items(), ids=LAYOUTS)
def test_an_answer_looks_like_its_golden_file(name: str, make, language: str) -> None:
    rendered = make(Reply(language=language, answers=12, run_url=RUN))
    assert rendered.fault is None
    assert same_as_golden(name, language, rendered.body)


# As the flows say it; what isn't here is told in general words.
SAID = {
    Reason.NOT_A_PULL_REQUEST: (
        "this is an issue, and plans are made for pull requests",
        "comment the same line on a pull request",
    ),
    Reason.PULL_REQUEST_CLOSED: (
        "the pull request is closed",
        "reopen it, and comment the same line again",
    ),
    Reason.AUTHOR_MAY_NOT_APPLY: (
        "the author of a pull request may not apply plans to it here (apply.author_may_apply)",
        "ask somebody else with the permission to comment the same line",
    ),
    Reason.UNKNOWN_COMMAND: ("There is no command /aply.", "Did you mean `/apply`?"),
    Reason.UNKNOWN_TASK: (
        "There is no task of that name, and free words are switched off here (`ad_hoc_tasks`).",
        "Comment one of `/plan tidy-docs`, `/plan release`.",
    ),
    Reason.UNKNOWN_STEP: (
        "The newest plan has 5 steps, so there is no step 9 to explain.",
        "Comment `/explain 1`, for instance.",
    ),
    Reason.DIGEST_NEEDED: (
        "This pull request has had more than one plan, so the digest must be named.",
        "Comment `/apply 2539a611263d`, or `/plan` for a fresh plan.",
    ),
    Reason.STEPS_NOT_APPROVED: (
        "These steps must be named by whoever approves them: 3, 5.",
        "Comment `/apply 2539a611263d --approve 3,5` to approve them.",
    ),
    Reason.STALE_HEAD: (
        "The branch has moved: the plan was made for 3f2a9c1d4e5f, and the head is now 8c01d2e3f405.",
        "Comment `/plan` for a fresh plan.",
    ),
    Reason.STRICTER_NOW: (
        "Step 3 was allow and is now deny: src/app.py is denied (src/**).",
        "Comment `/plan` for a fresh plan.",
    ),
    Reason.PREDICTION_MISSED: (
        "The result differs from the plan: docs/guide.md came out otherwise. Nothing was changed.",
        "Comment `/plan` for a fresh plan; a command in this one may have changed a file.",
    ),
    Reason.UNDO_CONFLICT: (
        (
            "The plan can't be taken back by itself: docs/guide.md was changed since in the same lines. "
            "Nothing was changed."
        ),
        "Revert the commit by hand, where you can see what others have built on it.",
    ),
}


def refusal(reason: Reason) -> Refusal:
    detail, next_step = SAID.get(reason, (f"What happened, for {reason.value}.", "Comment `/plan` again."))
    return Refusal(reason=reason, detail=detail, next_step=next_step)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_looks_like_its_golden_file(language: str) -> None:
    bodies = [refusal_comment(refusal(reason), Reply(language=language)).body for reason in Reason]
    assert same_as_golden("refused", language, "\n".join(bodies))


@pytest.mark.parametrize("reason", SAID)
def test_what_a_refusal_says_is_said_in_the_readers_language(reason: Reason) -> None:
    spanish = refusal_comment(refusal(reason), Reply(language="es")).body
    for english in SAID[reason]:
        assert english.removesuffix(".").lower() not in spanish.lower().replace("`", "")


def test_a_refusal_names_commands_as_the_configuration_has_them() -> None:
    for language in LANGUAGES:
        body = refusal_comment(refusal(Reason.STALE_HEAD), Reply(language=language, prefix="dryrun")).body
        assert "`/dryrun plan`" in body


@pytest.mark.parametrize("make", LAYOUTS.values(), ids=LAYOUTS)
def test_every_answer_names_the_comment_it_answers(make) -> None:
    found = marker.read(make(Reply(answers=12)).body)
    assert found is not None
    assert found.answers == 12


def test_an_answer_says_its_reason_in_its_marker() -> None:
    def state(rendered: Rendered) -> str:
        found = marker.read(rendered.body)
        assert found is not None
        return found.state

    refusal = Refusal(reason=Reason.STALE_HEAD, detail="x", next_step="y")
    assert state(refusal_comment(refusal)) == "stale-head"
    assert state(applied_comment(mixed(), COMMIT, approved_by="m")) == "applied"
    assert (
        state(applied_comment(mixed(), COMMIT, approved_by="m", was_there_before=True)) == "already-applied"
    )


def test_a_commit_is_a_link_only_where_its_address_is_plain() -> None:
    link = f"[`aaaaaaa`]({COMMIT.url})"
    assert link in applied_comment(mixed(), COMMIT, approved_by="maria").body
    odd = replace(COMMIT, url="https://x.example/) @org")
    rendered = applied_comment(mixed(), odd, approved_by="maria")
    assert rendered.fault is None
    assert "x.example" not in rendered.body


def test_help_tells_the_configuration_in_force() -> None:
    body = help_comment(CONFIG.model_copy(update={"command_prefix": "dryrun", "ad_hoc_tasks": False})).body
    assert "`/dryrun plan tidy-docs`" in body
    assert "…`" in body
    assert "`/dryrun plan …`" not in body
    assert "but not the author" in body


def test_many_performed_steps_are_listed_in_part() -> None:
    body = applied_comment(plan(*[edit(n) for n in range(1, 60)], denied(60)), COMMIT, approved_by="m").body
    assert "Applied: 59 actions" in body
    assert "and 19 more" in body
