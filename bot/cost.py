"""What model calls used, and what that cost: token counts and US dollars.

A model without a known price costs None, never 0: a run that looks free would be wrong.
"""

from decimal import ROUND_UP, Decimal
from typing import Annotated, ClassVar

from pydantic import Field, PlainSerializer

from bot.dataclass import dataclass

# Bounded, for a forged `1e999999999` would be written out in full.
Money = Annotated[
    Decimal,
    Field(ge=0, le=1_000_000, decimal_places=12),
    PlainSerializer(lambda usd: format(usd, "f"), return_type=str),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts of one model call, or of several added up.

    `cached_tokens` are part of `input_tokens` and `reasoning_tokens` of `output_tokens`, as providers
    count them.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @property
    def cached_percent(self) -> int:
        """The share of the input that came from a provider's cache, rounded down."""
        return 100 * self.cached_tokens // self.input_tokens if self.input_tokens else 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


def cost_usd(usage: Usage, *, model: str) -> Decimal | None:
    """Price of `usage` in US dollars, rounded up to a millionth; None where the model's price is unknown.

    Right for one call alone: some prices rise with the length of a prompt, so calls are priced one by one.
    """
    exact = price(usage, model=model)
    return None if exact is None else rounded_up(exact)


def price(usage: Usage, *, model: str, is_new: bool = False) -> Decimal | None:
    """The same, unrounded. `is_new`: all input is written to the provider's cache, where that costs more.

    Source: the genai-prices package, which is updated from the providers' price pages.
    """
    import genai_prices

    try:
        calculated = genai_prices.calc_price(
            genai_prices.Usage(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cache_read_tokens=usage.cached_tokens,
                cache_write_tokens=usage.input_tokens if is_new else 0,
            ),
            model_ref=model,
        )
    except LookupError:
        return None
    return calculated.total_price


def rounded_up(usd: Decimal) -> Decimal:
    return usd.quantize(Decimal("0.000001"), rounding=ROUND_UP)


def context_window(model: str) -> int | None:
    """Tokens that the model can see at once; None where that is unknown."""
    import genai_prices

    try:
        found = genai_prices.calc_price(genai_prices.Usage(input_tokens=1), model_ref=model).model
    except LookupError:
        return None
    return found.context_window
