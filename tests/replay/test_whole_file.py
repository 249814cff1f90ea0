"""A file is one recorded run, or it is said why it is none."""

from pathlib import Path

from recorded import record

from bot.impact import Shard
from bot.replay.result import Result
from bot.replay.source import File, shard_of
from bot.replay.whole_file import WholeFile
from bot.replay.whole_run import WholeRun
from bot.transcript import Transcript


def _only(file: Path, *, shard: Shard | None = None) -> WholeRun | Result | None:
    found = list(WholeFile(File(path=file, name=file.name), shard).runs())
    assert len(found) <= 1
    return found[0] if found else None


def test_a_recorded_run_is_read(tmp_path: Path) -> None:
    record(tmp_path, 1)
    run = _only(tmp_path / "transcript-1.jsonl")
    assert isinstance(run, WholeRun)
    for number in (1, 2, 3):
        is_there = _only(tmp_path / "transcript-1.jsonl", shard=Shard(number=number, of=3)) is not None
        assert is_there == (shard_of(run.run_id, 3) == number)


def test_what_is_no_run_is_left_out_or_refused(tmp_path: Path) -> None:
    with Transcript.begin(tmp_path / "apply.jsonl", applies="0" * 64):
        pass
    (tmp_path / "words.json").write_text("words")
    record(tmp_path, 1)
    (tmp_path / "cut.jsonl").write_bytes((tmp_path / "transcript-1.jsonl").read_bytes()[:-9])
    (tmp_path / "newer.jsonl").write_text('{"schema":"dryrun-bot/transcript/2"}\n')
    left_out = [_only(tmp_path / name) for name in ("apply.jsonl", "words.json")]
    assert [result.left_out is not None for result in left_out if isinstance(result, Result)] == [True, True]
    refused = [_only(tmp_path / name) for name in ("cut.jsonl", "newer.jsonl", "nowhere.jsonl")]
    whys = [result.refused.why for result in refused if isinstance(result, Result) and result.refused]
    assert [why.split(":")[0] for why in whys][2] == "nowhere.jsonl"
    assert "breaks off" in whys[0]
    assert "this version reads" in whys[1]
