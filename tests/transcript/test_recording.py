"""What is wrong with a transcript is told with its line; every change of a byte of one is found."""

import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import BadTranscript
from bot.transcript import Transcript
from bot.transcript.recording import Recording

LONG = "long " * 1_000


def _made(folder: Path, name: str = "one") -> list[bytes]:
    transcript = Transcript.begin(folder / f"{name}.jsonl", task=name)
    for number in range(4):
        transcript.note("turn", text=f"turn {number} of {name}", number=number)
    transcript.note("told", text=LONG)
    transcript.end()
    return transcript.file.read_bytes().splitlines(keepends=True)


def _refused(content: bytes, *, unfinished: bool = False) -> str | None:
    recording = Recording(io.BytesIO(content), file="a.jsonl", unfinished=unfinished)
    try:
        list(recording.events())
    except BadTranscript as refused:
        return refused.what
    return None


def _swapped(lines: list[bytes], one: int, other: int) -> list[bytes]:
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def _with(lines: list[bytes], at: int, line: bytes) -> list[bytes]:
    lines[at] = line
    return lines


Damage = Callable[[list[bytes], Path], list[bytes]]
DAMAGED: dict[str, tuple[Damage, str]] = {
    "empty": (lambda lines, _: [], "line 1: the transcript ends here"),
    "cut after a line": (lambda lines, _: lines[:3], "line 3: the transcript ends here, before the run does"),
    "cut within a line": (lambda lines, _: [*lines[:3], lines[3][:40]], "line 4: the line breaks off"),
    "without its last line": (lambda lines, _: lines[:-1], "line 7: the transcript ends here"),
    "without its last line end": (
        lambda lines, _: _with(lines, -1, lines[-1][:-1]),
        "line 8: the line breaks",
    ),
    "a line left out": (lambda lines, _: lines[:2] + lines[3:], "line 3: it says it is line 4"),
    "two lines swapped": (lambda lines, _: _swapped(lines, 2, 3), "line 3: it says it is line 4"),
    "a line twice": (lambda lines, _: [*lines[:3], *lines[2:]], "line 4: it says it is line 3"),
    "a word changed": (
        lambda lines, _: _with(lines, 2, lines[2].replace(b"turn 1", b"turn 7")),
        "line 4: it doesn't follow on line 3",
    ),
    "a stored text changed": (
        lambda lines, _: _with(lines, 5, lines[5].replace(b"long", b"lang")),
        "line 7: it doesn't follow on line 6",
    ),
    "the last line but one changed": (
        lambda lines, _: _with(lines, -2, lines[-2].replace(b"told", b"tald")),
        "line 8: it doesn't follow on line 7",
    ),
    "the last line changed": (
        lambda lines, _: _with(lines, -1, lines[-1].replace(b"ended", b"enden")),
        "line 8: the transcript ends here",
    ),
    "another run's line": (
        lambda lines, folder: _with(lines, 3, _made(folder, "other")[3]),
        "line 4: it doesn't follow on line 3",
    ),
    "another run's beginning": (
        lambda lines, folder: [*_made(folder, "other")[:2], *lines[2:]],
        "line 3: it doesn't follow on line 2",
    ),
    "two runs in one file": (
        lambda lines, folder: [*lines, *_made(folder, "other")],
        "line 9: something follows the end",
    ),
    "an empty line": (
        lambda lines, _: [*lines[:2], b"\n", *lines[2:]],
        "line 3: this is no line of a transcript",
    ),
    "something that is no JSON": (
        lambda lines, _: [b"# notes\n", *lines],
        "line 1: this is no transcript of",
    ),
    "JSON of another program": (lambda lines, _: [b'[{"traj": []}]'], "line 1: this is no transcript of"),
    "a plan": (lambda lines, _: [b'{"schema":"dryrun-bot/plan/1"}\n'], "line 1: this is no transcript of"),
    "another family's schema": (lambda lines, _: [b'{"schema":["x"]}\n'], "line 1: this is no transcript of"),
    "a newer schema": (
        lambda lines, _: _with(lines, 0, lines[0].replace(b"transcript/1", b"transcript/2")),
        "line 1: the transcript says dryrun-bot/transcript/2, and this version reads dryrun-bot/transcript/1",
    ),
    "an older schema": (
        lambda lines, _: _with(lines, 0, lines[0].replace(b"transcript/1", b"transcript/0")),
        "line 1: the transcript says dryrun-bot/transcript/0",
    ),
    "nested without end": (lambda lines, _: [*lines[:2], b'{"_after":' + b"[" * 100_000 + b"\n"], "line 3:"),
    "a beginning that says something is before it": (
        lambda lines, _: _with(lines, 0, lines[0].replace(b"00000000", b"00000001", 1)),
        "line 1: it says that a line comes before it",
    ),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGED.values(), ids=DAMAGED)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, damage: Damage, told: str) -> None:
    lines = _made(tmp_path)
    assert _refused(b"".join(lines)) is None
    refused = _refused(b"".join(damage(lines, tmp_path)))
    assert refused is not None
    assert f"a.jsonl {told}" in refused


def test_a_newer_schema_says_to_upgrade(tmp_path: Path) -> None:
    content = b"".join(_made(tmp_path)).replace(b"transcript/1", b"transcript/12")
    with pytest.raises(BadTranscript) as refused:
        list(Recording(io.BytesIO(content), file="a.jsonl").lines())
    assert "upgrade" in refused.value.next_step


def test_no_byte_can_be_changed_unseen(tmp_path: Path) -> None:
    content = b"".join(_made(tmp_path))
    chosen = random.Random(7)
    for at in chosen.sample(range(len(content)), 400):
        changed = bytearray(content)
        changed[at] ^= chosen.choice([1, 2, 4, 8, 16, 32])
        assert _refused(bytes(changed)) is not None, at


FORGED: dict[str, tuple[list[dict[str, object]], str]] = {
    "a text that nobody stored": (
        [{"event": "told", "text": {"$text": "0" * 64}}],
        "line 2: it names a text",
    ),
    "a text under another one's name": (
        [
            {"event": "text", "sha256": "0" * 64, "text": "words"},
            {"event": "told", "text": {"$text": "0" * 64}},
        ],
        "line 2: the text is not the one",
    ),
    "a text that is a number": (
        [{"event": "text", "sha256": "0" * 64, "text": 7}, {"event": "told", "text": {"$text": "0" * 64}}],
        "line 2: the text is not the one",
    ),
    "no event": ([{"text": "words"}], "line 2: the line names no event"),
}


@pytest.mark.parametrize(("lines", "told"), FORGED.values(), ids=FORGED)
def test_a_chain_that_somebody_else_made_is_read_with_care(
    tmp_path: Path, lines: list[dict[str, object]], told: str
) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl")
    for line in lines:
        transcript._write(line)  # type: ignore[arg-type]
    transcript.end()
    assert f"a.jsonl {told}" in str(_refused(transcript.file.read_bytes()))


def test_an_unfinished_run_is_read_only_where_that_is_asked_for(tmp_path: Path) -> None:
    content = b"".join(_made(tmp_path)[:4])
    assert _refused(content) is not None
    assert _refused(content, unfinished=True) is None
    assert _refused(content + b'{"half', unfinished=True) is None
    assert _refused(b"", unfinished=True) is not None
    assert _refused(content[:50], unfinished=True) is not None
    assert "line 3" in str(_refused(content.replace(b"turn 0", b"turn 9"), unfinished=True))
    recording = Recording(io.BytesIO(content), file="a.jsonl", unfinished=True)
    assert len(list(recording.lines())) == 4
    assert not recording.is_whole


def test_a_recording_knows_the_run_that_it_is_of(tmp_path: Path) -> None:
    transcript = Transcript.begin(tmp_path / "t.jsonl", task="tidy")
    transcript.end()
    recording = Recording(io.BytesIO(transcript.file.read_bytes()), file="t.jsonl")
    events = [json.loads(b"{" + body)["event"] for _, body in recording.lines()]
    assert (recording.run_id, recording.is_whole, events) == (transcript.run_id, True, ["began", "ended"])
