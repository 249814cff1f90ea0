"""`dryrun-bot doctor`: what is said, and what the exit code says."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from keyboard import Keyboard
from real_git import commit_all, git, lay

from bot.demo.github import GitHub
from bot.demo.model import ScriptedModel


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    with ScriptedModel(()) as model:
        yield Keyboard(folder=tmp_path, model=model)


def test_a_machine_on_which_all_works_is_said_to_be_one_and_stays_as_it_is(keyboard: Keyboard) -> None:
    before = sorted(keyboard.folder.rglob("*"))
    # Where this runs as root, commands run as another user, who may not enter the test's own folder.
    seen = keyboard.types("doctor", "--offline", TMPDIR=tempfile.gettempdir())
    assert (seen.exit_code, seen.stderr) == (0, "")
    for what in ("git", "Search", "Model", "Commands", "Repository"):
        assert f"ok       {what}" in seen.stdout
    assert sorted(keyboard.folder.rglob("*")) == before
    assert keyboard.model.asked == []


def test_each_thing_that_is_missing_comes_with_the_next_step(keyboard: Keyboard) -> None:
    seen = keyboard.types("doctor", "--offline", OPENAI_BASE_URL="")
    assert seen.exit_code == 0
    lines = seen.stdout.splitlines()
    for what, step in {
        "Model": "OPENAI_API_KEY",
        "Configuration": "dryrun-bot init",
        "Workflow": "dryrun-bot init",
        "GitHub": "git remote add",
    }.items():
        (at,) = [number for number, line in enumerate(lines) if line.startswith(f"note     {what}")]
        assert "Next:" in lines[at + 1]
        assert step in lines[at + 1]


def test_where_nothing_can_work_the_exit_code_says_so(keyboard: Keyboard) -> None:
    seen = keyboard.types("doctor", "--repo", "/")
    assert seen.exit_code == 1
    assert "MISSING  Repository" in seen.stdout


def test_a_broken_configuration_is_found_with_its_line(keyboard: Keyboard) -> None:
    lay(keyboard.repo, {".github/dryrun-bot.yml": b"nonsense: 1\n"})
    assert "is not committed" in keyboard.types("doctor").stdout
    commit_all(keyboard.repo)
    seen = keyboard.types("doctor")
    assert seen.exit_code == 1
    assert "line 1" in seen.stdout


def test_a_token_that_github_repeats_is_not_shown(keyboard: Keyboard, tmp_path: Path) -> None:
    with GitHub(tmp_path / "github") as github:
        git(keyboard.repo, "remote", "add", "origin", "https://github.com/acme/widgets.git")
        seen = keyboard.types("doctor", GITHUB_TOKEN="ghp_0123456789abcdefghij", GITHUB_API_URL=github.url)
    assert seen.exit_code == 0
    assert "note     GitHub" in seen.stdout
    assert "ghp_0123" not in seen.stdout + seen.stderr
