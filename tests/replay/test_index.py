"""From an index a policy replay learns what it would have learnt from the transcript, and not a word more."""

from pathlib import Path

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.outside.archive import FolderArchive
from bot.replay.index import index_of, read_index
from bot.replay.own_run import OwnRun, read_own_run
from bot.replay.sight import Sights
from bot.transcript import Transcript
from bot.transcript.recording import Recording
from bot.words.redaction import Redactor


def _own(file: Path) -> OwnRun:
    with file.open("rb") as stream:
        return read_own_run(Recording(stream, file=file.name), Sights())


def test_it_says_of_every_run_what_the_transcript_says(tmp_path: Path) -> None:
    for seed in range(40):
        record(tmp_path, seed)
    for file in tmp_path.glob("transcript-*"):
        own = _own(file)
        found = read_index(index_of(own), Sights(), whole=lambda own=own: own)
        assert found is not None
        assert [(one.look, one.is_redacted) for one in found.sights] == [
            (one.look, one.is_redacted) for one in own.sights
        ]
        assert (found.run_id, found.name, found.link(), found.is_apply) == (
            own.run_id,
            own.name,
            own.link(),
            False,
        )
        for number in range(1, len(own.sights) + 1):
            assert found.described(number) == own.described(number)


def test_it_is_a_small_part_of_the_transcript(tmp_path: Path) -> None:
    record(tmp_path, 1, actions=30)
    file = tmp_path / "transcript-1.jsonl"
    assert len(index_of(_own(file))) < file.stat().st_size / 4


def test_stored_texts_and_secrets_are_in_it_as_they_are_in_the_run(tmp_path: Path) -> None:
    secret = "ghp_" + "9f8e7d6c5b4a39281706" + "f5e4d3c2b1a0zzzz"
    planted = [
        call("run_command", command="echo " + "long " * 300),
        call("run_command", command=f"deploy --key {secret}"),
        call("run_command", command="cat $text '$$text'"),
    ]
    record(
        tmp_path,
        1,
        llm=ScriptedLlm(turn(*planted), turn(text="Done.")),
        archive=FolderArchive(folder=tmp_path, redact=Redactor()),
    )
    own = _own(tmp_path / "transcript-1.jsonl")
    found = read_index(index_of(own), Sights(), whole=lambda: own)
    assert found is not None
    assert [one.is_redacted for one in found.sights] == [False, True, False]
    assert found.sights[0].look.command == "echo " + "long " * 300
    assert found.sights[2].look.command == "cat $text '$$text'"
    assert secret.encode() not in index_of(own)


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"{}",
        b"words",
        b'{"index":"dryrun-bot/index/2","run":"run-1","link":null,"began":{}}',
        b'{"index":"dryrun-bot/index/1","run":"run-1","link":null,"began":{},"more":1}',
        b'{"index":"dryrun-bot/index/1","run":"run-1","link":null,"began":{}}\n',
        b'{"index":"dryrun-bot/index/1","run":"run-1","link":null,"began":{}}\n{"tool":"x"}',
        b'{"index":"dryrun-bot/index/1","run":"run-1","link":null,"began":{}}\n!{"tool":"x","kind":"odd"}',
    ],
)
def test_one_in_other_words_is_left_for_the_transcript(index: bytes, tmp_path: Path) -> None:
    Transcript.begin(tmp_path / "t.jsonl").end()
    assert read_index(index, Sights(), whole=lambda: _own(tmp_path / "t.jsonl")) is None
