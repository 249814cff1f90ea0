"""(Proposal, tree, policies) -> the facts of a proposed call, and the strictest verdict on them.

The one way to it, for a run as for whoever only asks. No model is heard, and nothing is rehearsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.gate import judge, strictest
from bot.gate.facts import Earlier, Facts, facts_of

if TYPE_CHECKING:
    from bot.gate.policy import Policy
    from bot.proposal import Proposal
    from bot.verdict import Verdict
    from bot.workspace import Change, Reader


def review(
    proposal: Proposal,
    *,
    tree: Reader,
    earlier: Earlier,
    policies: Sequence[Policy],
    effects: tuple[Change, ...] = (),
) -> tuple[Facts, Verdict]:
    """`tree` and `earlier` are as the plan so far leaves them; `effects` are what a rehearsal showed."""
    facts = facts_of(
        proposal.action,
        touches=proposal.touches,
        command=proposal.command,
        tree=tree,
        earlier=earlier,
        effects=effects,
        known=proposal.tool is not None,
        problem=proposal.problem,
    )
    return facts, strictest(judge(proposal.action, facts, policy) for policy in policies)
