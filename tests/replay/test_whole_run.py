"""A recorded run read back whole, or the reason why it can't be made again."""

import io
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.errors import BadTranscript, ModelFailed
from bot.outside.archive import FolderArchive
from bot.replay.whole_run import LeftOut, WholeRun, read_whole_run
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.words.redaction import Redactor

CALLS = [
    call("read_file", path="README.md"),
    call("write_file", path="a.md", content="x" * 3_000),
    call("edit_file", path="a.md", old="nowhere", new="x"),
]


def _read(folder: Path, seed: int = 1) -> WholeRun:
    return read_whole_run(io.BytesIO((folder / f"transcript-{seed}.jsonl").read_bytes()), file="t.jsonl")


def test_a_run_is_read_back_with_all_that_was_said_and_done(tmp_path: Path) -> None:
    turns = [turn(*CALLS[:2], text="I look."), turn(CALLS[2]), turn(text="Done.")]
    plan = record(tmp_path, 1, llm=ScriptedLlm(*turns))
    run = _read(tmp_path)
    assert (run.name, run.link) == ("acme/widgets#1 task-1", "https://github.com/acme/widgets/pull/1")
    assert run.turns == tuple(turns)
    assert [act.call for act in run.acts] == CALLS
    assert [act.is_step for act in run.acts] == [False, True, True]
    assert "teh first line" in run.acts[0].answer
    assert "0 matches" in str(run.acts[2].error)
    assert run.elapsed_s == (0.0, 0.0, 0.0)
    assert (run.planned.digest, run.planned.made_at) == (plan.digest, plan.created_at)
    assert len(run.planned.steps) == len(plan.steps) == 2
    assert (run.advice, run.looked) == ((), ())
    assert run.offered == tuple(TOOLS)
    assert not run.needs_other_tools(TOOLS)
    assert run.needs_other_tools({"read_file": TOOLS["read_file"]})


def _failing(folder: Path) -> None:
    class Gone:
        model = "scripted-model"

        def ask(self, messages: Any, *, tools: Any, **room: Any) -> Any:
            raise ModelFailed("gone", next_step="wait")

    with pytest.raises(ModelFailed):
        record(folder, 1, llm=Gone())


def _redacted(folder: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    archive = FolderArchive(folder=folder, redact=Redactor())
    record(
        folder, 1, llm=ScriptedLlm(turn(call("read_file", path=token)), turn(text="Done.")), archive=archive
    )


def _written(*events: dict[str, Any], **began: Any) -> Any:
    def write(folder: Path) -> None:
        with Transcript.begin(folder / "transcript-1.jsonl", **began) as transcript:
            for event in events:
                transcript.note(**event)

    return write


LEFT_OUT = {
    "an apply": (_written(applies="0" * 64), "applies, which perform a plan"),
    "a run in a terminal": (_written(repository="x"), "runs in a terminal"),
    "a run that failed": (_failing, "runs that ended without a plan"),
    "a run with a secret in it": (_redacted, "runs with a secret taken out"),
}


@pytest.mark.parametrize(("make", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_can_not_be_made_again_is_left_out_with_the_reason(tmp_path: Path, make: Any, why: str) -> None:
    make(tmp_path)
    with pytest.raises(LeftOut, match=why):
        _read(tmp_path)


REFUSED = {
    "a prompt that is none": ({"event": "prompted", "model": "m", "tools": [1]}, "line 2: 'prompted'"),
    "an answer of GitHub's that is none": ({"event": "looked", "question": 1}, "line 2: 'looked'"),
    "a turn that is none": ({"event": "turn", "text": 1}, "line 2: 'turn'"),
    "an action that is none": ({"event": "proposed", "call": 1}, "line 2: 'proposed'"),
    "an answer that is none": ({"event": "answered", "error": 1}, "line 2: 'answered'"),
    "a verdict that is none": ({"event": "judged", "look": {}}, "line 2: 'judged'"),
    "advice that is none": ({"event": "advised"}, "line 2: 'advised'"),
    "a plan that is none": ({"event": "planned", "digest": "", "plan": {}, "steps": []}, "line 2: 'planned'"),
    "something given that is nothing": ({"event": "given"}, "line 2: 'given'"),
    "time that is none": ({"event": "stopped", "elapsed_s": "soon"}, "line 2: 'stopped'"),
}


@pytest.mark.parametrize(("event", "told"), REFUSED.values(), ids=REFUSED)
def test_an_event_that_holds_something_else_is_refused_with_its_line(
    tmp_path: Path, event: dict[str, Any], told: str
) -> None:
    _written(event)(tmp_path)
    with pytest.raises(BadTranscript) as refused:
        _read(tmp_path)
    assert f"t.jsonl {told}" in refused.value.what
