"""Whatever the form, values come one after the other, with the line on which each begins."""

import io
import json
from typing import Any

import pytest

from bot.errors import BadTranscript
from bot.replay.json_stream import JsonStream

LONG = "x" * 3_000_000
FORMS: dict[str, tuple[str, list[tuple[int, Any]]]] = {
    "nothing": ("", []),
    "white space": (" \n\t\n", []),
    "one value": ('{\n "a": 1\n}\n', [(1, {"a": 1})]),
    "one a line": ('{"a": 1}\n\n{"a": 2}\r\n{"a": 3}', [(1, {"a": 1}), (3, {"a": 2}), (4, {"a": 3})]),
    "a list": ('[\n{"a": 1},\n{"a": 2}\n]\n', [(2, {"a": 1}), (3, {"a": 2})]),
    "an empty list": ("[ ]", []),
    "a list of lists": ("[[1], [2]]", [(1, [1]), (1, [2])]),
    "numbers": ("1\n22\n-3.5e2", [(1, 1), (2, 22), (3, -350.0)]),
    "a byte order mark": ("\ufeff[1]", [(1, 1)]),
    "longer than a piece": (
        json.dumps([LONG, 1, LONG + "\n"]) + "\n",
        [(1, LONG), (1, 1), (1, LONG + "\n")],
    ),
    "letters of several bytes at a piece's end": (
        json.dumps(["ä" * 2_000_000], ensure_ascii=False),
        [(1, "ä" * 2_000_000)],
    ),
    "a number at a piece's end": ("[" + " " * ((1 << 20) - 3) + "1234]", [(1, 1234)]),
    "a word at a piece's end": ("[" + " " * ((1 << 20) - 3) + "true]", [(1, True)]),
}


@pytest.mark.parametrize(("text", "values"), FORMS.values(), ids=FORMS)
def test_values_come_with_their_lines(text: str, values: list[tuple[int, Any]]) -> None:
    assert list(JsonStream(io.BytesIO(text.encode()), file="a.json").values()) == values


BROKEN: dict[str, tuple[bytes, str]] = {
    "cut within a list": (b'[\n{"a": 1},\n{"a"', "line 3: no JSON"),
    "cut after a value": (b'[\n{"a": 1}\n', "line 3: the list breaks off"),
    "cut within a string": (b'{"a": 1}\n{"a": "x', "line 2: no JSON: Unterminated string"),
    "no comma": (b"[1\n2]", "line 2: a comma is missing"),
    "a comma too many": (b"[1,\n]", "line 2: no JSON"),
    "words": (b'{"a": 1}\nnotes\n', "line 2: no JSON"),
    "a mistake deep in a value": (b'{"a": 1}\n{\n"b":\n[1, oops]\n}\n' + b" " * 50, "line 4: no JSON"),
    "something after a list": (b"[1]\n[2]", "line 2: something follows"),
    "no UTF-8": (b'{"a": "\xff\xfe"}' + b" " * 9, "line 1: from here on"),
    "a number that is none": (b'{"a": NaN}', "line 1: no JSON: NaN"),
    "a number that is too long": (b'{"a": ' + b"9" * 5_000 + b"}", "line 1: no JSON"),
    "nested without end": (b"[1,\n" + b"[" * 200_000, "line 2: no JSON that can be read"),
}


@pytest.mark.parametrize(("text", "told"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_json_is_told_with_its_line(text: bytes, told: str) -> None:
    with pytest.raises(BadTranscript) as refused:
        list(JsonStream(io.BytesIO(text), file="a.json").values())
    assert f"a.json {told}" in refused.value.what


def test_a_long_file_is_not_held_in_memory() -> None:
    class Endless(io.RawIOBase):
        read_so_far = 0

        def read(self, size: int = -1) -> bytes:
            self.read_so_far += size
            return (b'{"a": "' + b"x" * 1_000 + b'"}\n') * (size // 1_010)

    stream = JsonStream(Endless(), file="a.json")  # type: ignore[arg-type]
    values = stream.values()
    for _ in range(20_000):
        next(values)
    assert len(stream._text) < 3 << 20
