"""The tools by themselves; tests/flows/test_errands.py takes them from proposal to effect."""

import pytest
from fakes import MemoryTree

from bot.action import Kind
from bot.errors import ToolFailed
from bot.outside.search import Ripgrep
from bot.tools.pull_request import PULL_REQUEST_TOOLS, AddLabels, CommentOnPr, CreateIssue
from bot.tools.tool import Stage, Tool
from bot.workspace.overlay import Overlay

NOWHERE = Stage(workspace=Overlay(MemoryTree({}), Ripgrep()), is_hidden=lambda _: False)
ARGUMENTS = {
    "comment_on_pr": CommentOnPr(body="x"),
    "add_labels": AddLabels(labels=("x",)),
    "create_issue": CreateIssue(title="x"),
}


@pytest.mark.parametrize("tool", PULL_REQUEST_TOOLS, ids=lambda tool: tool.name)
def test_each_reaches_out_and_waits_for_the_commit(tool: Tool[CommentOnPr]) -> None:
    assert (tool.kind, tool.after_commit) == (Kind.EXTERNAL, True)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_where_there_is_no_pull_request_nothing_is_rehearsed_and_nothing_done(name: str) -> None:
    tool = next(tool for tool in PULL_REQUEST_TOOLS if tool.name == name)
    assert tool.simulate is not None
    with pytest.raises(ToolFailed, match="there is no pull request here"):
        tool.simulate(ARGUMENTS[name], NOWHERE)
    with pytest.raises(ToolFailed, match="nothing can be done"):
        tool.execute(ARGUMENTS[name], NOWHERE)
