"""The machine's own clock, as records need it."""

from datetime import UTC, datetime

from bot.outside.clock import SystemClock


def test_now_is_utc_in_whole_seconds() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    now = SystemClock().now()
    assert (now.tzinfo, now.microsecond) == (UTC, 0)
    assert before <= now <= datetime.now(UTC)


def test_elapsed_time_never_goes_back() -> None:
    clock = SystemClock()
    seen = [clock.elapsed_s() for _ in range(1000)]
    assert seen == sorted(seen)
