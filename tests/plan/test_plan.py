"""The record: one digest over everything, whole or refused, whoever it comes back from."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from plans import DENY, effect, plan, step

from bot.action import canonical
from bot.errors import BadPlan
from bot.plan import read_plan
from bot.workspace import Entry, Mode

PLAN = plan(step(1, effect("a.txt", before="1", after="2")))


def test_a_plan_is_read_back_from_its_bytes_as_it_was() -> None:
    again = read_plan(PLAN.to_bytes())
    assert again == PLAN
    assert again.to_bytes() == PLAN.to_bytes()


def test_the_digest_is_the_sha256_of_the_canonical_record_without_it() -> None:
    record = json.loads(PLAN.to_bytes())
    assert record.pop("digest") == PLAN.digest == hashlib.sha256(canonical(record)).hexdigest()
    assert PLAN.to_bytes() == canonical(json.loads(PLAN.to_bytes())) + b"\n"


def test_money_is_a_decimal_string_and_times_are_utc() -> None:
    record = json.loads(PLAN.to_bytes())
    assert record["cost"] == "0.000120"
    assert record["created_at"] == "2026-11-30T12:00:00Z"


CHANGES: dict[str, Any] = {
    "repository": "acme/other",
    "head_repository": "mallory/widgets",
    "pull_request": 8,
    "head_sha": "0" * 40,
    "base_sha": "0" * 40,
    "policy_sha": None,
    "policy_digest": "0" * 64,
    "tools_digest": "0" * 64,
    "task": {"name": "tidy", "prompt_digest": "0" * 64},
    "model": "another",
    "bot_version": "9",
    "created_at": "2026-11-30T12:00:01Z",
    "expires_at": "2036-11-30T12:00:00Z",
    "summary": "Also done.",
    "chaos": "0.2/7",
    "steps": [],
    "usage": {"calls": 2, "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "reasoning_tokens": 0},
    "cost": None,
    "advisor": {"model": "second", "usage": {}, "cost": None},
    "stopped_by": "stopped after 40 steps",
    "findings": ["1 hidden comment was taken out of the pull request's title"],
}
assert CHANGES.keys() == json.loads(PLAN.to_bytes()).keys() - {"schema", "digest"}


@pytest.mark.parametrize("field", CHANGES)
def test_a_record_that_was_changed_anywhere_is_refused(field: str) -> None:
    record = json.loads(PLAN.to_bytes()) | {field: CHANGES[field]}
    with pytest.raises(BadPlan, match="digest is not the digest of its content"):
        read_plan(json.dumps(record).encode())


STEP_CHANGES: dict[str, Any] = {
    "id": "dry-ba9876543210",
    "tool": "delete_file",
    "kind": "external",
    "arguments": {"path": "b.txt"},
    "intent": "It is needed.",
    "description": "write_file → b.txt",
    "verdict": {"outcome": "ask", "rule": "r", "reason": "x", "source": "y"},
    "advice": {"concerns": []},
    "effects": [],
    "depends_on": [1],
    "conditional_on": [1],
    "error": "no",
}
assert STEP_CHANGES.keys() == json.loads(PLAN.to_bytes())["steps"][0].keys() - {"number"}


@pytest.mark.parametrize("field", STEP_CHANGES)
def test_a_step_that_was_changed_anywhere_is_refused(field: str) -> None:
    record = json.loads(PLAN.to_bytes())
    record["steps"][0][field] = STEP_CHANGES[field]
    with pytest.raises(BadPlan, match="digest is not the digest of its content"):
        read_plan(json.dumps(record).encode())


def _with(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: record | changes


def _with_step(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: record | {"steps": [record["steps"][0] | changes]}


def _deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


MALFORMED = {
    "a key of its own": _with(extra=1),
    "a key of its own in a step": _with_step(extra=1),
    "a key that is missing": lambda record: {name: record[name] for name in record if name != "steps"},
    "an older schema": _with(schema="dryrun-bot/plan/0"),
    "a newer schema": _with(schema="dryrun-bot/plan/2"),
    "no schema": lambda record: {name: record[name] for name in record if name != "schema"},
    "a short commit": _with(head_sha="a" * 12),
    "a commit and a line feed": _with(head_sha="a" * 40 + "\n"),
    "a step that is numbered 2": _with_step(number=2),
    "a step that is numbered 0": _with_step(number=0),
    "an unknown verdict": _with_step(verdict={"outcome": "grant", "rule": "", "reason": "", "source": ""}),
    "a verdict with more in it": _with_step(
        verdict={"outcome": "allow", "rule": "", "reason": "", "source": "", "approved": True}
    ),
    "an id that is none": _with_step(id="dry-xyz"),
    "a moment without a zone": _with(expires_at="2036-11-30T12:00:00"),
    "a moment in another zone": _with(expires_at="2036-11-30T12:00:00+14:00"),
    "a moment at the end of time in another zone": _with(expires_at="9999-12-31T23:59:59-14:00"),
    "a cost below nothing": _with(cost="-1"),
    "a cost that is no number": _with(cost="NaN"),
    "a cost without end": _with(cost="Infinity"),
    "a cost of a thousand million digits": _with(cost="1e999999999"),
    "a cost with as many behind the point": _with(cost="1e-999999999"),
    "half a character": _with(summary="\ud800"),
    "half a character among arguments": _with_step(arguments={"path": "\ud800"}),
    "a number that JSON can't carry": _with_step(arguments={"n": 2**60}),
    "an infinite number": _with_step(arguments={"n": float("inf")}),
    "arguments as deep as a well": _with_step(arguments={"n": _deep(500)}),
    "steps that are a number": _with(steps=7),
    "an effect on no path": _with_step(effects=[{"path": "a"}]),
    "a digest in capitals": lambda record: record | {"digest": record["digest"].upper()},
}


@pytest.mark.parametrize("forge", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_record_is_refused_in_words(forge: Callable[[dict[str, Any]], object]) -> None:
    record = json.dumps(forge(json.loads(PLAN.to_bytes()))).encode()
    with pytest.raises(BadPlan) as raised:
        read_plan(record)
    assert raised.value.what.startswith("The plan record")
    # The digest is wrong as well, but a forger could have made it right.
    assert "is not the digest of its content" not in raised.value.what
    assert len(raised.value.what) < 400
    assert raised.value.next_step


NO_RECORDS = {
    "nothing": b"",
    "a list": b"[]",
    "null": b"null",
    "a text": b'"dryrun-bot/plan/1"',
    "not UTF-8": b"\xff\xfe{}",
    "half of one": PLAN.to_bytes()[:-20],
    "two of them": PLAN.to_bytes() * 2,
    "nested without end": b"[" * 100_000,
}


@pytest.mark.parametrize("record", NO_RECORDS.values(), ids=NO_RECORDS)
def test_what_is_no_record_is_refused_in_words(record: bytes) -> None:
    with pytest.raises(BadPlan, match="The plan record"):
        read_plan(record)


def test_a_newer_schema_is_told_from_a_broken_record() -> None:
    newer = json.dumps({"schema": "dryrun-bot/plan/2"}).encode()
    with pytest.raises(BadPlan) as raised:
        read_plan(newer)
    assert "version" in raised.value.next_step


def test_what_was_denied_or_failed_is_not_performed_and_predicts_nothing() -> None:
    made = effect("made.txt", before=None, after="5")
    of_three = plan(
        step(1, made, verdict=DENY),
        step(2, made, error="it could not be done"),
        step(3, effect("a.txt", before="1", after="2", mode=Mode.EXECUTABLE)),
    )
    assert [each.is_performed for each in of_three.steps] == [False, False, True]
    before = {"a.txt": Entry(mode=Mode.FILE, blob="1" * 40), "b.txt": Entry(mode=Mode.FILE, blob="9" * 40)}
    assert of_three.predicted(before) == {
        "a.txt": Entry(mode=Mode.EXECUTABLE, blob="2" * 40),
        "b.txt": Entry(mode=Mode.FILE, blob="9" * 40),
    }
    assert before["a.txt"].blob == "1" * 40


def test_of_several_changes_to_a_path_the_last_one_is_predicted() -> None:
    changed_twice = plan(
        step(1, effect("new.txt", before=None, after="2"), effect("a.txt", before="1", after="2")),
        step(2, effect("new.txt", before="2", after=None)),
        step(3, effect("a.txt", before="2", after="3")),
    )
    assert changed_twice.predicted({"a.txt": Entry(mode=Mode.FILE, blob="1" * 40)}) == {
        "a.txt": Entry(mode=Mode.FILE, blob="3" * 40)
    }


def test_deleting_what_is_not_there_predicts_nothing() -> None:
    assert plan(step(1, effect("gone.txt", before="1", after=None))).predicted({}) == {}


def test_a_plan_in_a_terminal_has_no_pull_request_and_no_policy_commit() -> None:
    record = plan(pull_request=None, policy_sha=None).to_bytes()
    assert (read_plan(record).pull_request, read_plan(record).policy_sha) == (None, None)
