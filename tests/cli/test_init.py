"""`dryrun-bot init`: what is written, when, and that it holds what it says."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from keyboard import ROOT, Keyboard
from real_git import commit_all, lay

from bot.cli import init
from bot.config import DEFAULT, read_config
from bot.demo.model import NAME, ScriptedModel
from bot.own_machine import first_files

WORKFLOW, CONFIG = ".github/workflows/dryrun-bot.yml", ".github/dryrun-bot.yml"


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    with ScriptedModel(()) as model:
        yield Keyboard(folder=tmp_path, model=model)


def test_both_files_are_written_and_what_is_there_stays(keyboard: Keyboard) -> None:
    first = keyboard.types("init", "--yes")
    assert first.exit_code == 0
    assert "OPENAI_API_KEY" in first.stdout
    lay(keyboard.repo, {CONFIG: b"language: es\n"})
    second = keyboard.types("init", "--yes", cwd=keyboard.repo / "docs")
    assert second.exit_code == 0
    assert second.stdout.count("is there already") == 2
    assert (keyboard.repo / CONFIG).read_bytes() == b"language: es\n"
    assert keyboard.types("policy", "check").exit_code == 0


def test_a_link_that_leads_nowhere_is_not_written_through(keyboard: Keyboard) -> None:
    (keyboard.repo / ".github").mkdir()
    (keyboard.repo / CONFIG).symlink_to(keyboard.folder / "elsewhere")
    assert keyboard.types("init", "--yes").exit_code == 0
    assert not (keyboard.folder / "elsewhere").exists()


def test_without_a_terminal_nothing_is_written_unasked(keyboard: Keyboard) -> None:
    seen = keyboard.types("init", stdin="y\ny\n")
    assert seen.exit_code == 2
    assert "--yes" in seen.stderr
    assert not (keyboard.repo / ".github").exists()


DOCUMENTED = {
    "workflow.yml": "dryrun-bot.yml",
    "single-job.yml": "single-job.yml",
    "replay.yml": "replay.yml",
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_workflow_is_the_documented_one(name: str) -> None:
    first, _, rest = (ROOT / "examples" / DOCUMENTED[name]).read_text().partition("\n")
    assert first.startswith("# Copy this")
    assert (files("bot") / "starter" / name).read_text() == rest


def test_the_configuration_says_what_holds_anyway_until_somebody_takes_a_sign_away() -> None:
    text = (files("bot") / "starter/config.yml").read_text()
    assert read_config(text.encode(), file=CONFIG).policy_digest == DEFAULT.policy_digest
    # The first line is for editors, and says what to hold the file to.
    first, _, rest = text.partition("\n")
    assert first.startswith("# yaml-language-server: $schema=https://")
    examples = re.sub(r"^# ", "", rest, flags=re.MULTILINE)
    config = read_config(examples.encode(), file=CONFIG)
    assert list(config.tasks) == ["tidy-docs"]
    assert config.policy.paths.deny == ("docs/legal/**",)
    assert (config.limits, config.model, config.apply) == (DEFAULT.limits, DEFAULT.model, DEFAULT.apply)
    assert config.replay == DEFAULT.replay


def test_three_questions_are_asked_and_answered_by_number_or_name(keyboard: Keyboard) -> None:
    seen = keyboard.sits_at("init", answers=["9", "2", f"{NAME} at {keyboard.model.base_url}", "one-job"])
    assert seen.exit_code == 0
    assert seen.screen.count("[q]uit") == 4
    assert "1. Read what was written" in seen.screen
    config = read_config((keyboard.repo / CONFIG).read_bytes(), file=CONFIG)
    assert (list(config.tasks), config.model.name) == (["write-tests"], NAME)
    workflow = (keyboard.repo / WORKFLOW).read_text()
    assert f"          openai-base-url: {keyboard.model.base_url}\n" in workflow
    assert "needs:" not in workflow


def test_who_leaves_or_only_presses_enter_gets_nothing_or_the_defaults(keyboard: Keyboard) -> None:
    assert "Nothing is written." in keyboard.sits_at("init", answers=["", "q"]).screen
    assert not (keyboard.repo / ".github").exists()
    assert keyboard.sits_at("init", answers=["", "", ""]).exit_code == 0
    assert (
        read_config((keyboard.repo / CONFIG).read_bytes(), file=CONFIG).policy_digest == DEFAULT.policy_digest
    )


def test_flags_answer_what_would_be_asked(keyboard: Keyboard) -> None:
    flags = ["--recipe", "docs-only", "--model", NAME, "--workflow", "four-jobs"]
    assert keyboard.types("init", "--yes", *flags).exit_code == 0
    assert "tidy-docs" in (keyboard.repo / CONFIG).read_text()
    commit_all(keyboard.repo)
    seen = keyboard.types("doctor")
    assert seen.exit_code == 0
    for what in ("Model", "Configuration", "Workflow", "Events", "Rights"):
        assert f"ok       {what}" in seen.stdout, seen.stdout


def test_the_flags_offer_what_there_is() -> None:
    assert tuple(first_files.RECIPES) == init.RECIPES
    assert tuple(first_files.WORKFLOWS) == init.WORKFLOWS
