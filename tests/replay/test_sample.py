"""The same runs are chosen whatever else there is, and wherever they lie."""

from pathlib import Path

from recorded import record

from bot.replay.sample import sample_of
from bot.replay.source import files_in


def test_a_sample_is_always_the_same(tmp_path: Path) -> None:
    for seed in range(12):
        record(tmp_path / "here", seed, actions=1)
    chosen = [file.name for file in sample_of(files_in([tmp_path / "here"]), 5)]
    assert len(set(chosen)) == 5
    (tmp_path / "there" / "deep").mkdir(parents=True)
    for seed in range(12):
        file = tmp_path / "here" / f"transcript-{seed}.jsonl"
        (tmp_path / "there" / "deep" / file.name).write_bytes(file.read_bytes())
    there = [file.path.name for file in sample_of(files_in([tmp_path / "there"]), 5)]
    assert there == chosen
    (tmp_path / "here" / "words.json").write_text("words")
    assert len(sample_of(files_in([tmp_path / "here"]), 99)) == 13
