"""Which tools a run may offer."""

from pathlib import Path

import pytest

from bot.config import DEFAULT, read_config
from bot.errors import BadTool
from bot.gate.policy import Policy
from bot.outside.toolbox import toolbox
from bot.tools import TOOLS, offered

REACHING = {
    "comment_on_pr",
    "add_labels",
    "request_reviewers",
    "create_issue",
    "dispatch_workflow",
    "http_request",
}


def test_without_servers_and_packages_there_are_ours_and_those_that_reach_out() -> None:
    with toolbox(DEFAULT, environ={}) as tools:
        assert set(TOOLS) < set(tools)
        beyond = set(tools) - set(TOOLS)
    assert beyond == REACHING | {"read_output"}


@pytest.mark.parametrize("runs_commands", [True, False])
def test_reading_on_in_an_output_is_offered_where_commands_run(*, runs_commands: bool) -> None:
    with toolbox(DEFAULT, environ={}) as tools:
        assert ("read_output" in offered(tools, [Policy()], runs_commands=runs_commands)) is runs_commands


def test_only_what_the_policy_could_let_through_is_offered() -> None:
    named = Policy.model_validate({"tools": {"add_labels": "ask", "create_issue": "deny"}})
    with toolbox(DEFAULT, environ={}) as tools:
        assert set(offered(tools, [Policy()])) & REACHING == set()
        assert set(offered(tools, [named])) & REACHING == {"add_labels"}
        assert set(offered(tools, [named, Policy()])) & REACHING == set()
        every = Policy.model_validate({"defaults": {"external": "ask"}})
        assert set(offered(tools, [every])) >= REACHING
        assert set(offered(tools, [Policy()])) >= set(TOOLS)


def test_a_server_that_can_not_be_used_stops_the_start(tmp_path: Path) -> None:
    config = read_config(b"mcp: {tickets: {command: [/no/such/program], tools: {}}}\n", file="x.yml")
    with pytest.raises(BadTool, match="'tickets' can't be used"), toolbox(config, environ={}):
        pass
