"""What a run can cost, before it does."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from own_home import opened

from bot.assignment import Assignment
from bot.local_run.estimate import estimate_of
from bot.render.language import catalogue

SHORT = Assignment(name="ad-hoc", words="Fix it.")
LONG = Assignment(name="ad-hoc", words="Fix it. " * 1000)


def test_a_longer_task_costs_more_and_the_limits_are_the_configured_ones(tmp_path: Path) -> None:
    home = opened(tmp_path, config="limits: {steps: 3, usd: 0.07, tokens: 5000, seconds: 9}\n").home
    short, long = (estimate_of(task, home, model="gpt-5.4-mini", is_live=False) for task in (SHORT, LONG))
    assert long.first_call_tokens > short.first_call_tokens + 2000
    assert long.first_call_usd is not None
    assert short.first_call_usd is not None
    assert long.first_call_usd > short.first_call_usd > 0
    told = json.loads(short.to_json())
    assert (told["most_calls"], told["most_tokens"], told["most_seconds"]) == (3, 5000, 9)
    assert Decimal(told["most_usd"]) == Decimal("0.07")
    assert "$0.07 at most" in "\n".join(short.lines(catalogue("en")))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_price_that_is_not_known_is_said_and_null(tmp_path: Path, language: str) -> None:
    made = estimate_of(SHORT, opened(tmp_path).home, model="no-such-model", is_live=True)
    assert json.loads(made.to_json())["first_call_usd"] is None
    lines = "\n".join(made.lines(catalogue(language)))
    assert catalogue(language).gettext("cost unknown") in lines
    assert "$0" not in lines
