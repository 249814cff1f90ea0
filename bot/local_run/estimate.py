"""(Task, limits, model) -> the most that a run can cost, before anybody is paid."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from gettext import NullTranslations

from bot.agent.prompt import write_prompt
from bot.assignment import Assignment
from bot.cost import Usage, cost_usd
from bot.dataclass import dataclass
from bot.local_run.home import Home

# English text has about four characters a token; with fewer, the estimate is on the high side.
_CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """`first_call_usd` is the price of what the first call sends; None where the model's price is unknown."""

    model: str
    first_call_tokens: int
    first_call_usd: Decimal | None
    most_calls: int
    most_tokens: int
    most_usd: Decimal
    most_seconds: int

    def to_json(self) -> str:
        told = asdict(self)
        for name in ("first_call_usd", "most_usd"):
            told[name] = None if told[name] is None else format(told[name], "f")
        return json.dumps({"schema": "dryrun-bot/estimate/1", **told}, indent=2) + "\n"

    def lines(self, speech: NullTranslations) -> Iterator[str]:
        _ = speech.gettext
        yield _("Model: %(model)s") % {"model": self.model}
        price = _("cost unknown") if self.first_call_usd is None else f"${self.first_call_usd}"
        yield _("The first call sends about %(tokens)s tokens (%(price)s).") % {
            "tokens": f"{self.first_call_tokens:,}",
            "price": price,
        }
        yield _(
            "The run ends after %(calls)d calls, %(tokens)s tokens, %(seconds)d seconds at the latest."
        ) % {
            "calls": self.most_calls,
            "tokens": f"{self.most_tokens:,}",
            "seconds": self.most_seconds,
        }
        if self.first_call_usd is None:
            yield _(
                "The model's price is not known, so the limit in dollars can't hold: that in tokens does."
            )
        else:
            yield _("It costs $%(usd)s at most.") % {"usd": self.most_usd}


def estimate_of(assignment: Assignment, home: Home, *, model: str, is_live: bool) -> Estimate:
    prompt = write_prompt(assignment.words, nonce="0" * 16, is_live=is_live)
    schemas = [tool.schema() for tool in home.tools.values()]
    characters = len(json.dumps([prompt.messages, schemas], ensure_ascii=False))
    tokens = -(-characters // _CHARACTERS_PER_TOKEN)
    limits = home.config.limits
    return Estimate(
        model=model,
        first_call_tokens=tokens,
        first_call_usd=cost_usd(Usage(input_tokens=tokens), model=model),
        most_calls=limits.steps,
        most_tokens=limits.tokens,
        most_usd=limits.usd,
        most_seconds=limits.seconds,
    )
