"""What a run cost: rounded up, never below nothing, and unknown where it is not known."""

from decimal import Decimal

import pytest

from bot.cost import Usage, context_window, cost_usd, price

PRICES = {
    "input alone": (Usage(input_tokens=1_000_000), Decimal("0.15")),
    "output alone": (Usage(output_tokens=1_000_000), Decimal("0.60")),
    "input that was cached costs half": (
        Usage(input_tokens=1_000_000, cached_tokens=1_000_000),
        Decimal("0.075"),
    ),
    "a part that was cached": (Usage(input_tokens=1_000_000, cached_tokens=500_000), Decimal("0.1125")),
    "reasoning is a part of the output": (
        Usage(output_tokens=1_000_000, reasoning_tokens=900_000),
        Decimal("0.60"),
    ),
    "one token, rounded up": (Usage(input_tokens=1), Decimal("0.000001")),
    "nothing": (Usage(), Decimal(0)),
}


@pytest.mark.parametrize(("usage", "usd"), PRICES.values(), ids=PRICES)
def test_a_known_model_has_its_published_price(usage: Usage, usd: Decimal) -> None:
    """GPT-4o mini, whose price has not changed since July 2024: a change of the package shows here."""
    cost = cost_usd(usage, model="gpt-4o-mini")
    assert cost == usd
    assert cost is not None
    assert -cost.as_tuple().exponent == 6  # type: ignore[operator]


@pytest.mark.parametrize("model", ["scripted-model", "llama3.1:8b", "", "no such model", "gpt-"])
def test_an_unknown_model_is_unknown_and_not_free(model: str) -> None:
    assert cost_usd(Usage(calls=1, input_tokens=1_000_000), model=model) is None


def test_usages_add_up_in_every_field() -> None:
    one = Usage(calls=1, input_tokens=2, output_tokens=3, cached_tokens=4, reasoning_tokens=5)
    assert one + one + Usage() == Usage(
        calls=2, input_tokens=4, output_tokens=6, cached_tokens=8, reasoning_tokens=10
    )
    assert (one + one).tokens == 10


def test_a_prompt_that_a_provider_has_to_cache_costs_more_where_it_does() -> None:
    usage = Usage(input_tokens=1000)
    assert price(usage, model="claude-sonnet-4-5", is_new=True) == Decimal("0.00375")
    assert price(usage, model="claude-sonnet-4-5") == Decimal("0.003")
    assert price(usage, model="gpt-4o-mini", is_new=True) == price(usage, model="gpt-4o-mini")


@pytest.mark.parametrize(
    ("model", "tokens"), [("gpt-4o-mini", 128_000), ("scripted-model", None), ("", None)]
)
def test_a_models_window_is_known_or_not(model: str, tokens: int | None) -> None:
    assert context_window(model) == tokens


CACHED = {
    "nothing read": (0, 0, 0),
    "nothing cached": (10, 0, 0),
    "two thirds": (3, 2, 66),
    "all": (7, 7, 100),
}


@pytest.mark.parametrize(("read", "cached", "percent"), CACHED.values(), ids=CACHED)
def test_the_cached_share_is_rounded_down(read: int, cached: int, percent: int) -> None:
    assert Usage(input_tokens=read, cached_tokens=cached).cached_percent == percent
