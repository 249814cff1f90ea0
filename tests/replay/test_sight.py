"""Equal records are parsed once; what belongs to one run alone is never taken for another's."""

import io
from pathlib import Path

from fakes import ScriptedLlm, call, turn
from recorded import record

from bot.replay.own_run import OwnRun, read_own_run
from bot.replay.sight import Sights
from bot.transcript.recording import Recording

LONG = "echo " + "long " * 400


def _read(file: Path, sights: Sights) -> OwnRun:
    return read_own_run(Recording(io.BytesIO(file.read_bytes()), file=file.name), sights)


def test_equal_actions_of_several_runs_are_one(tmp_path: Path) -> None:
    read = call("read_file", path="README.md")
    for seed in (1, 2):
        record(tmp_path, seed, llm=ScriptedLlm(turn(read, read), turn(text="Done.")))
    sights = Sights()
    runs = [_read(tmp_path / f"transcript-{seed}.jsonl", sights) for seed in (1, 2)]
    assert len({id(sight) for run in runs for sight in run.sights}) == 1


def test_a_text_that_is_stored_beside_the_run_is_only_that_runs(tmp_path: Path) -> None:
    for seed, command in enumerate([LONG + "one", LONG + "two"]):
        asked = call("run_command", command=command)
        record(tmp_path, seed, llm=ScriptedLlm(turn(asked), turn(text="Done.")))
    sights = Sights()
    commands = [
        _read(tmp_path / f"transcript-{seed}.jsonl", sights).sights[0].look.command for seed in (0, 1)
    ]
    assert commands == [LONG + "one", LONG + "two"]


def test_what_a_secret_was_taken_out_of_is_known(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    asked = [call("run_command", command=f"curl -H {token} x"), call("run_command", command="ls")]
    from bot.outside.archive import FolderArchive
    from bot.words.redaction import Redactor

    archive = FolderArchive(folder=tmp_path, redact=Redactor())
    record(tmp_path, 1, llm=ScriptedLlm(turn(*asked), turn(text="Done.")), archive=archive)
    run = _read(tmp_path / "transcript-1.jsonl", Sights())
    assert [sight.is_redacted for sight in run.sights] == [True, False]
    assert token not in (tmp_path / "transcript-1.jsonl").read_text()
