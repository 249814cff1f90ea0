"""What the model's server and GitHub say when they are asked, and when they can't be."""

from pathlib import Path

import pytest
from own_home import surroundings

from bot.config import read_config
from bot.demo.github import GitHub
from bot.demo.model import NAME, ScriptedModel
from bot.errors import BadUsage
from bot.own_machine.reachability import github_check, model_check

MINE = read_config(f"model: {{name: {NAME}}}\n".encode(), file="c.yml")
OTHER = read_config(b"model: {name: gpt-other}\n", file="c.yml")


def test_a_server_that_has_the_model_is_well_and_no_model_answers(tmp_path: Path) -> None:
    with ScriptedModel(()) as model:
        check = model_check(surroundings(tmp_path, OPENAI_BASE_URL=model.base_url), MINE, is_offline=False)
        assert (check.found, check.next_step) == (f"the server has {NAME}", None)
        assert model.asked == []


def test_a_server_without_the_model_is_told_with_those_that_it_has(tmp_path: Path) -> None:
    with ScriptedModel(()) as model:
        there = surroundings(tmp_path, OPENAI_BASE_URL=model.base_url)
        check = model_check(there, OTHER, is_offline=False)
        assert "has no gpt-other" in check.found
        assert NAME in str(check.next_step)
        broken = model_check(there, BadUsage("x", next_step="y"), is_offline=False)
        assert "has no gpt-5.4-mini" in broken.found


def test_a_server_that_lists_nothing_still_answers(tmp_path: Path) -> None:
    with ScriptedModel(()) as model:
        elsewhere = surroundings(tmp_path, OPENAI_BASE_URL=model.base_url.removesuffix("/v1") + "/v2")
        check = model_check(elsewhere, MINE, is_offline=False)
    assert (check.found, check.next_step) == ("the server answers, and lists no models", None)


def test_a_server_that_is_not_there_is_told_with_the_next_step(tmp_path: Path) -> None:
    gone = surroundings(tmp_path, OPENAI_BASE_URL="http://127.0.0.1:9/v1", OPENAI_API_KEY="sk-abcdefgh")
    check = model_check(gone, None, is_offline=False)
    assert "127.0.0.1:9 can't be reached" in check.found
    assert "OPENAI_BASE_URL" in str(check.next_step)
    assert "sk-abc" not in check.found
    assert not check.is_needed


OFFLINE = {
    "a key": ({"OPENAI_API_KEY": "k"}, "OPENAI_API_KEY is set (not tried)"),
    "an address": ({"OPENAI_BASE_URL": "http://127.0.0.1:9"}, "OPENAI_BASE_URL is set (not tried)"),
    "nothing": ({}, "no key on this machine; pull requests use the repository's secret"),
}


@pytest.mark.parametrize(("environ", "found"), OFFLINE.values(), ids=OFFLINE)
def test_offline_no_server_is_asked(tmp_path: Path, environ: dict[str, str], found: str) -> None:
    assert model_check(surroundings(tmp_path, **environ), None, is_offline=True).found == found
    token = surroundings(tmp_path, GITHUB_TOKEN="t", GITHUB_API_URL="http://127.0.0.1:9")
    assert github_check(token, "acme/widgets", is_offline=True).found == "not asked"


ROLES = {"write": (True, "may push to acme/widgets"), "read": (False, "may not push")}


@pytest.mark.parametrize(("role", "told"), ROLES.items(), ids=ROLES)
def test_what_a_token_may_do_is_told(tmp_path: Path, role: str, told: tuple[bool, str]) -> None:
    is_well, found = told
    with GitHub(tmp_path / "github") as github:
        repository = github.repository("acme/widgets", {"README.md": "x\n"})
        github.allow(repository, "lee", role)
        there = surroundings(tmp_path, GITHUB_TOKEN=github.token("lee"), GITHUB_API_URL=github.url)
        check = github_check(there, "acme/widgets", is_offline=False)
    assert found in check.found
    assert (check.next_step is None) is is_well


UNASKED = {
    "no remote": ("widgets", {"GITHUB_TOKEN": "t"}, "git remote add"),
    "no token": ("acme/widgets", {}, "gh auth token"),
    "nobody there": (
        "acme/widgets",
        {"GITHUB_TOKEN": "t", "GITHUB_API_URL": "http://127.0.0.1:9"},
        "",
    ),
}


@pytest.mark.parametrize(("name", "environ", "step"), UNASKED.values(), ids=UNASKED)
def test_what_can_not_be_asked_comes_with_the_next_step(
    tmp_path: Path, name: str, environ: dict[str, str], step: str
) -> None:
    check = github_check(surroundings(tmp_path, **environ), name, is_offline=False)
    assert check.next_step
    assert step in check.next_step
    assert not check.is_needed
