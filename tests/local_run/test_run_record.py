"""The record of a run in a terminal."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from fakes import NOON
from own_home import opened
from render.samples import create

from bot.agent import Ended
from bot.cost import Usage
from bot.errors import SecretInPlan
from bot.local_run.run_record import sealed
from bot.plan import TaskName
from bot.simulator import Advised
from bot.words.redaction import Redactor

ENDED = Ended(
    summary="Done.",
    usage=Usage(calls=2, input_tokens=10, output_tokens=5),
    cost=Decimal("0.01"),
    stopped_by=None,
)
TASK = TaskName(name="ad-hoc", prompt_digest="f" * 64)


def test_it_says_what_ran_where_and_when(tmp_path: Path) -> None:
    home = opened(tmp_path).home
    made = sealed(
        replace(ENDED, stopped_by="stopped after 2 steps"),
        Advised(steps=(create(1),)),
        home=home,
        task=TASK,
        model="m",
        findings=("one",),
    )
    assert (made.repository, made.head_repository, made.head_sha) == ("repo", "repo", home.head_sha)
    assert (made.model, made.created_at, made.stopped_by) == ("m", NOON, "stopped after 2 steps")
    assert made.findings == ("one",)
    assert made.steps == (create(1),)


def test_what_is_to_be_known_of_the_numbers_is_among_the_findings(tmp_path: Path) -> None:
    ended = replace(ENDED, findings=("they are estimates",))
    advised = Advised(steps=(), findings=("so are these",))
    made = sealed(ended, advised, home=opened(tmp_path).home, task=TASK, model="m", findings=("first",))
    assert made.findings == ("first", "they are estimates", "so are these")


def test_a_secret_of_this_run_is_taken_out_of_the_summary_and_never_kept_elsewhere(tmp_path: Path) -> None:
    key = "correct-horse-battery"
    home = replace(opened(tmp_path).home, redact=Redactor((key,)))
    ended = replace(ENDED, summary=f"I used {key}.")
    made = sealed(ended, Advised(steps=()), home=home, task=TASK, model="m", findings=())
    assert made.summary == "I used ***."
    with pytest.raises(SecretInPlan):
        sealed(ENDED, Advised(steps=(create(1, content=key),)), home=home, task=TASK, model="m", findings=())
