"""Of what a command said, the ends are kept; and what was kept is not cut again."""

from bot.plan.tried import MOST_OUTPUT, ends_of


def test_what_is_long_is_cut_in_the_middle_once() -> None:
    assert ends_of("x" * MOST_OUTPUT) == "x" * MOST_OUTPUT
    cut = ends_of("a" * 5_000 + "b" * 5_000)
    assert len(cut) <= MOST_OUTPUT
    assert (cut[:3], cut[-3:]) == ("aaa", "bbb")
    assert "characters left out here" in cut
    assert ends_of(cut) == cut
