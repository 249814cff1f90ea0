"""What happened, call by call."""

from bot.cost import Usage
from bot.transcript.timeline import Called, Timeline

USAGE = {
    "calls": 1,
    "input_tokens": 10,
    "output_tokens": 2,
    "cached_tokens": 4,
    "reasoning_tokens": 1,
}
ALLOW = {"outcome": "allow", "rule": "r", "reason": "x"}


def test_each_call_is_a_row_with_its_turn_and_how_it_ended() -> None:
    timeline = Timeline()
    timeline.watch("turn", {"usage": USAGE})
    timeline.watch("proposed", {"call": "1", "tool": "read_file", "arguments": "{}"})
    timeline.watch("answered", {"call": "1", "verdict": ALLOW, "error": None})
    timeline.watch("turn", {"usage": USAGE})
    timeline.watch("proposed", {"call": "1", "tool": "edit_file", "arguments": "{}"})
    timeline.watch("answered", {"call": "1", "verdict": ALLOW, "error": "no such file"})
    timeline.watch("stopped", {"why": "x"})
    assert timeline.calls == [
        Called(step=1, tool="read_file", outcome="allow"),
        Called(step=2, tool="edit_file", outcome="failed"),
    ]
    assert timeline.turns == [Usage(**USAGE), Usage(**USAGE)]


def test_what_it_does_not_know_is_passed_over() -> None:
    timeline = Timeline()
    timeline.watch("turn", {})
    timeline.watch("answered", {"call": "1"})
    assert (timeline.calls, timeline.turns) == ([], [])
