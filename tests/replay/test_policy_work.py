"""What another process is sent, and that it works there as here."""

import pickle
from pathlib import Path

import pytest
from recorded import POLICY, record

from bot.errors import BadConfig
from bot.replay.policy_work import ComparingWorker, PolicyWork
from bot.replay.source import files_in
from bot.replay.subject import Policies, PolicyFile
from bot.transcript import Transcript

NOW = PolicyFile(file="a.yml", text=POLICY)
NEXT = PolicyFile(file="a.yml", text=POLICY.replace(b"docs/policies/**", b"docs/**"))


def test_it_can_be_sent_and_works_the_same_there(tmp_path: Path) -> None:
    for seed in range(10):
        record(tmp_path, seed)
    work = PolicyWork(policies=Policies(after=NEXT))
    sent = pickle.loads(pickle.dumps(work))
    here, there = work.worker(), sent.worker()
    results = [list(here.results(file)) for file in files_in([tmp_path])]
    assert results == [list(there.results(file)) for file in files_in([tmp_path])]
    assert any(result.change for of_file in results for result in of_file)


def test_the_same_policy_before_and_after_is_judged_twice_and_not_mixed_up(tmp_path: Path) -> None:
    for seed in range(10):
        record(tmp_path, seed)
    worker = PolicyWork(policies=Policies(after=NOW, before=NOW)).worker()
    assert not [result for file in files_in([tmp_path]) for result in worker.results(file) if result.change]


def test_a_policy_with_a_mistake_makes_no_worker() -> None:
    with pytest.raises(BadConfig):
        PolicyWork(policies=Policies(after=PolicyFile(file="a.yml", text=b"- words"))).worker()


def test_policies_at_hand_are_compared_as_those_in_files_are(tmp_path: Path) -> None:
    for seed in range(10):
        record(tmp_path, seed)
    worker = PolicyWork(policies=Policies(after=NEXT, before=NOW)).worker()
    here = ComparingWorker(before=NOW.config().policies, after=NEXT.config().policies)
    results = [list(worker.results(file)) for file in files_in([tmp_path])]
    assert results == [list(here.results(file)) for file in files_in([tmp_path])]
    assert any(result.change for of_file in results for result in of_file)


def test_what_only_a_change_makes_anybody_look_at_may_be_broken_too(
    tmp_path: Path,
) -> None:
    look = {"tool": "write_file", "kind": "write", "touches": [{"path": "docs/a.md", "how": "write"}]}
    verdict = {"outcome": "allow", "rule": "x", "reason": "X.", "source": "x"}
    forged = Transcript.begin(tmp_path / "a.jsonl", pull_request=7)
    forged._write({"arguments": {"$text": "0" * 64}, "event": "proposed"})
    forged.note("judged", look=look | {"verdict": verdict})
    forged.end()
    record(tmp_path, 1)
    results = [
        result
        for file in files_in([tmp_path])
        for result in PolicyWork(policies=Policies(after=NEXT)).worker().results(file)
    ]
    assert [bool(result.refused) for result in results] == [True, False]
    assert results[0].refused is not None
    assert "a.jsonl line 2: it names a text that no earlier line holds" in results[0].refused.why
