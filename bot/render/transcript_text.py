"""Events of a transcript -> lines for a terminal: what was said and done, in order. Pure."""

import json
from collections.abc import Iterator
from typing import Any, Final

from bot.words.sanitise import for_log, for_people

_MOST: Final = 2_000
_QUIET: Final = frozenset({"event", "_after", "_line"})


def transcript_text(number: int, event: dict[str, Any], *, whole: bool = False) -> str:
    """One event. What is long is cut, unless `whole`; nobody's words are obeyed by a terminal."""
    most = None if whole else _MOST
    return "".join(f"{line}\n" for line in _lines(number, event, most))


def _lines(number: int, event: dict[str, Any], most: int | None) -> Iterator[str]:
    kind = event["event"]
    match event:
        case {"event": "began"}:
            yield f"{number:>4}  began {_facts(event, most)}"
        case {"event": "turn", "text": str() as text, "calls": list() as calls}:
            yield f"{number:>4}  the model, calls: {len(calls)}"
            yield from _quoted(text, most)
        case {"event": "proposed", "tool": str() as tool, "arguments": str() as arguments}:
            yield f"{number:>4}  proposed {for_log(tool)} {for_log(_cut(arguments, most))}"
        case {"event": "judged", "look": {"verdict": {"outcome": outcome, "reason": reason, "rule": rule}}}:
            yield f"{number:>4}  {for_log(str(outcome))}: {for_log(str(reason))} ({for_log(str(rule))})"
        case {"event": "answered", "error": str() as error}:
            yield f"{number:>4}  failed: {for_log(_cut(error, most))}"
        case {"event": "answered"}:
            return
        case {"event": "told", "text": str() as text}:
            yield f"{number:>4}  told"
            yield from _quoted(text, most)
        case _:
            yield f"{number:>4}  {for_log(str(kind))} {_facts(event, most)}".rstrip()


def _facts(event: dict[str, Any], most: int | None) -> str:
    facts = {name: value for name, value in event.items() if name not in _QUIET}
    return for_log(_cut(json.dumps(facts, ensure_ascii=False), most)) if facts else ""


def _quoted(text: str, most: int | None) -> Iterator[str]:
    for line in for_people(_cut(text, most)).rstrip("\n").split("\n") if text.strip() else ():
        yield f"      │ {line}"


def _cut(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text) - most:,} more characters)"
