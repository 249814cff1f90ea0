"""What a model is told: JSON on one line, whatever is in it."""

import json

from plans import DENY

from bot.plan import told


def test_a_denial_has_rule_and_reason() -> None:
    assert json.loads(told.denied("dry-1", DENY)) == {
        "denied": True,
        "id": "dry-1",
        "rule": "path-deny",
        "reason": "It is protected.",
    }


def test_a_failure_and_a_simulation_can_not_be_taken_for_each_other() -> None:
    failed = json.loads(told.failed("dry-1", 'no "such"\nfile'))
    simulated = json.loads(told.simulated("dry-1", "[DRY-RUN] Would execute: f()", None))
    assert failed == {"failed": True, "id": "dry-1", "error": 'no "such"\nfile'}
    assert simulated["simulated"] is True
    assert "failed" not in simulated
    assert "\n" not in told.failed("dry-1", "a\nb")


def test_letters_stay_letters() -> None:
    assert "größer" in told.failed("dry-1", "größer")


def test_a_verdict_is_noted_without_its_source() -> None:
    assert told.spelled(DENY) == {"outcome": "deny", "rule": "path-deny", "reason": "It is protected."}
