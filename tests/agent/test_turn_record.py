"""A model's answer, kept and read back."""

import pytest
from pydantic import ValidationError

from bot.action import Call
from bot.agent.turn_record import kept_turn, turn_of
from bot.cost import Usage
from bot.world import Turn

TURN = Turn(
    text="I'll read it. \N{SNOWMAN}",
    calls=(
        Call(id="c1", tool="read_file", arguments='{"path": "a.txt"}'),
        Call(id="", tool="no such tool", arguments="{not json"),
    ),
    usage=Usage(calls=1, input_tokens=10, output_tokens=5, cached_tokens=3, reasoning_tokens=2),
    finish="tool_calls",
    is_estimated=True,
)


def test_a_turn_comes_back_as_it_was() -> None:
    assert turn_of(kept_turn(TURN)) == TURN


def test_what_stands_beside_it_in_a_line_is_let_be() -> None:
    assert turn_of(kept_turn(TURN) | {"line": 7, "event": "turn"}) == TURN


@pytest.mark.parametrize("field", ["text", "calls", "usage", "finish", "is_estimated"])
def test_a_turn_with_a_part_missing_is_none(field: str) -> None:
    kept = kept_turn(TURN)
    del kept[field]
    with pytest.raises(ValidationError):
        turn_of(kept)
