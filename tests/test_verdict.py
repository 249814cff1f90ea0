from itertools import pairwise

from bot.verdict import Outcome


def test_the_stricter_outcome_is_the_larger_one() -> None:
    assert all(one < other for one, other in pairwise([Outcome.ALLOW, Outcome.ASK, Outcome.DENY]))
    assert max(Outcome) is Outcome.DENY
