"""A pull request that changes the rules is told what they would have done to past runs."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from github_description.description import problems_in
from journey import CONFIG, FILES, Ended, Journey, call

from bot.demo.github import Comment, GitHub, Issue
from bot.demo.model import NAME, Said, ScriptedModel

RULES = ".github/dryrun-bot.yml"
STRICTER = CONFIG + "policy: {paths: {ask: [README.md]}}\n"
# A model whose price is known, since a budget is kept.
WORDED = CONFIG.replace("Tidy up.", "Tidy up, and write a page.").replace(NAME, "gpt-5.4-mini")
TURNS = (Said(calls=(call("edit_file", path="README.md", old="teh", new="the"),)), Said(text="One typo."))


def answers(messages: list[dict[str, Any]]) -> Said:
    """One typo is mended; and a page written, where the prompt asks for one."""
    said = sum(message["role"] == "assistant" for message in messages)
    if said == 0:
        page = (
            [call("write_file", path="page.md", content="A page.\n")] if "a page" in str(messages[1]) else []
        )
        return Said(calls=(*TURNS[0].calls, *page))
    return TURNS[1]


@pytest.fixture
def journey(tmp_path: Path) -> Iterator[Journey]:
    """With three plans behind it, whose transcripts are kept as the action keeps them."""
    with GitHub(tmp_path / "github") as github, ScriptedModel(answers) as model:
        journey = Journey(github=github, model=model, folder=tmp_path)
        for _ in range(3):
            keep(journey, journey.opened())
        yield journey
        assert problems_in(github.log) == []


def keep(journey: Journey, ended: Ended) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        for file in sorted(ended.out.iterdir()):
            made.write(file, file.name)
    journey.github.upload_artifact(
        journey.repository, f"dryrun-plan-{ended.outputs['plan-digest']}", archive.getvalue()
    )


def proposes(journey: Journey, config: str | None, files: Mapping[str, str] = {}) -> Issue:
    changes: dict[str, str | None] = {RULES: config, **files}
    journey.github.push(journey.repository, "rules", changes, message="Change the rules", by="mona")
    return journey.github.open_pull(journey.repository, "rules", by="mona", title="Change the rules")


def opened(journey: Journey, issue: Issue, action: str = "edited") -> Ended:
    """On an event for which no task is configured, unless it is another one."""
    return journey.run(journey.github.pull_request_event(journey.repository, issue, action))


def said_on(journey: Journey, issue: Issue) -> list[Comment]:
    comments = journey.repository.comments_on(issue.number)
    return [comment for comment in comments if comment.author.type == "Bot"]


def says(journey: Journey, issue: Issue, body: str, *, by: str = "lee") -> Ended:
    comment = journey.github.comment(journey.repository, issue.number, by=by, body=body)
    return journey.run(journey.github.comment_event(journey.repository, comment))


def test_a_changed_policy_is_tried_on_past_runs_by_itself_and_no_model_is_asked(journey: Journey) -> None:
    issue = proposes(journey, STRICTER)
    asked = len(journey.model.asked)
    ended = opened(journey, issue, "reopened")
    assert (ended.exit_code, ended.outputs["decision"], ended.reason) == (0, "ignored", "replayed")
    (comment,) = said_on(journey, issue)
    assert "This change alters 3 of 3 past runs" in comment.body
    assert "| ✅&nbsp;allow → ✋&nbsp;ask | 3 |" in comment.body
    assert f"/pull/{journey.issue.number})" in comment.body
    assert "/replay" not in comment.body
    assert len(journey.model.asked) == asked


def test_the_comment_is_kept_up_with_the_pull_request(journey: Journey) -> None:
    issue = proposes(journey, STRICTER)
    opened(journey, issue, "reopened")
    journey.github.push(
        journey.repository,
        "rules",
        {RULES: CONFIG + "policy: {paths: {ask: [x.md]}}\n"},
        message="Less",
        by="mona",
    )
    opened(journey, issue, "reopened")
    (comment,) = said_on(journey, issue)
    assert "This change alters none of 3 past runs" in comment.body


def test_a_plan_that_is_due_is_made_as_well(journey: Journey) -> None:
    issue = proposes(journey, STRICTER)
    ended = opened(journey, issue, "opened")
    assert ended.outputs["decision"] == "planned"
    kinds = [comment.body.partition("kind=")[2].split()[0] for comment in said_on(journey, issue)]
    assert kinds == ["impact", "plan"]


def test_a_changed_prompt_is_not_paid_for_before_somebody_asks(journey: Journey) -> None:
    issue = proposes(journey, WORDED)
    asked = len(journey.model.asked)
    opened(journey, issue, "reopened")
    (comment,) = said_on(journey, issue)
    assert "This changes a prompt or the model, too. Comment `/replay`" in comment.body
    assert "3 runs, about" in comment.body
    assert len(journey.model.asked) == asked
    ended = says(journey, issue, "/replay")
    assert (ended.exit_code, ended.reason) == (0, "replayed")
    assert len(journey.model.asked) == asked + 6
    answer = said_on(journey, issue)[-1].body
    assert "This change alters none of 3 past runs" in answer
    assert "This change alters 3 of 3 past runs" in answer
    assert "new action" in answer
    assert "`write_file → page.md`" in answer


def test_nothing_to_replay_is_refused_with_what_would_help(journey: Journey) -> None:
    ended = journey.says("/replay")
    assert (ended.exit_code, ended.reason) == (3, "nothing-to-replay")
    assert "changes no policy, prompt or model" in journey.bot_comments[-1].body


def test_where_nothing_was_recorded_yet_that_is_said(tmp_path: Path) -> None:
    with GitHub(tmp_path / "github") as github, ScriptedModel(answers) as model:
        journey = Journey(github=github, model=model, folder=tmp_path)
        issue = proposes(journey, STRICTER)
        opened(journey, issue, "reopened")
        (comment,) = said_on(journey, issue)
        assert "There are no past runs to replay yet" in comment.body


def test_words_that_change_nothing_are_not_worth_a_comment(journey: Journey) -> None:
    issue = proposes(journey, CONFIG + "language: es\n")
    ended = opened(journey, issue, "reopened")
    assert (ended.exit_code, ended.reason) == (0, "no-task")
    assert said_on(journey, issue) == []


def test_a_file_with_a_mistake_is_told_with_its_line(journey: Journey) -> None:
    issue = proposes(journey, CONFIG + "polcy: {}\n")
    ended = opened(journey, issue, "reopened")
    assert (ended.exit_code, ended.reason) == (2, "bad-config")
    assert "polcy" in said_on(journey, issue)[-1].body
    planned = opened(journey, issue, "opened")
    assert planned.outputs["decision"] == "planned"


def test_whoever_may_not_have_plans_made_gets_nothing(journey: Journey) -> None:
    issue = proposes(journey, WORDED)
    asked = len(journey.model.asked)
    journey.github.allow(journey.repository, "eve", "read")
    ended = says(journey, issue, "/replay", by="eve")
    assert (ended.exit_code, ended.reason) == (0, "not-permitted")
    assert said_on(journey, issue) == []
    assert len(journey.model.asked) == asked


def test_a_forks_rules_are_not_tried_unless_somebody_asks(journey: Journey) -> None:
    fork = journey.github.fork(journey.repository, "eve")
    journey.github.push(fork, "rules", {RULES: STRICTER}, message="Change the rules", by="eve")
    issue = journey.github.open_pull(journey.repository, "eve:rules", by="eve", title="Rules")
    ended = opened(journey, issue, "opened")
    assert ended.reason == "fork"
    assert said_on(journey, issue) == []
    ended = says(journey, issue, "/replay")
    assert ended.reason == "replayed"
    assert "This change alters 3 of 3 past runs" in said_on(journey, issue)[-1].body


def test_a_transcript_that_somebody_touched_up_is_told_and_not_counted(journey: Journey) -> None:
    ended = journey.opened()
    (file,) = ended.out.glob("transcript-*.jsonl")
    file.write_bytes(file.read_bytes().replace(b"README.md", b"LICENSE.md", 1))
    keep(journey, ended)
    issue = proposes(journey, STRICTER)
    opened(journey, issue, "reopened")
    (comment,) = said_on(journey, issue)
    assert "This change alters 3 of 3 past runs" in comment.body
    assert "Not read:" in comment.body
    assert FILES[RULES] == CONFIG
