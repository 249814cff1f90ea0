"""What a configuration extends, read at a keyboard: from GitHub with a token, from a copy, or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from own_home import surroundings

from bot.config import Config
from bot.demo.github import GitHub
from bot.errors import BadConfig, BadUsage, GitHubFailed
from bot.own_machine.extended import read_own_config

OWN = b"version: 1\nextends: acme/.github:bot.yml@main\n"
THEIRS = "policy: {paths: {deny: [docs/**]}}\n"


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    with GitHub(tmp_path / "github") as github:
        github.repository("acme/.github", {"bot.yml": THEIRS}, private=True)
        yield github


def _read(folder: Path, *, copy: Path | None = None, own: bytes = OWN, **environ: str) -> Config:
    around = surroundings(folder, **environ)
    return read_own_config(own, file="bot.yml", copy=copy, surroundings=around)


@pytest.mark.parametrize("variable", ["GITHUB_TOKEN", "GH_TOKEN"])
def test_it_is_asked_of_github_with_the_persons_token(tmp_path: Path, github: GitHub, variable: str) -> None:
    config = _read(tmp_path, **{variable: github.token("acme"), "GITHUB_API_URL": github.url})
    assert [policy.paths.deny for policy in config.policies] == [("docs/**",)] * 2


def test_a_copy_takes_its_place_and_nobody_is_asked(tmp_path: Path) -> None:
    copy = tmp_path / "copy.yml"
    copy.write_text(THEIRS)
    config = _read(tmp_path, copy=copy, GITHUB_TOKEN="ghp_x", GITHUB_API_URL="http://127.0.0.1:9")
    assert [policy.paths.deny for policy in config.policies] == [("docs/**",)] * 2


def test_without_token_or_copy_it_is_refused_and_both_ways_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=r"extends acme/.github:bot.yml@main, and there is no token") as raised:
        _read(tmp_path)
    assert "GITHUB_TOKEN" in raised.value.next_step
    assert "--extends FILE" in raised.value.next_step


def test_a_file_that_extends_nothing_needs_neither(tmp_path: Path) -> None:
    assert len(_read(tmp_path, own=b"version: 1\n").policies) == 1


def test_what_is_not_there_or_may_not_be_read_stops_it(tmp_path: Path, github: GitHub) -> None:
    there = {"GITHUB_API_URL": github.url}
    with pytest.raises(BadConfig, match=r"no file acme/.github:gone.yml@main"):
        _read(
            tmp_path, own=OWN.replace(b":bot.yml", b":gone.yml"), GITHUB_TOKEN=github.token("acme"), **there
        )
    with pytest.raises(BadConfig, match=r"no file acme/.github:bot.yml@main"):
        _read(tmp_path, GITHUB_TOKEN=github.token("stranger"), **there)
    with pytest.raises(GitHubFailed, match="What the configuration extends can't be read") as raised:
        _read(tmp_path, GITHUB_TOKEN="ghp_wrong", **there)
    assert "ghp_wrong" not in raised.value.what
    assert "--extends FILE" in raised.value.next_step


def test_a_copy_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=r"nowhere.yml can.t be read"):
        _read(tmp_path, copy=tmp_path / "nowhere.yml")
