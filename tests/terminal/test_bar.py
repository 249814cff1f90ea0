"""A bar for whoever looks at a terminal, and nothing at all for whoever doesn't."""

import io

import pytest

from bot.terminal.bar import bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(stream: io.StringIO, *, is_plain: bool = False) -> str:
    with bar(stream, total=300, what="Replaying", is_plain=is_plain) as one_done:
        for _ in range(120):
            one_done()
    return stream.getvalue()


def test_a_terminal_shows_how_far_it_is() -> None:
    shown = _shown(Terminal())
    assert "Replaying" in shown
    assert "120/300" in shown


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_nobody_else_gets_any_of_it(stream: io.StringIO) -> None:
    assert _shown(stream, is_plain=stream.isatty()) == ""
