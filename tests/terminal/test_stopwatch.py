"""A person may think as long as they like."""

import pytest
from fakes import NOON, FixedClock

from bot.terminal.stopwatch import Stopwatch


def test_a_pause_takes_no_time() -> None:
    watch = Stopwatch(FixedClock(seconds=[10.0, 100.0, 130.0]))
    with watch.paused():
        assert watch.elapsed_s() == 100.0
    assert watch.clock.now() == watch.now() == NOON
    assert Stopwatch(FixedClock(seconds=[7.0])).elapsed_s() == 7.0


def test_several_pauses_add_up_and_an_end_in_one_counts_too() -> None:
    watch = Stopwatch(FixedClock(seconds=[0.0, 5.0, 10.0, 30.0, 40.0]))
    with watch.paused():
        pass
    with pytest.raises(KeyboardInterrupt), watch.paused():
        raise KeyboardInterrupt
    assert watch.elapsed_s() == 40.0 - 5.0 - 20.0
