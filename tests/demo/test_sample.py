"""The sample is what it pretends to be: its tests pass, and its pull request leaves typos."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bot.demo import sample
from bot.demo.github import File, GitHub


@pytest.fixture
def checkout(github: GitHub, tmp_path: Path) -> Path:
    repository = github.repository(sample.REPOSITORY, sample.FILES)
    github.push(repository, sample.BRANCH, sample.CHANGES, message=sample.TITLE, by=sample.AUTHOR)
    folder = tmp_path / "checkout"
    arguments = [
        "git",
        "clone",
        "--quiet",
        "--branch",
        sample.BRANCH,
        str(repository.bare.folder),
        str(folder),
    ]
    subprocess.run(arguments, check=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    return folder


def test_its_own_tests_pass_before_and_after(checkout: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    for branch, passed in ((sample.BRANCH, "3 passed"), ("origin/main", "2 passed")):
        subprocess.run(["git", "checkout", "--quiet", branch], cwd=checkout, check=True)
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert passed in ran.stdout, ran.stdout


def test_its_command_does_what_the_readme_shows(checkout: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": "src", "PYTHONIOENCODING": "utf-8"}
    code = "from teatime.cli import main; main()"
    for arguments, said in (
        (["green"], "Green tea: 80 °C, 2 minutes. Go!"),
        (["green", "--cold"], "4 hours"),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=checkout,
            env=environment,
            capture_output=True,
            check=True,
        )
        assert said in ran.stdout.decode()


def test_line_ends_modes_and_the_fake_secret_are_there(checkout: Path) -> None:
    windows = (checkout / "docs/windows.txt").read_bytes()
    assert windows.count(b"\r\n") == windows.count(b"\n") == 6
    assert (checkout / "scripts/release.sh").stat().st_mode & 0o100
    assert not (checkout / "README.md").stat().st_mode & 0o100
    assert "not-a-secret" in (checkout / ".env").read_text()


def test_the_pull_request_leaves_typos_in_documents_it_touches(checkout: Path) -> None:
    for word, file in (
        ("teh", "docs/brewing.md"),
        ("recieve", "docs/brewing.md"),
        ("seperate", "docs/brewing.md"),
        ("occured", "docs/windows.txt"),
    ):
        assert word in (checkout / file).read_text()
        assert file in sample.CHANGES
    assert "cold" not in (checkout / "CHANGELOG.md").read_text().lower()


def test_its_workflow_and_config_are_valid_yaml_with_the_keys_they_need() -> None:
    workflow = yaml.safe_load(str(sample.FILES[".github/workflows/dryrun-bot.yml"]))
    job = workflow["jobs"]["dryrun-bot"]
    assert workflow["permissions"] == {}
    assert job["permissions"]["contents"] == "write"
    config = yaml.safe_load(str(sample.FILES[".github/dryrun-bot.yml"]))
    assert config["version"] == 1
    assert "tidy-docs" in config["tasks"]


def test_python_in_it_compiles() -> None:
    for path, content in {**sample.FILES, **sample.CHANGES}.items():
        if path.endswith(".py"):
            assert not isinstance(content, File)
            compile(str(content), path, "exec")
