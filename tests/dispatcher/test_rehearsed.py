import pytest
from fakes import call

from bot.action import Kind
from bot.dispatcher.rehearsed import Rehearsed
from bot.gate.facts import Facts
from bot.proposal import propose
from bot.tools import TOOLS
from bot.verdict import Outcome, Verdict

FACTS = Facts(kind=Kind.WRITE, depends_on=(1,))


def _rehearsed(outcome: Outcome, error: str | None = None) -> Rehearsed:
    verdict = Verdict(outcome=outcome, rule="r", reason="It holds hunter2.", source="default")
    return Rehearsed(verdict=verdict, facts=FACTS, error=error)


CASES = {
    "allowed": (_rehearsed(Outcome.ALLOW), True),
    "asked about": (_rehearsed(Outcome.ASK), True),
    "denied": (_rehearsed(Outcome.DENY), False),
    "failed": (_rehearsed(Outcome.ALLOW, "hunter2 is not there"), False),
}


@pytest.mark.parametrize(("rehearsed", "is_performed"), CASES.values(), ids=CASES)
def test_only_what_is_not_performed_loses_its_secrets_and_rests_on_nothing(
    *, rehearsed: Rehearsed, is_performed: bool
) -> None:
    proposal = propose(call("write_file", path="a.txt", content="hunter2", intent="For hunter2."), TOOLS)
    step = rehearsed.step(
        2, proposal, conditional_on=(1,), redact=lambda text: text.replace("hunter2", "***")
    )
    assert rehearsed.is_performed is step.is_performed is is_performed
    assert (step.arguments["content"] == "hunter2") is is_performed
    assert ("hunter2" in step.verdict.reason) is is_performed
    assert step.conditional_on == ((1,) if is_performed else ())
    assert step.intent == "For ***."
    assert "hunter2" not in str(step.error)
    assert (step.number, step.id, step.depends_on) == (2, proposal.action.id, (1,))
