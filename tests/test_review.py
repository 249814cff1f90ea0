from typing import Any

import pytest

from bot.action import Call
from bot.gate.facts import Earlier
from bot.gate.policy import Policy
from bot.proposal import propose
from bot.review import review
from bot.tools import EVERY_TOOL
from bot.verdict import Outcome
from bot.workspace.empty_tree import EMPTY_TREE

PLAIN = Policy()
STRICT = Policy.model_validate({"tools": {"write_file": "deny"}})
WRITE = ("write_file", '{"path": "a", "content": "x"}')
CASES: dict[str, Any] = {
    "by one policy": (WRITE, (PLAIN,), Outcome.ALLOW, "default-write"),
    "by the stricter of two": (WRITE, (PLAIN, STRICT), Outcome.DENY, "tool"),
    "in whatever order": (WRITE, (STRICT, PLAIN), Outcome.DENY, "tool"),
    "of no tool": (("wipe", "{}"), (PLAIN,), Outcome.DENY, "unknown-tool"),
    "that can't be understood": (("write_file", "{"), (PLAIN,), Outcome.DENY, "invalid-arguments"),
}


@pytest.mark.parametrize(("call", "policies", "outcome", "rule"), CASES.values(), ids=CASES)
def test_a_call_is_judged(call: Any, policies: Any, outcome: Outcome, rule: str) -> None:
    proposal = propose(Call(id="1", tool=call[0], arguments=call[1]), EVERY_TOOL)
    facts, verdict = review(proposal, tree=EMPTY_TREE, earlier=Earlier(), policies=policies)
    assert (verdict.outcome, verdict.rule) == (outcome, rule)
    assert facts.known is (rule != "unknown-tool")


def test_no_policy_at_all_permits_nothing() -> None:
    proposal = propose(Call(id="1", tool=WRITE[0], arguments=WRITE[1]), EVERY_TOOL)
    with pytest.raises(ValueError, match="empty"):
        review(proposal, tree=EMPTY_TREE, earlier=Earlier(), policies=())
