"""A transcript of our own as a run: what is read of it, and what is refused."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.action import Call
from bot.errors import BadTranscript
from bot.replay.own_run import OwnRun, read_own_run
from bot.replay.sight import Sights
from bot.transcript import Transcript
from bot.transcript.recording import Recording


def _read(file: Path) -> OwnRun:
    return read_own_run(Recording(io.BytesIO(file.read_bytes()), file=file.name), Sights())


def test_a_run_knows_its_name_its_actions_and_where_people_find_it(tmp_path: Path) -> None:
    asked = [
        call("read_file", path="README.md"),
        call("write_file", path="a.md", content="x" * 5_000),
        Call(id="c", tool="write_file", arguments="{not json"),
    ]
    record(tmp_path, 7, llm=ScriptedLlm(turn(*asked), turn(text="Done.")))
    run = _read(tmp_path / "transcript-7.jsonl")
    assert run.name == "acme/widgets#7 task-7"
    assert run.link() == "https://github.com/acme/widgets/pull/7"
    assert not run.is_apply
    assert [run.described(number) for number in (1, 2, 3)] == [
        ("read_file", "read_file → README.md"),
        ("write_file", "write_file → a.md"),
        ("write_file", "write_file → (no arguments)"),
    ]
    assert [sight.look.tool for sight in run.sights] == ["read_file", "write_file", "write_file"]


def test_a_run_is_found_where_it_was_recorded(tmp_path: Path) -> None:
    record(tmp_path, 7, home="https://ghe.example/acme/widgets")
    assert _read(tmp_path / "transcript-7.jsonl").link() == "https://ghe.example/acme/widgets/pull/7"


def _forged(folder: Path, *notes: Mapping[str, object], **began: Any) -> Path:
    with Transcript.begin(folder / "t.jsonl", **began) as transcript:
        for note in notes:
            transcript.note(**note)  # type: ignore[arg-type]
    return transcript.file


def test_an_apply_is_told_from_a_dry_run(tmp_path: Path) -> None:
    assert _read(_forged(tmp_path, repository="acme/widgets", applies="0" * 64)).is_apply


@pytest.mark.parametrize(
    "repository", ["javascript:alert(1)//", "acme/../..", "", "a/b/c", "[x](http://evil)"]
)
def test_a_forged_repository_is_no_link(tmp_path: Path, repository: str) -> None:
    assert _read(_forged(tmp_path, repository=repository, pull_request=1)).link() is None


LOOK = {
    "tool": "a",
    "kind": "read",
    "verdict": {"outcome": "allow", "rule": "r", "reason": "x", "source": "s"},
}
FORGED: dict[str, tuple[Sequence[Mapping[str, object]], dict[str, object], str]] = {
    "a number that is none": ([], {"pull_request": "seven"}, "line 1: pull_request"),
    "an action that nobody proposed": (
        [{"event": "judged", "look": LOOK}],
        {},
        "line 2: an action is judged here that no line before proposes",
    ),
    "two verdicts on one": (
        [{"event": "proposed", "arguments": "{}"}, *[{"event": "judged", "look": LOOK}] * 2],
        {},
        "line 4: an action is judged here",
    ),
    "a look that is none": (
        [{"event": "proposed", "arguments": "{}"}, {"event": "judged", "look": {"tool": "a"}}],
        {},
        "line 3: the record of the action is not one",
    ),
    "an outcome that is none": (
        [
            {"event": "proposed", "arguments": "{}"},
            {"event": "judged", "look": {**LOOK, "verdict": {**LOOK["verdict"], "outcome": "maybe"}}},  # type: ignore[dict-item]
        ],
        {},
        "line 3: the record of the action is not one",
    ),
    "a look with more in it": (
        [{"event": "proposed", "arguments": "{}"}, {"event": "judged", "look": {**LOOK, "granted": True}}],
        {},
        "line 3: the record of the action is not one",
    ),
}


@pytest.mark.parametrize(("notes", "began", "told"), FORGED.values(), ids=FORGED)
def test_what_somebody_else_made_up_is_refused_with_its_line(
    tmp_path: Path, notes: Sequence[Mapping[str, object]], began: dict[str, object], told: str
) -> None:
    with pytest.raises(BadTranscript) as refused:
        _read(_forged(tmp_path, *notes, **began))
    assert f"t.jsonl {told}" in refused.value.what
