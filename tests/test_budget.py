"""A run's limits: what the next answer may take, and that no call could break one of them."""

from decimal import Decimal
from typing import Any

import pytest
from fakes import FixedClock
from hypothesis import given
from hypothesis import strategies as st

from bot.budget import LARGEST_ANSWER, LEAST_ANSWER, Budget
from bot.config import RunLimits
from bot.cost import Usage, price
from bot.world import Room, Turn

PRICED = "gpt-4o-mini"


def _budget(model: str = "scripted-model", *, spent: Usage | None = None, **limits: Any) -> Budget:
    budget = Budget(limits=RunLimits(**limits), model=model, clock=FixedClock())
    if spent is not None:
        budget.spend(_turn(spent))
    return budget


def _turn(usage: Usage, *, lost: int = 0) -> Turn:
    return Turn(text="", calls=(), usage=usage, finish="stop", lost=lost)


def _room(budget: Budget, *, prompt: int = 1000) -> Room:
    room = budget.room(prompt_tokens=prompt, elapsed_s=0.0)
    assert isinstance(room, Room)
    return room


def _used(tokens: int) -> Usage:
    return Usage(calls=1, input_tokens=tokens)


ROOMS: dict[str, tuple[Budget, int, int]] = {
    "plenty": (_budget(), 1000, LARGEST_ANSWER),
    "what the tokens leave": (_budget(tokens=10_000, spent=_used(4000)), 5000, 1000),
    "the least": (_budget(tokens=5000 + LEAST_ANSWER), 5000, LEAST_ANSWER),
    # 0.60 dollars a million written, 0.15 a million read.
    "what the money leaves": (_budget(PRICED, usd=Decimal("0.001")), 1000, 1416),
    "what the money leaves after a call": (
        _budget(PRICED, usd=Decimal("0.001"), spent=_used(2000)),
        1000,
        916,
    ),
    "an unknown price leaves the tokens": (_budget(usd=Decimal("0.000001")), 1000, LARGEST_ANSWER),
}


@pytest.mark.parametrize(("budget", "prompt", "tokens"), ROOMS.values(), ids=ROOMS)
def test_the_longest_answer_is_what_the_limits_leave(budget: Budget, prompt: int, tokens: int) -> None:
    room = budget.room(prompt_tokens=prompt, elapsed_s=10.0)
    assert isinstance(room, Room)
    assert (room.tokens, room.seconds) == (tokens, 590.0)


STOPS: dict[str, tuple[Budget, int, float, str]] = {
    "steps": (_budget(steps=1, spent=_used(1)), 10, 0.0, "stopped after 1 step"),
    "time": (_budget(seconds=60), 10, 60.0, "stopped after 60 seconds"),
    "tokens that are used up": (
        _budget(tokens=4000, spent=_used(4000)),
        10,
        0.0,
        "stopped after 4,000 tokens (the limit is 4,000)",
    ),
    "tokens that could be used up": (
        _budget(tokens=10_000, spent=_used(4000)),
        10_000 - 4000 - LEAST_ANSWER + 1,
        0.0,
        "stopped after 4,000 tokens: the next call could take 6,001 more (the limit is 10,000)",
    ),
    "money that is used up": (
        _budget(PRICED, usd=Decimal("0.0003"), spent=_used(2000)),
        10,
        0.0,
        "stopped after $0.000300 (the limit is $0.0003)",
    ),
    "money that could be used up": (
        _budget(PRICED, usd=Decimal("0.0005"), spent=_used(2000)),
        1000,
        0.0,
        "stopped after $0.000300: the next call could cost $0.000304 more (the limit is $0.0005)",
    ),
    "money before the first call": (
        _budget(PRICED, usd=Decimal("0.0001")),
        1000,
        0.0,
        "stopped after $0.000000: the next call could cost $0.000304 more (the limit is $0.0001)",
    ),
}


@pytest.mark.parametrize(("budget", "prompt", "elapsed_s", "why"), STOPS.values(), ids=STOPS)
def test_a_call_that_could_break_a_limit_is_not_made(
    budget: Budget, prompt: int, elapsed_s: float, why: str
) -> None:
    assert budget.room(prompt_tokens=prompt, elapsed_s=elapsed_s) == why


@given(
    tokens=st.integers(1, 100_000),
    micros=st.integers(1, 20_000),
    calls=st.lists(st.tuples(st.integers(1, 20_000), st.floats(0, 1), st.integers(0, 4)), max_size=8),
    second=st.lists(st.booleans(), min_size=8, max_size=8),
    model=st.sampled_from([PRICED, "gpt-5.4-mini", "gpt-5.4", "scripted-model"]),
)
def test_no_run_takes_more_than_its_limits_whatever_is_asked_answered_and_lost(
    tokens: int, micros: int, calls: list[tuple[int, float, int]], second: list[bool], model: str
) -> None:
    """As long as the server counts no more than it was sent, and keeps to the longest answer.

    Of both models together, with all tries that a client may make, each paid for in full.
    """
    usd = Decimal(micros) / 10**5
    budget = _budget(model, tokens=tokens, usd=usd)
    advisors = budget.beside(PRICED)
    paid, taken = Decimal(0), 0
    for (prompt, share, lost), is_second in zip(calls, second, strict=False):
        asked = advisors if is_second else budget
        room = asked.room(prompt_tokens=prompt, elapsed_s=0.0)
        if isinstance(room, str):
            continue
        assert room.tokens is not None
        assert room.spare is not None
        tries = min(lost, room.spare + 1)
        missed = Usage(calls=1, input_tokens=prompt, output_tokens=room.tokens)
        usage = Usage(calls=1, input_tokens=prompt, output_tokens=int(room.tokens * share))
        if tries > room.spare:
            asked.lose(tries)
        else:
            asked.spend(_turn(usage, lost=tries))
            paid += price(usage, model=asked.model) or 0
            taken += usage.tokens
        paid += tries * (price(missed, model=asked.model, is_new=True) or 0)
        taken += tries * missed.tokens
    assert budget.usage.tokens + advisors.usage.tokens == taken <= tokens
    assert paid <= usd
    assert (budget.cost is None) == (model == "scripted-model")


def test_calls_are_priced_one_by_one() -> None:
    """From 272,000 tokens on a prompt costs twice as much by the token; two halves of it don't."""
    half = Usage(calls=1, input_tokens=150_000)
    budget = _budget("gpt-5.4", spent=half)
    budget.spend(_turn(half))
    assert budget.cost == Decimal("0.75")
    assert _budget("gpt-5.4", spent=half + half).cost == Decimal("1.50")


def test_a_try_that_was_lost_counts_as_the_most_it_could_take_and_is_told() -> None:
    budget = _budget(PRICED)
    assert list(budget.findings) == []
    assert _room(budget).tokens == LARGEST_ANSWER
    budget.spend(_turn(Usage(calls=1, input_tokens=900, output_tokens=10), lost=2))
    assert budget.usage == Usage(calls=3, input_tokens=2900, output_tokens=2 * LARGEST_ANSWER + 10)
    # Twice 0.0099804 dollars, and 0.000141 for what was answered.
    assert budget.cost == Decimal("0.020102")
    (told,) = budget.findings
    assert told.startswith("2 calls to gpt-4o-mini had no answer that arrived whole")


SPARES: dict[str, tuple[dict[str, Any], int]] = {
    "the tokens": ({"tokens": 60_000}, 2),
    "one call's tokens": ({"tokens": 18_000}, 0),
    # Each could cost 1,000 x 0.15 + 16,384 x 0.60 dollars a million: 0.0099804.
    "the money": ({"usd": Decimal("0.03")}, 2),
    "the steps": ({"steps": 3}, 2),
}


@pytest.mark.parametrize(("limits", "spare"), SPARES.values(), ids=SPARES)
def test_so_many_tries_may_be_lost_as_there_is_room_for_beside_the_last(
    limits: dict[str, Any], spare: int
) -> None:
    assert _room(_budget(PRICED, **limits)).spare == spare


def test_a_second_model_shares_tokens_money_and_time_and_has_steps_of_its_own() -> None:
    first = _budget(PRICED, tokens=50_000, usd=Decimal("0.02"), steps=1)
    second = first.beside("gpt-5.4-mini")
    assert _room(first).tokens == LARGEST_ANSWER
    first.spend(_turn(Usage(calls=1, input_tokens=1000, output_tokens=10_000)))
    room = _room(second)
    # 0.02 - 0.00615 dollars are left; 1,000 tokens read cost 0.00075, and a million written 4.50.
    assert room.tokens == int(
        (Decimal("0.02") - Decimal("0.00615") - Decimal("0.00075")) / Decimal("0.0000045")
    )
    second.spend(_turn(Usage(calls=1, input_tokens=1000, output_tokens=1000)))
    assert (first.usage.calls, second.usage.calls) == (1, 1)
    assert (first.cost, second.cost) == (Decimal("0.00615"), Decimal("0.00525"))
    assert str(first.room(prompt_tokens=10, elapsed_s=0.0)) == "stopped after 1 step"
    said = str(second.room(prompt_tokens=40_000, elapsed_s=0.0))
    assert said.startswith("stopped after 13,000 tokens: the next call could take ")


WINDOWS = {
    "one that was said": ("scripted-model", 8192, 8192),
    "one that was said otherwise than it is known": (PRICED, 8192, 8192),
    "one that is known": (PRICED, None, 128_000),
    "one that nobody knows": ("scripted-model", None, None),
}


@pytest.mark.parametrize(("model", "said", "window"), WINDOWS.values(), ids=WINDOWS)
def test_the_context_window_is_what_was_said_or_else_what_is_known(
    model: str, said: int | None, window: int | None
) -> None:
    first = Budget(limits=RunLimits(), model=model, clock=FixedClock(), window=said)
    assert first.window == window
    assert _budget().beside(model, window=said).window == window


def test_one_estimated_turn_makes_the_whole_usage_an_estimate() -> None:
    budget = _budget(spent=_used(1))
    assert not budget.is_estimated
    budget.spend(Turn(text="", calls=(), usage=_used(1), finish="", is_estimated=True))
    budget.spend(_turn(_used(1)))
    assert budget.is_estimated
