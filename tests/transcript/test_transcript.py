"""Every line is there before it counts, can be read by any JSON reader, and vouches for the one before."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ModelFailed
from bot.transcript import Transcript
from bot.transcript.recording import Recording


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _events(file: Path, *, unfinished: bool = False) -> list[dict[str, Any]]:
    with file.open("rb") as stream:
        recording = Recording(stream, file=file.name, unfinished=unfinished)
        return [event for _, event in recording.events()]


def test_a_transcript_begins_with_its_schema_and_what_it_is_about(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "deep/er/transcript.jsonl", task="tidy", pull_request=7)
    assert _lines(transcript.file) == [
        {
            "_after": "0" * 64,
            "_line": 1,
            "schema": "dryrun-bot/transcript/1",
            "event": "began",
            "task": "tidy",
            "pull_request": 7,
        }
    ]


def test_each_line_is_on_disk_when_the_next_one_is_made_and_names_the_one_before(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    for number in range(2, 5):
        before = transcript.file.read_bytes().splitlines()[-1]
        transcript.note("turn", number=number)
        assert _lines(transcript.file)[-1] == {
            "_after": hashlib.sha256(before).hexdigest(),
            "_line": number,
            "event": "turn",
            "number": number,
        }
    assert transcript.lines == 4


@pytest.mark.parametrize("is_ended", [True, False])
def test_the_file_is_opened_once_and_closed_with_the_last_line_or_the_last_holder(
    tmp_path: Path, *, is_ended: bool
) -> None:
    def held() -> int:
        return sum(os.path.sameopenfile(number, given) for number in range(256) if _is_open(number))

    transcript = Transcript.begin(tmp_path / "t.jsonl")
    with transcript.file.open("rb") as stream:
        given = stream.fileno()
        moved = transcript.file.rename(tmp_path / "moved.jsonl")
        transcript.note("turn")
        assert (held(), len(_lines(moved)), transcript.file.exists()) == (2, 2, False)
        if is_ended:
            transcript.end()
        else:
            del transcript
        assert held() == 1


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def test_a_run_is_named_by_its_first_line(tmp_path: Path) -> None:
    one, same, other = (
        Transcript.begin(tmp_path / f"{number}.jsonl", pull_request=number // 2) for number in (2, 3, 4)
    )
    assert one.run_id == same.run_id != other.run_id
    assert one.run_id.startswith("run-")


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


LONG = "ä" * 5_000
NAMED: dict[str, object] = {
    "a long text": LONG,
    "deep inside": {"a": [LONG, {"b": LONG}]},
    "a field that is called as a stored text is": {"$text": LONG},
    "and one that is called as that is spelled": {"$$text": "short", "$text": "short", "$": 1, "text": LONG},
    "a field that only looks like a stored text": {"$text": "0" * 64},
    "a name that is too long": {LONG: LONG},
}


@pytest.mark.parametrize("fact", NAMED.values(), ids=NAMED)
def test_long_texts_are_stored_once_and_come_back_in_their_places(tmp_path: Path, fact: object) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    for _ in range(3):
        transcript.note("turn", fact=fact)
    transcript.end()
    stored = [line for line in _lines(transcript.file) if line["event"] == "text"]
    assert len(stored) <= 1
    assert [event["fact"] for event in _events(transcript.file) if event["event"] == "turn"] == [fact] * 3


def test_secrets_are_taken_out_text_by_text_and_the_line_stays_whole(tmp_path: Path) -> None:
    transcript = Transcript.begin(
        tmp_path / "t.jsonl", redact=lambda text: text.replace("s3cret", "***"), task="s3cret"
    )
    transcript.note("turn", text="it is s3cret", deep=[{"s3cret": "s3cret"}], split=["s3c", "ret"])
    transcript.note("turn", text="s3cret" + LONG)
    transcript.note("turn", text="nothing")
    transcript.end()
    began, turn, long, nothing, _ = _events(transcript.file)
    assert began["task"] == "***"
    assert turn["text"] == "it is ***"
    assert long["text"] == "***" + LONG
    assert [event.get("redacted") for event in (began, turn, long, nothing)] == [True, True, True, None]
    assert "s3cret" not in transcript.file.read_text().replace('"s3c","ret"', "")


def test_nothing_is_added_after_the_end(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    transcript.end()
    with pytest.raises(ValueError, match="has ended"):
        transcript.note("turn")


FAILURES: dict[str, tuple[BaseException, dict[str, Any]]] = {
    "no answer": (ModelFailed("The model is gone", next_step="wait"), {"what": "The model is gone"}),
    "a fault of our own, whose words may be anybody's": (KeyError("words"), {"what": ""}),
    "interrupted": (KeyboardInterrupt(), {"what": ""}),
}


@pytest.mark.parametrize(("error", "told"), FAILURES.values(), ids=FAILURES)
def test_a_run_that_fails_says_so_and_ends(
    tmp_path: Path, error: BaseException, told: dict[str, Any]
) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    with pytest.raises(type(error)), transcript:
        raise error
    failed, ended = _events(transcript.file)[1:]
    assert (failed["error"], failed["what"]) == (type(error).__name__, told["what"])
    assert ended["event"] == "ended"


def test_a_run_that_was_killed_is_read_as_far_as_it_got(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    transcript.note("turn", text="one")
    with transcript.file.open("ab") as stream:
        stream.write(b'{"_after":"half a li')
    assert [event["event"] for event in _events(transcript.file, unfinished=True)] == ["began", "turn"]
