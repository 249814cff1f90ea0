"""Policies by their content, not by their files' names."""

from pathlib import Path

import pytest
from recorded import POLICY

from bot.config import DEFAULT
from bot.errors import BadUsage
from bot.replay.subject import DEFAULTS, Policies, PolicyFile


def test_a_policy_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_bytes(POLICY)
    policy = PolicyFile.read(tmp_path / "a.yml")
    assert "docs/policies/**" in policy.config().policy.paths.ask
    with pytest.raises(BadUsage, match="can't be read"):
        PolicyFile.read(tmp_path / "b.yml")


def test_without_a_file_the_bots_own_defaults_hold() -> None:
    assert DEFAULTS.config() is DEFAULT


def test_what_was_compared_is_named_by_digest_whatever_the_files_are_called() -> None:
    here, there = (
        Policies(after=PolicyFile(file=name, text=POLICY)).named() for name in ("a.yml", "x/b.yml")
    )
    assert here == there
    assert here["before"] == "the recorded verdicts"
    assert here["after"].startswith("policy ")
    assert here["after"] != here["before, where none is recorded"]
    both = Policies(after=DEFAULTS, before=PolicyFile(file="a.yml", text=POLICY)).named()
    assert both["before"] == here["after"]
