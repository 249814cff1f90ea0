"""The first action with another outcome is the change; other words for the same outcome are none."""

from pathlib import Path

import pytest
from fakes import ScriptedLlm, call, turn
from recorded import POLICY, config_of, record

from bot.outside.archive import FolderArchive
from bot.replay.foreign_run import Strangers
from bot.replay.judge import Judge
from bot.replay.policy_replay import Past, PolicyReplay
from bot.replay.result import Result
from bot.replay.sight import Sights
from bot.replay.source import Source, files_in
from bot.words.redaction import Redactor

CALLS = [
    call("read_file", path="README.md"),
    call("write_file", path="docs/a.md", content="x\n"),
    call("write_file", path="vendor/b.py", content="x\n"),
    call("run_command", command="pytest -q tests"),
]


def _past(folder: Path) -> Past:
    source = Source(shard=None, unfinished=False, sights=Sights(), strangers=Strangers())
    (past,) = (past for file in files_in([folder]) for past in source.pasts(file))
    assert not isinstance(past, Result)
    return past


def _result(past: Past, policy: bytes, *, before: bytes | None = None) -> Result:
    replay = PolicyReplay(
        before=None if before is None else Judge(config_of(before).policies),
        after=Judge(config_of(policy).policies),
        fallback=Judge(config_of().policies),
    )
    return replay.result(past)


@pytest.fixture
def past(tmp_path: Path) -> Past:
    record(tmp_path, 1, llm=ScriptedLlm(turn(*CALLS), turn(text="Done.")))
    return _past(tmp_path)


NO_READS = POLICY.replace(b"policy:\n", b"policy:\n  defaults: {read: ask, write: ask}\n")
OTHER_WORDS = POLICY.replace(b'deny: ["vendor/**"]', b'deny: ["vendor/b.py"]')
LOOSER = POLICY.replace(b'deny: ["vendor/**"], ', b"")


def test_no_change_is_none(past: Past) -> None:
    assert _result(past, POLICY) == Result(run=past.run_id)
    assert _result(past, OTHER_WORDS).change is None


def test_the_first_change_is_told_with_both_reasons_and_the_number_of_others(past: Past) -> None:
    change = _result(past, NO_READS).change
    assert change is not None
    assert (change.action, change.tool, change.what, change.more) == (1, "read_file", "allow→ask", 1)
    assert change.about == "read_file → README.md"
    assert change.before == "It only reads. (default-read)"
    assert change.after == "It only reads. (default-read, .github/dryrun-bot.yml:4)"


def test_what_was_never_rehearsed_is_said_to_be_unknown(past: Past) -> None:
    change = _result(past, LOOSER).change
    assert change is not None
    assert (change.action, change.what) == (3, "deny→allow")
    assert change.after.endswith("It was never rehearsed, so what it would do is not known.")


def test_two_policies_are_compared_without_the_record(past: Past) -> None:
    assert _result(past, NO_READS, before=NO_READS).change is None
    change = _result(past, POLICY, before=NO_READS).change
    assert change is not None
    assert change.what == "ask→allow"


def test_an_action_with_a_secret_taken_out_is_counted_and_not_compared(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    calls = [call("write_file", path=f"docs/{token}.md", content="x\n"), CALLS[1]]
    archive = FolderArchive(folder=tmp_path, redact=Redactor())
    record(tmp_path, 1, llm=ScriptedLlm(turn(*calls), turn(text="Done.")), archive=archive)
    result = _result(_past(tmp_path), POLICY)
    assert (result.change, result.unjudged) == (None, 1)
    stricter = _result(_past(tmp_path), NO_READS)
    assert stricter.change is not None
    assert (stricter.change.action, stricter.change.more) == (2, 0)
