"""Every tool by name, two sets without an overlap, and one digest over what they take."""

import pytest

from bot.action import Kind
from bot.errors import BadTool
from bot.tools import READ_TOOLS, TOOLS, WRITE_TOOLS, registry, tools_digest
from bot.tools.files import READ_FILE, WRITE_FILE


def test_the_tools_are_these() -> None:
    assert {"read_file", "list_files", "find_files", "search_code", "grep"} == READ_TOOLS
    assert {"write_file", "edit_file", "apply_patch", "delete_file", "run_command"} == WRITE_TOOLS
    assert set(TOOLS) == READ_TOOLS | WRITE_TOOLS
    assert not READ_TOOLS & WRITE_TOOLS
    assert TOOLS["run_command"].kind is Kind.EXTERNAL


def test_a_name_comes_once() -> None:
    with pytest.raises(BadTool, match="'read_file'"):
        registry([READ_FILE, WRITE_FILE, READ_FILE])


def test_nobody_can_put_a_tool_in_later() -> None:
    with pytest.raises(TypeError):
        TOOLS["evil"] = READ_FILE


def test_the_digest_tells_registries_apart_and_not_their_order() -> None:
    both = tools_digest(registry([READ_FILE, WRITE_FILE]))
    assert both == tools_digest(registry([WRITE_FILE, READ_FILE]))
    assert both != tools_digest(registry([READ_FILE]))
    assert len(tools_digest(TOOLS)) == 64


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_tells_the_model_what_each_argument_is(name: str) -> None:
    parameters = TOOLS[name].schema()["function"]["parameters"]
    assert parameters["additionalProperties"] is False
    for argument, schema in parameters["properties"].items():
        assert schema.get("description") or argument == "ignore_case", argument
