"""One line of each recorded run, whatever became of it."""

import io
from pathlib import Path

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.errors import BadTranscript
from bot.replay.outline import Outline, outline
from bot.transcript import Transcript


def _outline(content: bytes) -> Outline:
    return outline(io.BytesIO(content), file="t.jsonl")


def test_a_run_is_told_by_what_it_was_and_came_to(tmp_path: Path) -> None:
    asked = [
        call("read_file", path="README.md"),
        call("write_file", path="a.md", content="x"),
        call("write_file", path="vendor/a.py", content="x"),
        call("run_command", command="ls"),
    ]
    record(tmp_path, 3, llm=ScriptedLlm(turn(*asked), turn(text="Done.")))
    found = _outline((tmp_path / "transcript-3.jsonl").read_bytes())
    assert (found.name, found.model, found.ended) == ("acme/widgets#3 task-3", "scripted-model", "planned")
    assert (found.actions, dict(found.outcomes)) == (4, {"allow": 2, "ask": 1, "deny": 1})
    assert found.run_id.startswith("run-")


def test_how_a_run_ended_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with Transcript.begin(file, applies="0" * 64):
        pass
    assert _outline(file.read_bytes()).ended == "applied"
    with pytest.raises(KeyError), Transcript.begin(file, task="x"):
        raise KeyError
    assert _outline(file.read_bytes()).ended == "failed"
    assert _outline(file.read_bytes().splitlines(keepends=True)[0]).ended == "killed"
    with Transcript.begin(file, repository="acme/widgets", task=None, began_at="2026-11-30T12:00:00Z"):
        pass
    found = _outline(file.read_bytes())
    assert (found.ended, found.name, found.began_at) == ("done", "acme/widgets", "2026-11-30T12:00:00Z")


def test_what_is_no_transcript_is_refused_with_its_line() -> None:
    with pytest.raises(BadTranscript, match=r"t\.jsonl line 1"):
        _outline(b"words\n")
