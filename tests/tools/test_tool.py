"""A half-made tool can't be built, and what a model is told of a tool is what it takes."""

import pytest
from pydantic import Field, ValidationError

from bot.action import Kind
from bot.errors import BadTool
from bot.tools.tool import Arguments, Stage, Tool


class Poke(Arguments):
    where: str = Field(description="Where to poke.")


def poke(arguments: Poke, stage: Stage) -> str:
    return f"poked {arguments.where}"


@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.EXTERNAL])
def test_an_effect_without_a_rehearsal_cannot_be_built(kind: Kind) -> None:
    with pytest.raises(BadTool, match=r"'poke' has kind '(write|external)' and no `simulate`"):
        Tool(name="poke", kind=kind, description="Pokes.", arguments=Poke, execute=poke)


@pytest.mark.parametrize("kind", [None, "write", "anything"])
def test_a_tool_without_a_kind_cannot_be_built(kind: object) -> None:
    with pytest.raises(BadTool, match="'poke' has no kind"):
        Tool(name="poke", kind=kind, description="Pokes.", arguments=Poke, execute=poke, simulate=poke)


def test_a_tool_that_reads_needs_no_rehearsal_and_takes_no_intent() -> None:
    tool = Tool(name="poke", kind=Kind.READ, description="Pokes.", arguments=Poke, execute=poke)
    assert tool.schema() == {
        "type": "function",
        "function": {
            "name": "poke",
            "description": "Pokes.",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "where": {"type": "string", "title": "Where", "description": "Where to poke."}
                },
                "required": ["where"],
            },
        },
    }


def test_a_tool_that_changes_something_may_be_given_an_intent() -> None:
    tool = Tool(
        name="poke", kind=Kind.WRITE, description="Pokes.", arguments=Poke, execute=poke, simulate=poke
    )
    parameters = tool.schema()["function"]["parameters"]
    assert parameters["properties"]["intent"]["type"] == "string"
    assert parameters["required"] == ["where"]


@pytest.mark.parametrize("fields", [{}, {"where": 1}, {"where": "a", "more": 1}, {"where": None}])
def test_arguments_are_exactly_what_the_schema_says(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Poke.model_validate(fields)
