"""Which answers of a busy server are worth another try, and when."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bot.outside.retry import may_pass, pause_s

STATUSES = {
    408: True,
    409: True,
    429: True,
    500: True,
    503: True,
    529: True,
    400: False,
    401: False,
    404: False,
}


@pytest.mark.parametrize(("status", "passes"), STATUSES.items())
def test_what_may_pass_is_told_by_the_status(status: int, passes: bool) -> None:  # noqa: FBT001 - a table
    assert may_pass(status, {}) is passes
    assert not may_pass(status, {"x-should-retry": "false"})


PAUSES = {
    "milliseconds": ({"retry-after-ms": "250"}, 0.25),
    "seconds": ({"retry-after": "7"}, 7.0),
    "milliseconds before seconds": ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
    "less than nothing": ({"retry-after": "-3"}, 0.0),
    "more than there is patience for": ({"retry-after": "3600"}, None),
    "for ever": ({"retry-after": "inf"}, None),
    "no number": ({"retry-after": "nan"}, 1.0),
    "no time": ({"retry-after": "soon"}, 1.0),
    "nothing": ({}, 1.0),
}


@pytest.mark.parametrize(("headers", "pause"), PAUSES.values(), ids=PAUSES)
def test_a_server_says_when_it_wants_to_be_asked_again(headers: dict[str, str], pause: float | None) -> None:
    assert pause_s(headers, tries=2) == pause


def test_a_server_may_name_the_moment() -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    pause = pause_s({"retry-after": moment}, tries=1)
    assert pause is not None
    assert 25 < pause <= 30


def test_without_a_word_the_pause_doubles_up_to_eight_seconds() -> None:
    assert [pause_s({}, tries=tries) for tries in range(1, 7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
