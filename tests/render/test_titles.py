from bot.errors import Reason
from bot.render.titles import TITLES


def test_every_reason_has_a_title_of_its_own() -> None:
    assert set(TITLES) == set(Reason)
    assert len(set(TITLES.values())) == len(TITLES)
