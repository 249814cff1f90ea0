"""However long an output is, its two ends are told and every line between can be asked for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ToolFailed
from bot.tools.outputs import Outputs

LEFT_OUT = re.compile(
    r"\n\[lines ([\d,]+) to ([\d,]+) of ([\d,]+) are left out here; read_output with output 1 and start_line "
    r"(\d+) shows them\]\n"
)


def _number(spelled: str) -> int:
    return int(spelled.replace(",", ""))


def test_what_is_short_is_told_whole_and_not_kept() -> None:
    outputs = Outputs()
    assert outputs.told("one\ntwo\n") == "one\ntwo\n"
    with pytest.raises(ToolFailed, match="none: no result was cut"):
        outputs.lines(1)


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=3_000), min_size=30, max_size=60))
def test_the_ends_and_the_lines_between_are_the_whole(lines: list[str]) -> None:
    output = "\n".join([*lines, "x" * 31_000])
    outputs = Outputs()
    told = outputs.told(output)
    assert len(told) <= 30_000 + 200
    gap = LEFT_OUT.search(told)
    assert gap is not None
    first, last, total = (_number(gap[group]) for group in (1, 2, 3))
    kept = outputs.lines(1)
    assert (first, len(kept)) == (int(gap[4]), total)
    head, tail = told[: gap.start()].split("\n"), told[gap.end() :].split("\n")
    assert head + kept[first - 1 : last] + tail == kept
    assert "".join(kept) == output.replace("\n", "")


def test_the_end_of_a_long_output_is_told_where_failures_are_summed_up() -> None:
    told = Outputs().told("\n".join(f"test {number} passed" for number in range(9_000)) + "\n1 failed")
    assert told.startswith("test 0 passed\n")
    assert told.endswith("\n1 failed")


def test_outputs_are_numbered_in_the_order_in_which_they_came() -> None:
    outputs = Outputs()
    for letter in "ab":
        outputs.told(f"{letter}\n" * 20_000)
    assert (outputs.lines(1)[0], outputs.lines(2)[0]) == ("a", "b")
    with pytest.raises(ToolFailed, match="there is no output 3; the last one is 2"):
        outputs.lines(3)


def test_the_oldest_is_let_go_before_memory_is() -> None:
    outputs = Outputs()
    for _ in range(20):
        outputs.told("x" * 1_000_000)
    with pytest.raises(ToolFailed, match="output 4 is no longer kept"):
        outputs.lines(4)
    assert sum(map(len, outputs.lines(20))) == 1_000_000
