"""A plan -> the commits on the branch that may hold it.

A trailer alone proves nothing, since anybody can write one: parent and tree must be the plan's too.
"""

from collections.abc import Iterable, Iterator

from bot.plan import Plan
from bot.plan.commit_message import PLAN_TRAILER
from bot.pull_request import Commit


def claiming(plan: Plan, commits: Iterable[Commit]) -> Iterator[Commit]:
    """Those that say so, and stand where it would."""
    for found in commits:
        if plan.digest in found.trailers(PLAN_TRAILER) and found.parents == (plan.head_sha,):
            yield found


def holding(plan: Plan, tree: str, commits: Iterable[Commit]) -> Commit | None:
    """The one that has it to the letter; `tree` is the name of the tree that the plan predicts."""
    return next((found for found in claiming(plan, commits) if found.tree == tree), None)
