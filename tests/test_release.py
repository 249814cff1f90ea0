"""One version in one place, and everything that names it, or what the bot is made with, names the same."""

import json
import re
from pathlib import Path

import pytest

from bot import __version__

ROOT = Path(__file__).parent.parent


def _texts(*patterns: str) -> dict[str, str]:
    found = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for pattern in patterns
        for path in ROOT.glob(pattern)
        if path.is_file()
    }
    assert found
    return found


SHIPPED = _texts(
    "docs/**/*.md", "docs/**/*.yml", "examples/**/*.yml", "bot/starter/*", "README.md", ".github/**/*.yml"
)


@pytest.mark.parametrize("name", SHIPPED)
def test_whatever_is_to_be_copied_names_this_version(name: str) -> None:
    named = re.findall(r"dryrun-bot/dryrun-bot(?:/[a-z-]+)?@v([0-9][^\s#`\"']*)", SHIPPED[name])
    assert set(named) <= {__version__}


def test_the_package_takes_its_version_from_the_code() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project
    assert not re.search(r"^version\s*=", project, re.MULTILINE)


def test_everything_is_installed_by_the_one_uv_whose_hashes_are_named() -> None:
    assert re.findall(r"^uv==", (ROOT / "uv.txt").read_text(), re.MULTILINE) == ["uv=="]
    texts = _texts("Makefile", "Dockerfile", "action.yml", ".github/**/*.yml", ".devcontainer/*")
    for name, text in texts.items():
        assert not re.search(r"\buv==", text), name
        assert "uv.txt" in text or not re.search(r"\buv sync\b", text), name


def test_the_changelog_has_a_part_for_what_is_not_released_yet() -> None:
    assert "\n## [Unreleased]\n" in (ROOT / "CHANGELOG.md").read_text()


def test_the_issue_form_asks_for_the_block_that_the_program_prints() -> None:
    rule = re.search(r'^_RULE = "(.*)"$', (ROOT / "bot/__main__.py").read_text(), re.MULTILINE)
    assert rule is not None
    assert rule[1] in (ROOT / ".github/ISSUE_TEMPLATE/fault.yml").read_text()


def test_the_development_container_sets_up_by_the_same_command_as_everybody() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert container["postCreateCommand"] == "make setup"
    for schema in container["customizations"]["vscode"]["settings"]["yaml.schemas"]:
        assert (ROOT / schema).is_file()


def test_a_release_is_built_by_the_lock_and_only_from_the_tag_of_its_version() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    assert 'test "$TAG" = "v$(python -c' in workflow
    assert "make release" in workflow
    assert "--no-build-isolation" in (ROOT / "Makefile").read_text()
    # Whoever builds may not publish, and whoever publishes runs nothing of the repository's.
    build, publish = workflow.split("\n  publish:\n")
    assert "write" not in build
    assert "actions/checkout" not in publish
