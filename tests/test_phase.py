"""Whose turn it is: for every comment exactly one of the two pairs of jobs answers."""

import pytest

from bot.phase import Phase, Turn, turn_of

# The turns of plan, report, perform and commit, in this order.
COMMENTS = {
    None: "mine mine others others",
    "/plan": "mine mine others others",
    "/plan apply the rules of /apply": "mine mine others others",
    "/replay": "mine mine others others",
    "/help": "later mine others others",
    "/explain 2": "later mine others others",
    "/discard": "later mine others others",
    "/aply": "later mine others others",
    "/apply --force": "later mine others others",
    "/apply": "others others mine mine",
    "/apply 0123456789ab --approve all": "others others mine mine",
    "/dryrun apply": "others others mine mine",
    "/anything apply": "others others mine mine",
    "/undo": "others others later mine",
    "/anything undo": "others others later mine",
    "/anything help": "later mine others others",
    "/anything": "later mine others others",
}


@pytest.mark.parametrize("comment", COMMENTS, ids=str)
def test_the_comment_alone_tells_whose_turn_it_is(comment: str | None) -> None:
    phases = (Phase.PLAN, Phase.REPORT, Phase.PERFORM, Phase.COMMIT)
    assert " ".join(turn_of(phase, comment) for phase in phases) == COMMENTS[comment]
    assert turn_of(Phase.ALL, comment) is Turn.MINE


def test_what_one_phase_leaves_the_other_finds() -> None:
    for phase in Phase:
        assert phase.after is None or phase.after.before is phase
