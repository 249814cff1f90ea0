"""Recorded answers as long as the same is asked; from the first other call on, the files as they are then."""

import io
import json
from pathlib import Path

import pytest
from fakes import MemoryTree, ScriptedLlm, call, turn
from recorded import FILES, config_of, record

from bot.action import Call
from bot.dispatcher import Dispatcher
from bot.outside.search import Ripgrep
from bot.replay.served import Served
from bot.replay.whole_run import read_whole_run
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay

THEN = [
    call("read_file", path="README.md"),
    call("write_file", path="a.md", content="then\n"),
    call("read_file", path="a.md"),
]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    record(tmp_path, 1, llm=ScriptedLlm(turn(*THEN), turn(text="Done.")))
    content = (tmp_path / "transcript-1.jsonl").read_bytes()
    # What the file held on that day is not what it holds on the clone of today.
    run = read_whole_run(io.BytesIO(content), file="t")
    files = {**FILES, "README.md": "other words\n"}
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(MemoryTree(files), Ripgrep()),
        policies=config_of().policies,
        transcript=Transcript.begin(tmp_path / "now.jsonl"),
    )
    return Served(dispatcher, run.acts)


def test_recorded_answers_are_served_as_long_as_the_same_is_asked(served: Served) -> None:
    answers = [served.dispatch(one).text for one in THEN]
    assert "teh first line" in answers[0]
    assert "then" in answers[2]
    assert served.diverged_at is None
    assert [step.tool for step in served.steps] == ["write_file"]


def test_an_intent_in_other_words_is_the_same_call(served: Served) -> None:
    served.dispatch(THEN[0])
    fields = json.loads(THEN[1].arguments) | {"intent": "Because."}
    served.dispatch(Call(id="x", tool="write_file", arguments=json.dumps(fields)))
    assert served.diverged_at is None


def test_from_the_first_other_call_on_the_files_answer(served: Served) -> None:
    served.dispatch(THEN[0])
    served.dispatch(call("write_file", path="a.md", content="now\n"))
    assert served.diverged_at == 2
    assert "now" in served.dispatch(THEN[2]).text
    # What was served before is not what is on the files, and from now on they are asked.
    assert "other words" in served.dispatch(THEN[0]).text


def test_what_goes_on_longer_diverges_at_its_end(served: Served) -> None:
    for one in [*THEN, THEN[0]]:
        last = served.dispatch(one)
    assert served.diverged_at == 4
    assert "other words" in last.text
