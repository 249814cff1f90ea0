"""A plan -> the commit on the branch that holds it, or None.

A trailer alone proves nothing, since anybody can write one: parent and tree must be the plan's too.
"""

from collections.abc import Iterable

from bot.plan import Plan
from bot.plan.commit_message import PLAN_TRAILER
from bot.pull_request import Commit


def holding(plan: Plan, tree: str, commits: Iterable[Commit]) -> Commit | None:
    """`tree` is the name of the tree that the plan predicts."""
    for found in commits:
        claims = plan.digest in found.trailers(PLAN_TRAILER)
        if claims and found.parents == (plan.head_sha,) and found.tree == tree:
            return found
    return None
