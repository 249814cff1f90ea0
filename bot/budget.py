"""(Limits of a run, what it took so far, the next prompt) -> room for one more answer, or why there is none.

Hard: a call whose worst case could break the limit of tokens or money is not made. The worst case is the
prompt, estimated on the high side, and the longest answer that the server is told to allow; a try whose
answer was lost on the way counts as that, since nobody can tell what it took.
"""

from collections.abc import Iterator
from dataclasses import field
from decimal import Decimal
from typing import Final

from bot.config import RunLimits
from bot.cost import Usage, context_window, price, rounded_up
from bot.dataclass import dataclass
from bot.world import Clock, Room, Turn

# What a long file takes, written whole; some models allow no more.
LARGEST_ANSWER: Final = 16_384
# An answer with less is cut off before it says anything.
LEAST_ANSWER: Final = 256


@dataclass(slots=True)
class _Taken:
    """By all models of a run together; of money only what is known."""

    tokens: int = 0
    usd: Decimal = Decimal(0)


@dataclass(slots=True, kw_only=True)
class Budget:
    """One model's, in a run whose limits hold for all its models together. The time runs from its making.

    `is_estimated`: the model's server counted no tokens once, and `usage` is on the high side. `lost` are
    the tries without an answer that may have been paid for. `has_steps`: its calls count against the steps.
    `window` is the model's context window in tokens; None: as the price library knows it, if at all.
    """

    limits: RunLimits
    model: str
    clock: Clock
    window: int | None = None
    usage: Usage = field(default_factory=Usage)
    is_estimated: bool = False
    lost: int = 0
    has_steps: bool = True
    began_s: float = -1.0
    _spent: Decimal | None = Decimal(0)
    _taken: _Taken = field(default_factory=_Taken)
    _worst_case: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        if self.began_s < 0:
            self.began_s = self.clock.elapsed_s()
        self.window = self.window or context_window(self.model)

    def beside(self, model: str, *, window: int | None = None) -> "Budget":
        """For a second model of the same run: the same money, tokens and time, and no steps of its own."""
        return Budget(
            limits=self.limits,
            model=model,
            clock=self.clock,
            window=window,
            has_steps=False,
            began_s=self.began_s,
            _taken=self._taken,
        )

    @property
    def elapsed_s(self) -> float:
        return self.clock.elapsed_s() - self.began_s

    def spend(self, turn: Turn) -> None:
        """Each call is priced alone: a long prompt costs more by the token, several short ones don't."""
        self.lose(turn.lost)
        self.is_estimated |= turn.is_estimated
        self._add(turn.usage, price(turn.usage, model=self.model))

    def lose(self, tries: int) -> None:
        """Tries of the call that there was room for last, whose answers never came."""
        self.lost += tries
        for _ in range(tries):
            self._add(self._worst_case, self._worst(self._worst_case))

    def _add(self, usage: Usage, usd: Decimal | None) -> None:
        self.usage += usage
        self._taken.tokens += usage.tokens
        self._taken.usd += usd or Decimal(0)
        self._spent = None if usd is None or self._spent is None else self._spent + usd

    @property
    def cost(self) -> Decimal | None:
        """In US dollars; None where the model's price is unknown, and then the token limit is what holds."""
        if self._spent is None or price(Usage(), model=self.model) is None:
            return None
        return rounded_up(self._spent)

    @property
    def findings(self) -> Iterator[str]:
        """What people should know about the numbers."""
        if self.is_estimated:
            yield "the model's server counted no tokens, so tokens and cost are estimates, on the high side"
        if self.lost:
            calls = "1 call" if self.lost == 1 else f"{self.lost} calls"
            yield (
                f"{calls} to {self.model} had no answer that arrived whole, and may "
                "have been paid for all the same: counted at the most that they could take"
            )

    def room(self, *, prompt_tokens: int, elapsed_s: float) -> Room | str:
        """For the next answer; or the words for `stopped_by`."""
        limits = self.limits
        if self.has_steps and self.usage.calls >= limits.steps:
            steps = "1 step" if limits.steps == 1 else f"{limits.steps} steps"
            return f"stopped after {steps}"
        if elapsed_s >= limits.seconds:
            return self.out_of_time
        left = limits.tokens - self._taken.tokens
        tokens = min(left - prompt_tokens, LARGEST_ANSWER)
        if tokens < LEAST_ANSWER:
            return self._out_of_tokens(prompt_tokens)
        tokens = min(tokens, self._affordable(prompt_tokens))
        if tokens < LEAST_ANSWER:
            return self._out_of_money(prompt_tokens)
        self._worst_case = Usage(calls=1, input_tokens=prompt_tokens, output_tokens=tokens)
        return Room(tokens=tokens, seconds=limits.seconds - elapsed_s, spare=self._spare())

    @property
    def out_of_time(self) -> str:
        limit = self.limits.seconds
        seconds = "1 second" if limit == 1 else f"{limit} seconds"
        return f"stopped after {seconds}"

    def _out_of_tokens(self, prompt_tokens: int) -> str:
        taken, limit = self._taken.tokens, self.limits.tokens
        if taken >= limit:
            return f"stopped after {taken:,} tokens (the limit is {limit:,})"
        return (
            f"stopped after {taken:,} tokens: the next call could take "
            f"{prompt_tokens + LEAST_ANSWER:,} more (the limit is {limit:,})"
        )

    def _out_of_money(self, prompt_tokens: int) -> str:
        spent, limit = rounded_up(self._taken.usd), self.limits.usd
        if spent >= limit:
            return f"stopped after ${spent} (the limit is ${limit})"
        least = Usage(input_tokens=prompt_tokens, output_tokens=LEAST_ANSWER)
        return (
            f"stopped after ${spent}: the next call could cost "
            f"${rounded_up(self._worst(least) or Decimal(0))} more (the limit is ${limit})"
        )

    def _affordable(self, prompt_tokens: int) -> int:
        """Tokens of an answer to such a prompt that the money is enough for."""
        prompt = self._worst(Usage(input_tokens=prompt_tokens))
        whole = self._worst(Usage(input_tokens=prompt_tokens, output_tokens=LARGEST_ANSWER))
        if prompt is None or whole is None:
            return LARGEST_ANSWER
        left = self.limits.usd - self._taken.usd - prompt
        if whole - prompt <= left:
            return LARGEST_ANSWER
        return int(LARGEST_ANSWER * left / (whole - prompt))

    def _spare(self) -> int:
        """How many tries may be lost so that one more still breaks no limit."""
        limits, worst = self.limits, self._worst_case
        spare = (limits.tokens - self._taken.tokens) // worst.tokens - 1
        if self.has_steps:
            spare = min(spare, limits.steps - self.usage.calls - 1)
        if usd := self._worst(worst):
            spare = min(spare, int((limits.usd - self._taken.usd) // usd) - 1)
        return max(spare, 0)

    def _worst(self, usage: Usage) -> Decimal | None:
        return price(usage, model=self.model, is_new=True)
