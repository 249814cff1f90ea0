import itertools

from bot.permission import Permission


def test_every_permission_reaches_itself_and_all_below_it_and_none_above() -> None:
    for (low, weaker), (high, stronger) in itertools.product(enumerate(Permission), repeat=2):
        assert stronger.reaches(weaker) is (high >= low)
