from decimal import Decimal

import pytest

from bot.render.size import listed, units, usd

AMOUNTS = {
    "nothing": ("0", "0.0000"),
    "a dollar": ("1", "1.0000"),
    "rounded up": ("0.004210", "0.0043"),
    "a crumb is no nothing": ("0.000001", "0.000001"),
    "a fortune": ("1234.5", "1234.5000"),
}


@pytest.mark.parametrize(("amount", "shown"), AMOUNTS.values(), ids=AMOUNTS)
def test_money_never_looks_less_than_it_is(amount: str, shown: str) -> None:
    assert usd(Decimal(amount)) == shown


def test_a_character_beyond_the_first_plane_counts_twice() -> None:
    assert units("abc") == 3
    assert units("é日") == 2
    assert units("😀") == 2


def test_a_long_list_is_cut() -> None:
    assert listed([1, 2]) == "1, 2"
    assert listed(range(1, 100)).endswith("50 …")
