"""What a command did is noted as it did it, and given again the same, byte for byte."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes import MemoryTree

from bot.errors import ToolFailed
from bot.noted.trials import NotedTrials, RecordedTrials, Trial, TriedThen, take_over
from bot.outside.search import Ripgrep
from bot.transcript import Transcript
from bot.workspace import Entry, Mode, blob_sha
from bot.workspace.copied import Made
from bot.workspace.overlay import Overlay
from bot.world import Ran


def made(path: str, content: bytes | None, mode: Mode = Mode.FILE) -> Made:
    entry = None if content is None else Entry(mode=mode, blob=blob_sha(content))
    return Made(path=path, entry=entry, content=content)


TRIAL = Trial(
    ran=Ran(exit_code=0, output="said\n", unconfined="a bit"),
    made=(made("a", b"x\n"), made("b", b"\xff\x00", Mode.EXECUTABLE), made("c", None)),
    unsteady=("b",),
)


def overlay() -> Overlay:
    return Overlay(MemoryTree({"c": "c\n", "d": "d\n"}), Ripgrep())


@dataclass
class One:
    trial: Trial

    def has(self, step: int, command: str) -> bool:
        return True

    def of(self, step: int, command: str, *, overlay: Overlay, timeout_s: float) -> Trial:
        return self.trial


def test_what_was_noted_is_given_again(tmp_path: Path) -> None:
    file = tmp_path / "transcript.jsonl"
    with Transcript.begin(file) as transcript:
        noted = NotedTrials(trials=One(TRIAL), transcript=transcript)
        assert noted.of(3, "make", overlay=overlay(), timeout_s=1) == TRIAL
    events = [json.loads(line) for line in file.read_text().splitlines()]
    tried = [TriedThen.model_validate(event) for event in events if event.get("event") == "tried"]
    again = RecordedTrials.of_run(tried)
    assert again.of(3, "make", overlay=overlay(), timeout_s=1) == TRIAL
    assert (again.has(3, "make"), again.has(3, "other"), again.has(2, "make")) == (True, False, False)
    with pytest.raises(ToolFailed, match="was not tried"):
        again.of(2, "make", overlay=overlay(), timeout_s=1)


def test_an_overlay_becomes_what_was_made() -> None:
    files = overlay()
    take_over(TRIAL.made, files)
    changed = {change.path: change.content_after for change in files.changes()}
    assert changed == {"a": b"x\n", "b": b"\xff\x00", "c": None}
    assert files.entry("b") == Entry(mode=Mode.EXECUTABLE, blob=blob_sha(b"\xff\x00"))


def test_a_file_may_become_a_folder() -> None:
    files = overlay()
    take_over((made("d/new", b"n\n"), made("d", None)), files)
    assert files.read("d/new") == b"n\n"


def test_a_link_is_held_by_no_plan() -> None:
    with pytest.raises(ToolFailed, match="symbolic link l"):
        take_over((made("l", b"/etc/passwd", Mode.LINK),), overlay())
