"""Data here, everything else there."""

import io
from typing import cast

from bot.errors import Reason
from bot.refusal import Refusal
from bot.render.language import catalogue
from bot.terminal.pair import Pair
from bot.terminal.screen import screen


class Streams:
    def __init__(self, encoding: str = "utf-8") -> None:
        self.out, self.err = io.BytesIO(), io.BytesIO()
        self.pair = Pair(
            language="en",
            speech=catalogue("en"),
            data=screen(io.TextIOWrapper(self.out, encoding), is_plain=True),
            log=screen(io.TextIOWrapper(self.err, encoding, errors="backslashreplace"), is_plain=True),
            answers=io.StringIO(),
        )

    def said(self) -> str:
        self.pair.log.file.flush()
        return self.err.getvalue().decode()


def test_data_is_utf8_whatever_the_locale_and_has_no_half_characters() -> None:
    streams = Streams("ascii")
    streams.pair.write("größe → \udcff\n")
    assert streams.out.getvalue() == "größe → \\udcff\n".encode()
    assert streams.said() == ""


def test_a_refusal_is_told_with_its_next_step_and_gives_the_exit_code() -> None:
    streams = Streams()
    refusal = Refusal(reason=Reason.STALE_HEAD, detail="it moved\x1b[2J", next_step="plan again")
    assert streams.pair.refuse(refusal) == 3
    assert streams.said() == "It moved⟨U+001B⟩[2J.\n  Next: Plan again.\n"
    assert streams.out.getvalue() == b""


def test_what_was_taken_back_is_named() -> None:
    streams = Streams()
    streams.pair.tell_taken_back(["a", "b"], [])
    assert "as before it: a, b" in streams.said()
    assert "left alone" not in streams.said()
    streams.pair.tell_taken_back(["a"], ["c"])
    assert "left alone: c" in streams.said()


def test_the_streams_of_the_process_hold_any_name() -> None:
    pair = Pair.of_process("es", is_plain=True)
    assert pair.language == "es"
    assert cast("io.TextIOWrapper", pair.log.file) is not None
    assert pair.speech.gettext("deny") == "denegar"
