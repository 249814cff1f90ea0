"""A machine opened for a run: whose rules hold there, and which model is asked."""

from pathlib import Path

import pytest
from own_home import FILES, opened, surroundings
from real_git import commit_all, committed, lay

from bot import CONFIG_PATH
from bot.config import DEFAULT
from bot.errors import BadConfig, BadUsage, CheckoutFailed
from bot.own_machine import open_home, open_model


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    made = opened(tmp_path)
    assert made.home.config.policy_digest == DEFAULT.policy_digest
    assert not made.has_other_config
    assert made.home.findings == ()


def test_the_committed_file_holds_and_not_the_one_in_the_work_tree(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    committed(root, {**FILES, CONFIG_PATH: b"policy: {paths: {deny: ['docs/**']}}\n"})
    lay(root, {CONFIG_PATH: b"policy: {defaults: {command: allow}}\n"})
    made = open_home(root, config_file=None, surroundings=surroundings(tmp_path))
    assert made.home.config.policy.paths.deny == ("docs/**",)
    assert made.has_other_config
    commit_all(root)
    made = open_home(root, config_file=None, surroundings=surroundings(tmp_path))
    assert made.home.config.policy.paths.deny == ()
    assert not made.has_other_config


def test_a_named_file_takes_its_place(tmp_path: Path) -> None:
    file = tmp_path / "other.yml"
    file.write_text("language: es\n")
    opened(tmp_path)
    made = open_home(tmp_path / "repo", config_file=file, surroundings=surroundings(tmp_path))
    assert made.home.config.language == "es"
    file.write_text("nonsense: 1\n")
    with pytest.raises(BadConfig, match=r"other\.yml line 1"):
        open_home(tmp_path / "repo", config_file=file, surroundings=surroundings(tmp_path))
    with pytest.raises(BadUsage, match="can't be read"):
        open_home(tmp_path / "repo", config_file=tmp_path, surroundings=surroundings(tmp_path))


def test_outside_a_repository_there_is_no_home(tmp_path: Path) -> None:
    with pytest.raises(CheckoutFailed):
        open_home(tmp_path, config_file=None, surroundings=surroundings(tmp_path))


def test_a_policy_that_is_out_of_reach_opens_nothing_and_a_copy_of_it_judges(tmp_path: Path) -> None:
    root, copy = tmp_path / "repo", tmp_path / "copy.yml"
    committed(root, {**FILES, CONFIG_PATH: b"extends: acme/.github:bot.yml@main\n"})
    with pytest.raises(BadUsage, match="no token"):
        open_home(root, config_file=None, surroundings=surroundings(tmp_path))
    copy.write_text("policy: {paths: {secret: ['notes/**']}}\n")
    made = open_home(root, config_file=None, surroundings=surroundings(tmp_path), extended=copy)
    assert made.home.is_secret("notes/a.md")
    assert len(made.home.config.policies) == 2


MODELS = {
    "a key": ({"OPENAI_API_KEY": "sk-1"}, None, ("sk-1", None)),
    "a server": ({"OPENAI_BASE_URL": "http://a/v1"}, None, ("none", "http://a/v1")),
    "another server": ({"OPENAI_BASE_URL": "http://a/v1"}, "http://b/v1", ("none", "http://b/v1")),
    "both": ({"OPENAI_API_KEY": "k"}, "http://b/v1", ("k", "http://b/v1")),
}


@pytest.mark.parametrize(("environ", "base_url", "expected"), MODELS.values(), ids=MODELS)
def test_the_model_is_where_the_person_says(
    tmp_path: Path, environ: dict[str, str], base_url: str | None, expected: tuple[str, str | None]
) -> None:
    model = open_model("m", base_url=base_url, surroundings=surroundings(tmp_path, **environ))
    assert (model.model, model.api_key, model.base_url) == ("m", *expected)


def test_without_either_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="OPENAI_API_KEY"):
        open_model("m", base_url=None, surroundings=surroundings(tmp_path))
