"""Every line is there before it counts, and can be read by any JSON reader."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.transcript import Transcript


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_transcript_begins_with_its_schema_and_what_it_is_about(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "deep/er/transcript.jsonl", task="tidy", pull_request=7)
    assert _lines(transcript.file) == [
        {
            "schema": "dryrun-bot/transcript/1",
            "line": 1,
            "event": "began",
            "task": "tidy",
            "pull_request": 7,
        }
    ]


def test_each_line_is_on_disk_when_the_next_one_is_made(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    for number in range(2, 5):
        transcript.note("turn", number=number)
        assert _lines(transcript.file)[-1] == {"line": number, "event": "turn", "number": number}
    assert transcript.lines == 4


def test_an_older_transcript_of_the_name_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    Transcript.begin(file).note("turn")
    Transcript.begin(file)
    assert [line["event"] for line in _lines(file)] == ["began"]


ODD: dict[str, tuple[object, object]] = {
    "line ends stay inside a line": ("a\nb\r\n\u2028", "a\nb\r\n\u2028"),
    "half a character": ("\ud800", r"\ud800"),
    "numbers that JSON can't carry": ([float("nan"), float("inf"), 2**60], ["nan", "inf", str(2**60)]),
    "nothing": (None, None),
    "deep": ({"a": [{"b": [1]}]}, {"a": [{"b": [1]}]}),
}


@pytest.mark.parametrize(("fact", "stored"), ODD.values(), ids=ODD)
def test_whatever_was_said_is_stored(tmp_path: Path, fact: object, stored: object) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    transcript.note("turn", fact=fact)
    raw = transcript.file.read_bytes()
    assert raw.count(b"\n") == 2
    assert json.loads(raw.split(b"\n")[1])["fact"] == stored


def test_secrets_are_taken_out_text_by_text_and_the_line_stays_whole(tmp_path: Path) -> None:
    transcript = Transcript.begin(
        tmp_path / "t.jsonl", redact=lambda text: text.replace("s3cret", "***"), task="s3cret"
    )
    transcript.note("turn", text="it is s3cret", deep=[{"s3cret": "s3cret"}], split=["s3c", "ret"])
    began, turn = _lines(transcript.file)
    assert began["task"] == "***"
    assert turn["text"] == "it is ***"
    assert "s3cret" not in transcript.file.read_text().replace('"s3c","ret"', "")
