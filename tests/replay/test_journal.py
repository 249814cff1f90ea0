"""What was done before an interruption is not done again, and nothing stale is believed."""

import os
from pathlib import Path

from recorded import POLICY, record

from bot.replay.batch import Done, done
from bot.replay.journal import Journal
from bot.replay.policy_work import PolicyWork
from bot.replay.source import files_in
from bot.replay.subject import Policies, PolicyFile

WORK = PolicyWork(policies=Policies(after=PolicyFile(file="a.yml", text=POLICY)))


def _runs(folder: Path) -> Path:
    for seed in range(6):
        record(folder, seed, actions=1)
    return folder


def test_what_is_done_is_known_the_next_time(tmp_path: Path) -> None:
    runs = _runs(tmp_path / "runs")
    file = tmp_path / "state" / "journal.jsonl"
    every = list(done(files_in([runs]), WORK))
    journal = Journal(file, key="k")
    for one in every[:4]:
        journal.note(one)
    with file.open("ab") as stream:
        stream.write(b'{"name": "half a li')
    again = Journal(file, key="k")
    known: list[Done] = []
    todo = list(again.sorted_out(files_in([runs]), known))
    assert (len(again), known, todo) == (4, every[:4], [one.file for one in every[4:]])


def test_a_file_that_changed_is_done_again(tmp_path: Path) -> None:
    runs = _runs(tmp_path / "runs")
    journal = Journal(tmp_path / "journal.jsonl", key="k")
    for one in done(files_in([runs]), WORK):
        journal.note(one)
    os.utime(runs / "transcript-2.jsonl", ns=(1, 1))
    (runs / "transcript-3.jsonl").write_bytes(b"shorter")
    known: list[Done] = []
    todo = Journal(tmp_path / "journal.jsonl", key="k").sorted_out(files_in([runs]), known)
    assert [file.name for file in todo] == ["transcript-2.jsonl", "transcript-3.jsonl"]


def test_the_answers_to_another_question_are_of_no_use(tmp_path: Path) -> None:
    runs = _runs(tmp_path / "runs")
    file = tmp_path / "journal.jsonl"
    for one in done(files_in([runs]), WORK):
        Journal(file, key="k").note(one)
    assert len(Journal(file, key="k")) == 6
    assert len(Journal(file, key="other")) == 0
    assert not file.exists()


def test_a_journal_that_is_forgotten_is_gone(tmp_path: Path) -> None:
    runs = _runs(tmp_path / "runs")
    journal = Journal(tmp_path / "journal.jsonl", key="k")
    journal.forget()
    journal.note(next(iter(done(files_in([runs]), WORK))))
    journal.forget()
    assert list(tmp_path.glob("*.jsonl")) == []
