"""In one process or in several, the same comes out."""

import gc
from pathlib import Path

import pytest
from recorded import POLICY, record

from bot.replay.batch import Done, done
from bot.replay.policy_work import PolicyWork
from bot.replay.source import files_in
from bot.replay.subject import Policies, PolicyFile

WORK = PolicyWork(policies=Policies(after=PolicyFile(file="a.yml", text=POLICY)))


def _key(one: Done) -> str:
    return one.file.name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for seed in range(70):
        record(folder, seed, actions=2)
    return folder


def test_several_processes_come_to_what_one_comes_to(folder: Path) -> None:
    alone = sorted(done(files_in([folder]), WORK, processes=1), key=_key)
    together = sorted(done(files_in([folder]), WORK, processes=2), key=_key)
    assert len(alone) == 70
    assert together == alone


def test_whoever_has_seen_enough_may_stop(folder: Path) -> None:
    results = done(files_in([folder]), WORK, processes=2)
    next(results)
    results.close()  # type: ignore[attr-defined]


def test_no_files_are_no_work() -> None:
    assert list(done([], WORK)) == []


def test_the_caller_s_garbage_is_collected_afterwards_as_it_was_before(folder: Path) -> None:
    before = gc.get_threshold()
    results = done(files_in([folder]), WORK, processes=1)
    next(results)
    assert gc.get_threshold() != before
    results.close()  # type: ignore[attr-defined]
    assert gc.get_threshold() == before
