"""Which commit holds a plan: its trailer, its parent and its tree, all three."""

from dataclasses import replace

import pytest
from plans import plan

from bot.plan.applied_commit import holding
from bot.pull_request import Commit

PLAN = plan()
TREE = "7" * 40
COMMIT = Commit(
    sha="c" * 40,
    tree=TREE,
    parents=(PLAN.head_sha,),
    message=f"Words\n\nDryrun-Plan: {PLAN.digest}\nApproved-by: @lee\n",
    url="https://github.com/acme/widgets/commit/" + "c" * 40,
    verified=True,
)

OTHERS = {
    "another plan's": replace(COMMIT, message=f"Words\n\nDryrun-Plan: {'0' * 64}\n"),
    "no trailer": replace(COMMIT, message=f"Words about {PLAN.digest}"),
    "the trailer in the middle": replace(COMMIT, message=f"Dryrun-Plan: {PLAN.digest}\n\nLast words"),
    "another parent": replace(COMMIT, parents=("1" * 40,)),
    "a merge": replace(COMMIT, parents=(PLAN.head_sha, "1" * 40)),
    "another tree": replace(COMMIT, tree="8" * 40),
}


def test_the_commit_with_all_three_is_found_among_others() -> None:
    assert holding(PLAN, TREE, [*OTHERS.values(), COMMIT]) is COMMIT


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_a_commit_that_lacks_one_of_them_does_not_hold_it(other: Commit) -> None:
    assert holding(PLAN, TREE, [other]) is None
