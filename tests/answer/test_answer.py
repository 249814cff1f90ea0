"""The words that scripts look at, as they are documented."""

from pathlib import Path

from bot.answer import Answer, Decision
from bot.errors import Reason

ROOT = Path(__file__).parents[2]


def test_the_decisions_are_those_that_the_action_documents() -> None:
    described = (ROOT / "action.yml").read_text().partition("  decision:\n")[2].partition("    value:")[0]
    words = set(described.replace(",", " ").replace(".", " ").split())
    assert {decision.value for decision in Decision} <= words


def test_a_run_is_good_unless_somebody_says_otherwise() -> None:
    answer = Answer(decision=Decision.IGNORED, reason=Reason.NOT_FOR_US, detail="")
    assert answer.exit_code == 0
    assert answer.plans == ()
