"""A path as the model wrote it reaches one file, or none."""

import pytest

from bot.errors import ToolFailed
from bot.tools.reach import reached, shown

REACHED = {"a": "a", "./a": "a", "a/../b": "b", "a//b/": "a/b", "ä/b c": "ä/b c", "": "", ".": ""}


@pytest.mark.parametrize(("written", "normal"), REACHED.items())
def test_a_path_has_one_normal_form(written: str, normal: str) -> None:
    assert reached(written) == normal


@pytest.mark.parametrize(
    "written", ["../a", "/a", "a/../../b", "C:/a", "a\\b", "~/a", "-a", "a\u202eb", "a\0b", "a\nb"]
)
def test_a_path_with_a_fault_reaches_nothing(written: str) -> None:
    with pytest.raises(ToolFailed):
        reached(written)


SHOWN = {
    "plain": ("docs/ä b.md", "docs/ä b.md"),
    "a line feed": ("a\nb", '"a\\nb"'),
    "an escape": ("a\x1b[31m", '"a\\u001b[31m"'),
    "a direction": ("a\u202eb", '"a\\u202eb"'),
    "bytes that are not UTF-8": ("a\udcff", '"a\\udcff"'),
}


@pytest.mark.parametrize(("path", "line"), SHOWN.values(), ids=SHOWN)
def test_a_path_is_shown_on_one_line_with_nothing_hidden(path: str, line: str) -> None:
    assert shown(path) == line
    shown(path).encode()
