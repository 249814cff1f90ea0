import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.advice import Advice, BlastRadius, NoAdvice, Opinion, may_be_tightened, tighten
from bot.verdict import Outcome, Verdict


def _verdict(outcome: Outcome) -> Verdict:
    return Verdict(outcome=outcome, rule="some-rule", reason="Some reason.", source="dryrun-bot.yml:3")


def _advice(**other: Any) -> Advice:
    harmless = {
        "predicted_effect": "One line is corrected.",
        "reversible": True,
        "blast_radius": BlastRadius.SINGLE_FILE,
        "concerns": (),
    }
    return Advice(**(harmless | other))


CASES: dict[str, tuple[Opinion, bool, str]] = {
    "a harmless effect": (_advice(), False, "some-rule"),
    "no effect at all": (_advice(blast_radius=BlastRadius.NONE), False, "some-rule"),
    "an effect on the system": (_advice(blast_radius=BlastRadius.SYSTEM), False, "advice-system-wide"),
    "what can't be taken back": (_advice(reversible=False), False, "advice-irreversible"),
    "a concern": (_advice(concerns=("It may be generated.",)), False, "advice-concern"),
    "everything at once": (
        _advice(concerns=("x",), reversible=False, blast_radius=BlastRadius.SYSTEM),
        False,
        "advice-concern",
    ),
    "no advice": (NoAdvice(why="the model refused"), False, "some-rule"),
    "no advice where it is required": (NoAdvice(why="the model refused"), True, "advice-missing"),
    "a harmless effect where advice is required": (_advice(), True, "some-rule"),
}


@pytest.mark.parametrize(("opinion", "required", "rule"), CASES.values(), ids=CASES)
def test_an_allow_asks_after_any_worry(*, opinion: Opinion, required: bool, rule: str) -> None:
    tightened = tighten(_verdict(Outcome.ALLOW), opinion, required=required)
    assert tightened.rule == rule
    assert tightened.outcome is (Outcome.ALLOW if rule == "some-rule" else Outcome.ASK)
    assert may_be_tightened(tightened, _verdict(Outcome.ALLOW)) is (rule != "some-rule")
    assert not may_be_tightened(tightened, _verdict(Outcome.ASK))
    assert not may_be_tightened(replace(tightened, reason="Some reason."), _verdict(Outcome.ALLOW))


@pytest.mark.parametrize("outcome", [Outcome.ASK, Outcome.DENY])
@pytest.mark.parametrize(("opinion", "required", "_rule"), CASES.values(), ids=CASES)
def test_an_ask_and_a_deny_stay_as_they_are(
    *, outcome: Outcome, opinion: Opinion, required: bool, _rule: str
) -> None:
    assert tighten(_verdict(outcome), opinion, required=required) == _verdict(outcome)


def test_the_reason_is_the_models_and_says_so() -> None:
    tightened = tighten(_verdict(Outcome.ALLOW), _advice(concerns=("It may be\ngenerated.",)))
    assert tightened.reason == "In a second model's opinion: It may be generated."
    assert tightened.source == "advice"
    missing = tighten(_verdict(Outcome.ALLOW), NoAdvice(why="the second model refused"), required=True)
    assert missing.reason == "The policy wants a second model's opinion, and the second model refused."


def test_a_reason_stays_one_sentence_however_much_a_model_worries() -> None:
    tightened = tighten(_verdict(Outcome.ALLOW), _advice(concerns=("word " * 200,)))
    assert len(tightened.reason) < 350
    assert tightened.reason.endswith("…")


OPINIONS = st.one_of(
    st.builds(NoAdvice, why=st.text()),
    st.builds(
        Advice,
        predicted_effect=st.text(max_size=50),
        reversible=st.booleans(),
        blast_radius=st.sampled_from(BlastRadius),
        concerns=st.lists(st.text(max_size=50), max_size=3).map(tuple),
    ),
)
VERDICTS = st.builds(
    Verdict, outcome=st.sampled_from(Outcome), rule=st.text(), reason=st.text(), source=st.text()
)


@given(verdict=VERDICTS, opinion=OPINIONS, required=st.booleans())
def test_no_advice_ever_loosens_a_verdict(*, verdict: Verdict, opinion: Opinion, required: bool) -> None:
    tightened = tighten(verdict, opinion, required=required)
    assert tightened.outcome >= verdict.outcome
    assert tightened.outcome is not Outcome.DENY or tightened == verdict


@given(verdict=VERDICTS, opinions=st.lists(OPINIONS, max_size=4), required=st.booleans())
def test_a_chain_of_opinions_is_as_strict_as_its_strictest(
    *, verdict: Verdict, opinions: list[Opinion], required: bool
) -> None:
    outcomes = [tighten(verdict, opinion, required=required).outcome for opinion in opinions]
    tightened = verdict
    for opinion in opinions:
        tightened = tighten(tightened, opinion, required=required)
    assert tightened.outcome is max([verdict.outcome, *outcomes])


MALFORMED = {
    "a word for a truth": {"reversible": "yes"},
    "a radius that is none": {"blast_radius": "galaxy"},
    "one concern without a list": {"concerns": "it may break"},
    "a concern that is no text": {"concerns": [{"text": "x"}]},
    "a verdict of its own": {"outcome": "allow"},
    "a book": {"predicted_effect": "x" * 2001},
    "too many concerns": {"concerns": ["x"] * 21},
}


@pytest.mark.parametrize("change", MALFORMED.values(), ids=MALFORMED)
def test_advice_in_another_shape_is_none(change: dict[str, Any]) -> None:
    said = json.loads(json.dumps(_advice().to_json())) | change
    with pytest.raises(ValueError, match="validation error"):
        Advice.model_validate_json(json.dumps(said))


def test_having_no_advice_asks_only_where_the_policy_wants_one() -> None:
    assert tighten(_verdict(Outcome.ALLOW), NoAdvice(why="it timed out")) == _verdict(Outcome.ALLOW)


REASONS = {
    "missing": (
        NoAdvice(why="the second model refused"),
        "The policy wants a second model's opinion, and the second model refused.",
    ),
    "a concern": (
        _advice(concerns=("It  drops\na table.",)),
        "In a second model's opinion: It drops a table.",
    ),
    "irreversible": (_advice(reversible=False), "In a second model's opinion this can't be taken back."),
    "system-wide": (
        _advice(blast_radius=BlastRadius.SYSTEM),
        "In a second model's opinion this reaches beyond one file.",
    ),
    "300 characters": (_advice(concerns=("x" * 300,)), f"In a second model's opinion: {'x' * 300}"),
    "301 characters": (_advice(concerns=("x" * 301,)), f"In a second model's opinion: {'x' * 300}…"),
}


@pytest.mark.parametrize(("opinion", "reason"), REASONS.values(), ids=REASONS)
def test_a_tightened_verdict_says_whose_opinion_it_is_and_which(opinion: Opinion, reason: str) -> None:
    tightened = tighten(_verdict(Outcome.ALLOW), opinion, required=True)
    assert (tightened.reason, tightened.source) == (reason, "advice")


def test_advice_and_its_lack_are_recorded_in_the_words_of_the_record() -> None:
    assert _advice().to_json() == {
        "predicted_effect": _advice().predicted_effect,
        "reversible": True,
        "blast_radius": _advice().blast_radius.value,
        "concerns": [],
    }
    assert NoAdvice(why="it timed out").to_json() == {"none": "it timed out"}
