"""(Limits of a run, what it took so far, the next prompt) -> room for one more answer, or why there is none.

Hard: a call whose worst case could break the limit of tokens or money is not made. The worst case is the
prompt, estimated on the high side, and the longest answer that the server is told to allow.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from bot.config import RunLimits
from bot.cost import Usage, price, rounded_up
from bot.world import Room, Turn

# What a long file takes, written whole; some models allow no more.
LARGEST_ANSWER: Final = 16_384
# An answer with less is cut off before it says anything.
LEAST_ANSWER: Final = 256


@dataclass(slots=True, kw_only=True)
class Budget:
    """`is_estimated`: the model's server counted no tokens once, and `usage` is on the high side."""

    limits: RunLimits
    model: str
    usage: Usage = field(default_factory=Usage)
    is_estimated: bool = False
    _spent: Decimal | None = Decimal(0)

    def spend(self, turn: Turn) -> None:
        """Each call is priced alone: a long prompt costs more by the token, several short ones don't."""
        self.usage += turn.usage
        self.is_estimated |= turn.is_estimated
        usd = price(turn.usage, model=self.model)
        self._spent = None if usd is None or self._spent is None else self._spent + usd

    @property
    def cost(self) -> Decimal | None:
        """In US dollars; None where the model's price is unknown, and then the token limit is what holds."""
        if self._spent is None or price(Usage(), model=self.model) is None:
            return None
        return rounded_up(self._spent)

    def room(self, *, prompt_tokens: int, elapsed_s: float) -> Room | str:
        """For the next answer; or the words for `stopped_by`."""
        limits, usage, cost = self.limits, self.usage, self.cost
        if usage.calls >= limits.steps:
            return f"stopped after {_counted(limits.steps, 'step')}"
        if elapsed_s >= limits.seconds:
            return self.out_of_time
        tokens = min(limits.tokens - usage.tokens - prompt_tokens, LARGEST_ANSWER)
        if tokens < LEAST_ANSWER:
            if usage.tokens >= limits.tokens:
                return f"stopped after {usage.tokens:,} tokens (the limit is {limits.tokens:,})"
            return (
                f"stopped after {usage.tokens:,} tokens: the next call could take "
                f"{prompt_tokens + LEAST_ANSWER:,} more (the limit is {limits.tokens:,})"
            )
        tokens = min(tokens, self._affordable(prompt_tokens))
        if tokens < LEAST_ANSWER:
            if cost is not None and cost >= limits.usd:
                return f"stopped after ${cost} (the limit is ${limits.usd})"
            least = Usage(input_tokens=prompt_tokens, output_tokens=LEAST_ANSWER)
            return (
                f"stopped after ${cost}: the next call could cost "
                f"${rounded_up(self._worst(least) or Decimal(0))} more (the limit is ${limits.usd})"
            )
        return Room(tokens=tokens, seconds=limits.seconds - elapsed_s)

    @property
    def out_of_time(self) -> str:
        return f"stopped after {_counted(self.limits.seconds, 'second')}"

    def _affordable(self, prompt_tokens: int) -> int:
        """Tokens of an answer to such a prompt that the money is enough for."""
        prompt = self._worst(Usage(input_tokens=prompt_tokens))
        whole = self._worst(Usage(input_tokens=prompt_tokens, output_tokens=LARGEST_ANSWER))
        if prompt is None or whole is None or self._spent is None:
            return LARGEST_ANSWER
        left = self.limits.usd - self._spent - prompt
        if whole - prompt <= left:
            return LARGEST_ANSWER
        return int(LARGEST_ANSWER * left / (whole - prompt))

    def _worst(self, usage: Usage) -> Decimal | None:
        return price(usage, model=self.model, is_new=True)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
