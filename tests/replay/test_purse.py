"""A budget that many runs share is never set aside twice."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from bot.replay.purse import Purse

ONE = Decimal("1.00")


def test_what_a_run_may_spend_is_set_aside_and_the_rest_comes_back() -> None:
    purse = Purse(Decimal("2.50"))
    assert purse.take(ONE) == ONE
    assert purse.take(ONE) == ONE
    assert purse.take(ONE) == Decimal("0.50")
    assert purse.take(ONE) is None
    purse.give_back(ONE, spent=Decimal("0.25"))
    assert purse.take(ONE) == Decimal("0.75")


def test_where_nobody_knows_a_price_nothing_comes_back() -> None:
    purse = Purse(ONE)
    assert purse.take(ONE) == ONE
    purse.give_back(ONE, spent=None)
    assert purse.take(ONE) is None


def test_without_a_budget_each_run_has_its_own_limit() -> None:
    purse = Purse(None)
    assert [purse.take(ONE) for _ in range(5)] == [ONE] * 5


def test_a_run_that_took_more_than_it_had_leaves_less_for_others() -> None:
    purse = Purse(ONE)
    granted = purse.take(Decimal("0.50"))
    assert granted is not None
    purse.give_back(granted, spent=Decimal("0.80"))
    assert purse.take(ONE) == Decimal("0.20")


@pytest.mark.parametrize("threads", [8])
def test_many_at_once_never_get_more_than_there_is(threads: int) -> None:
    purse = Purse(Decimal(50))

    def spend(_: int) -> Decimal:
        granted = purse.take(ONE)
        if granted is None:
            return Decimal(0)
        purse.give_back(granted, spent=granted / 2)
        return granted / 2

    with ThreadPoolExecutor(threads) as pool:
        spent = sum(pool.map(spend, range(400)), Decimal(0))
    assert Decimal(49) <= spent <= Decimal(50)
