"""What was said and done, in order, and nothing in it that a terminal obeys."""

from typing import Any

import pytest

from bot.render.transcript_text import transcript_text

HOSTILE = "\x1b]0;x\x07\u202e::error::x"
EVENTS: dict[str, tuple[dict[str, Any], str]] = {
    "its beginning": ({"event": "began", "task": "tidy"}, '   7  began {"task": "tidy"}\n'),
    "words and calls": (
        {"event": "turn", "text": "I look.\nThen.", "calls": [{}, {}]},
        "   7  the model, calls: 2\n      │ I look.\n      │ Then.\n",
    ),
    "no words": ({"event": "turn", "text": " ", "calls": []}, "   7  the model, calls: 0\n"),
    "a call": (
        {"event": "proposed", "tool": "read_file", "arguments": '{"path": "a"}'},
        '   7  proposed read_file {"path": "a"}\n',
    ),
    "a verdict": (
        {"event": "judged", "look": {"verdict": {"outcome": "ask", "reason": "Because.", "rule": "r"}}},
        "   7  ask: Because. (r)\n",
    ),
    "an answer, which the model is told next": ({"event": "answered", "error": None, "text": "x"}, ""),
    "a failure": ({"event": "answered", "error": "no room", "text": "x"}, "   7  failed: no room\n"),
    "what the model was told": ({"event": "told", "text": "x\n"}, "   7  told\n      │ x\n"),
    "its end": ({"event": "ended", "_line": 7, "_after": "0"}, "   7  ended\n"),
    "something of a later version": ({"event": "new", "x": 1}, '   7  new {"x": 1}\n'),
    "something of an odd shape": ({"event": "turn", "text": 1}, '   7  turn {"text": 1}\n'),
}


@pytest.mark.parametrize(("event", "shown"), EVENTS.values(), ids=EVENTS)
def test_each_event_has_its_lines(event: dict[str, Any], shown: str) -> None:
    assert transcript_text(7, event) == shown


def test_what_is_long_is_cut_unless_all_is_wanted() -> None:
    event = {"event": "told", "text": "x" * 9_000}
    assert "(7,000 more characters)" in transcript_text(1, event)
    assert "x" * 9_000 in transcript_text(1, event, whole=True)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("kind", ["began", "turn", "proposed", "judged", "told", "answered", HOSTILE])
def test_no_word_is_obeyed(kind: str, whole: bool) -> None:  # noqa: FBT001
    verdict = dict.fromkeys(("outcome", "reason", "rule"), HOSTILE)
    words = dict.fromkeys(("tool", "arguments", "text", "error", HOSTILE), HOSTILE)
    event = {"event": kind, "calls": [], "look": {"verdict": verdict}, **words}
    shown = transcript_text(1, event, whole=whole)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
