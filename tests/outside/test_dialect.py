"""What servers say when they refuse a request, and what is learned from it."""

import pytest

from bot.cost import Usage
from bot.outside.dialect import Dialect

LARGE = 16_384

LESSONS = {
    "the older name alone (Azure, before 2024-09)": (
        "Unrecognized request argument supplied: max_completion_tokens",
        {"max_tokens": LARGE},
    ),
    "as a list of faults (FastAPI)": (
        '{"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"]}]}',
        {"max_tokens": LARGE},
    ),
    "fewer tokens (OpenAI)": (
        "max_tokens is too large: 16384. This model supports at most 4096, whereas you provided 16384.",
        {"max_completion_tokens": 4096},
    ),
    "fewer tokens (DeepSeek)": (
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        {"max_completion_tokens": 8192},
    ),
    "fewer tokens, with a comma": (
        "`max_completion_tokens` must be less than or equal to `8,192`",
        {"max_completion_tokens": 8192},
    ),
    "a part of a small window (vLLM)": (
        "This model's maximum context length is 8192 tokens. However, you requested 17000 (616 + 16384).",
        {"max_completion_tokens": 2048},
    ),
    "no reasoning beside tools": (
        "Please set reasoning_effort to 'none'.",
        {"reasoning_effort": "none", "max_completion_tokens": LARGE},
    ),
}


@pytest.mark.parametrize(("message", "fields"), LESSONS.values(), ids=LESSONS)
def test_a_refusal_that_says_what_is_wanted_is_followed_once(message: str, fields: dict[str, object]) -> None:
    dialect = Dialect()
    assert dialect.fields(LARGE) == {"max_completion_tokens": LARGE}
    assert dialect.learn(message, tokens=LARGE)
    assert dialect.fields(LARGE) == fields
    for _ in range(4):
        dialect.learn(message, tokens=LARGE)
    assert not dialect.learn(message, tokens=LARGE)


NOTHING = {
    "another fault": "messages[3]: the role 'tool' must follow tool_calls",
    "a content filter": "content_filter",
    "a conversation longer than any answer": "maximum context length is 400 tokens",
}


@pytest.mark.parametrize("message", NOTHING.values(), ids=NOTHING)
def test_other_refusals_teach_nothing(message: str) -> None:
    assert not Dialect().learn(message, tokens=LARGE)


@pytest.mark.parametrize("message", [message for message, _ in list(LESSONS.values())[:6]])
def test_a_limit_that_was_not_sent_is_not_what_was_refused(message: str) -> None:
    assert not Dialect().learn(message, tokens=None)


def test_a_smaller_room_is_not_made_larger_by_what_a_server_allows() -> None:
    assert Dialect(most=4096).fields(1000) == {"max_completion_tokens": 1000}
    assert Dialect(most=4096).fields(None) == {}


def test_a_server_that_overruns_the_newer_name_is_told_the_older_one() -> None:
    dialect = Dialect()
    dialect.notice(Usage(output_tokens=1000), tokens=1000)
    assert dialect.limit == "max_completion_tokens"
    dialect.notice(Usage(output_tokens=1001), tokens=1000)
    assert dialect.limit == "max_tokens"
