import pytest
from render.samples import command, denied, edit, failed

from bot.plan import Step

BADGES = {
    "allowed": (edit(), "allow"),
    "asks": (command(), "ask"),
    "denied": (denied(), "deny"),
    "failed": (failed(), "failed"),
    "asks and failed": (command(error="x"), "failed"),
    "denied and failed": (denied().model_copy(update={"error": "x"}), "deny"),
}


@pytest.mark.parametrize(("made", "badge"), BADGES.values(), ids=BADGES)
def test_a_step_wears_its_verdict(made: Step, badge: str) -> None:
    assert made.badge == badge
    assert made.is_performed is (badge in {"allow", "ask"})


def test_only_a_call_to_the_outside_is_a_command() -> None:
    assert command().is_command
    assert not edit().is_command
    assert not edit().model_copy(update={"arguments": {"command": "make"}}).is_command
