"""What asking again would cost, with a range, before it is spent."""

from decimal import Decimal
from pathlib import Path

from fakes import ScriptedLlm, turn
from recorded import record

from bot.cost import Usage, cost_usd
from bot.impact import Shard
from bot.replay.estimate import Estimate, estimate
from bot.replay.source import files_in

TOOK = Usage(calls=1, input_tokens=200_000, output_tokens=20_000)
KNOWN = "gpt-5.4-mini"


def _estimate(folder: Path, model: str = KNOWN, **part: object) -> Estimate:
    return estimate(files_in([folder]), model=lambda _: model, **part)  # type: ignore[arg-type]


def _recorded(folder: Path, number: int = 4) -> Path:
    for seed in range(number):
        record(folder, seed, llm=ScriptedLlm(turn(text="Done.", usage=TOOK)))
    return folder


def test_what_runs_took_then_at_the_price_of_now(tmp_path: Path) -> None:
    each = cost_usd(TOOK, model=KNOWN)
    assert each is not None
    found = _estimate(_recorded(tmp_path))
    assert (found.runs, found.tokens, found.likely) == (4, 880_000, each * 4)
    assert found.low == each * 2
    assert found.most == Decimal("2.00")
    assert found.high == min(each * 8, found.most)
    assert found.told().startswith("4 runs, about 880,000 tokens: about $")


def test_the_runs_own_limits_are_the_most_that_it_can_be() -> None:
    found = Estimate(runs=1, tokens=10, likely=Decimal(3), most=Decimal("0.50"))
    assert found.high == Decimal("0.50")


def test_an_unknown_price_is_unknown_and_not_nothing(tmp_path: Path) -> None:
    found = _estimate(_recorded(tmp_path, 1), "some-model-of-our-own")
    assert (found.likely, found.low, found.high) == (None, None, Decimal("0.50"))
    assert "price is not known" in found.told()
    assert "1 run," in found.told()


def test_a_part_costs_a_part_and_other_tasks_nothing(tmp_path: Path) -> None:
    _recorded(tmp_path)
    parts = [_estimate(tmp_path, shard=Shard(number=number, of=3)).runs for number in (1, 2, 3)]
    assert sum(parts) == 4
    assert _estimate(tmp_path, task="task-2").runs == 1
    assert _estimate(tmp_path, task="none").told().startswith("0 runs")
