"""The outside is opened without asking anybody anything."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.errors import BadUsage
from bot.outside import open_outside
from bot.settings import Settings, read_settings


def _settings(tmp_path: Path, more: Mapping[str, str] | None = None) -> Settings:
    return read_settings(
        {
            "GITHUB_API_URL": "http://127.0.0.1:9",
            "GITHUB_ACTOR": "lee",
            "GITHUB_REPOSITORY": "acme/widgets",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_WORKSPACE": str(tmp_path),
            "GITHUB_TOKEN": "ghs_" + "a1B2c3D4" * 4,
            "RUNNER_TEMP": str(tmp_path),
            **(more or {}),
        }
    )


def test_opening_it_asks_nobody_and_makes_no_file(tmp_path: Path) -> None:
    """Port 9 answers nothing: whatever asked would fail."""
    outside = open_outside(_settings(tmp_path), occasion=1)
    assert outside.kit.repository.name == "acme/widgets"
    assert list(tmp_path.iterdir()) == []


def test_without_a_key_or_a_server_of_one_s_own_there_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="OPENAI_API_KEY"):
        open_outside(_settings(tmp_path), occasion=1).llm("m")
    own = _settings(tmp_path, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert open_outside(own, occasion=1).llm("m").model == "m"


def test_one_commit_has_one_tree(tmp_path: Path) -> None:
    kit = open_outside(_settings(tmp_path), occasion=1).kit
    assert kit.tree_at("a" * 40) is kit.tree_at("a" * 40)


def test_the_token_is_taken_out_of_whatever_leaves(tmp_path: Path) -> None:
    kit = open_outside(_settings(tmp_path), occasion=1).kit
    assert "a1B2c3D4" not in kit.redact(f"it is ghs_{'a1B2c3D4' * 4}, and that is all")
