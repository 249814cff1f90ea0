"""What is recorded is said again in its order, and nothing is made up past the end of it."""

import pytest
from fakes import NOON, call, turn

from bot.errors import ModelFailed
from bot.replay.stand_in import RecordedAdvisor, RecordedClock, RecordedLlm
from bot.replay.whole_run import Advice


def test_a_recorded_model_says_its_turns_whatever_it_is_asked() -> None:
    turns = [turn(call("read_file", path="a")), turn(text="Done.")]
    llm = RecordedLlm("some-model", turns)
    assert llm.model == "some-model"
    assert [llm.ask([], tools=[]), llm.ask([{"role": "user"}], tools=[])] == turns
    with pytest.raises(ModelFailed, match="nothing more to say"):
        llm.ask([], tools=[])


def test_a_recorded_advisor_fails_where_it_failed() -> None:
    said = turn(text="{}")
    advisor = RecordedAdvisor(
        [
            Advice(model="second", turn=said, problem=None),
            Advice(model="second", turn=None, problem="it was busy"),
        ]
    )
    assert advisor.model == "second"
    assert advisor.ask([], tools=[]) == said
    with pytest.raises(ModelFailed, match="it was busy"):
        advisor.ask([], tools=[])
    with pytest.raises(ModelFailed, match="it was not asked then"):
        advisor.ask([], tools=[])


def test_a_recorded_clock_reads_as_it_did() -> None:
    clock = RecordedClock(moment=NOON, elapsed=[0.0, 1.5, 600.25])
    assert clock.now() == NOON
    assert [clock.elapsed_s() for _ in range(6)] == [0.0, 0.0, 1.5, 600.25, 600.25, 600.25]
    assert RecordedClock(moment=NOON, elapsed=[]).elapsed_s() == 0.0
