"""Which tools a run may offer."""

from bot.config import DEFAULT
from bot.outside.toolbox import toolbox
from bot.tools import TOOLS


def test_without_servers_and_packages_there_are_ours_and_those_that_reach_out() -> None:
    with toolbox(DEFAULT, environ={}) as tools:
        assert set(TOOLS) < set(tools)
        beyond = set(tools) - set(TOOLS)
    assert beyond == {
        "comment_on_pr",
        "add_labels",
        "request_reviewers",
        "create_issue",
        "dispatch_workflow",
        "http_request",
    }
