"""A plan and all that it depends on are in the transcript, so that the same can be made again."""

import hashlib
import io
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.action import canonical
from bot.errors import SecretInPlan
from bot.noted.given import read_given
from bot.outside.archive import FolderArchive
from bot.planning import parts_of
from bot.transcript.recording import Recording
from bot.words.redaction import Redactor


def _events(folder: Path, seed: int) -> dict[str, dict[str, Any]]:
    """The last of each kind."""
    content = (folder / f"transcript-{seed}.jsonl").read_bytes()
    return {event["event"]: event for _, event in Recording(io.BytesIO(content), file="t").events()}


def test_what_was_given_and_what_came_of_it_are_in_the_transcript(tmp_path: Path) -> None:
    plan = record(tmp_path, 4)
    events = _events(tmp_path, 4)
    given = read_given(events["given"])
    assert given.assignment.words == "Do the things that task 4 asks for."
    assert given.situation.pull_request.number == 4
    planned = events["planned"]
    assert planned["digest"] == plan.digest
    assert planned["plan"]["created_at"] == "2026-11-30T12:04:00Z"
    assert planned["plan"]["task"]["name"] == "task-4"
    assert "steps" not in planned["plan"]
    steps = plan.model_dump(mode="json")["steps"]
    assert planned["steps"] == [hashlib.sha256(canonical(step)).hexdigest() for step in steps]
    assert planned | parts_of(plan) == planned


def test_a_plan_that_holds_a_secret_of_the_job_is_kept_nowhere(tmp_path: Path) -> None:
    secret = "the-secret-of-this-very-job"
    redact = Redactor((secret,))
    leak = ScriptedLlm(turn(call("write_file", path="a.md", content=secret)), turn(text="Done."))
    with pytest.raises(SecretInPlan):
        record(tmp_path, 5, llm=leak, redact=redact, archive=FolderArchive(folder=tmp_path, redact=redact))
    assert not list(tmp_path.glob("plan-*"))
    content = (tmp_path / "transcript-5.jsonl").read_text()
    assert secret not in content
    assert '"event":"failed"' in content
    assert "planned" not in _events(tmp_path, 5)
