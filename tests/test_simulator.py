import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fakes import FixedClock, MemoryTree, ScriptedLlm, call, turn

from bot.action import Call
from bot.budget import LARGEST_ANSWER, Budget
from bot.config import RunLimits
from bot.cost import Usage
from bot.dispatcher import Dispatcher
from bot.errors import ModelFailed
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.plan import Step
from bot.simulator import Advised, SecondModel, advise
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.verdict import Outcome
from bot.workspace.overlay import Overlay
from bot.world import Turn

FILES = {"a.txt": "alpha\n", "b.txt": "beta\n", "production.env": "KEY=1\n"}


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript.begin(tmp_path / "transcript.jsonl")


@pytest.fixture
def steps(transcript: Transcript) -> tuple[Step, ...]:
    """An edit that is allowed, a command that asks, and a deletion that is denied."""
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(MemoryTree(FILES), Ripgrep()),
        policies=[Policy()],
        transcript=transcript,
    )
    dispatcher.dispatch(call("edit_file", path="a.txt", old="alpha", new="omega"))
    dispatcher.dispatch(call("run_command", command="make"))
    dispatcher.dispatch(call("delete_file", path="production.env"))
    return dispatcher.steps


def _prediction(number: int, **other: Any) -> dict[str, Any]:
    harmless = {
        "number": number,
        "predicted_effect": "One word changes.",
        "reversible": True,
        "blast_radius": "single_file",
        "concerns": [],
    }
    return harmless | other


def _predicts(*predictions: dict[str, Any]) -> Turn:
    said = Call(id="c", tool="predict", arguments=json.dumps({"steps": predictions}))
    return turn(said, usage=Usage(calls=1, input_tokens=10, output_tokens=5))


def _budget(model: str = "scripted-model", **limits: Any) -> Budget:
    return Budget(limits=RunLimits(**limits), model=model, clock=FixedClock())


def _advised(steps: tuple[Step, ...], transcript: Transcript, said: Turn, **how: Any) -> Advised:
    fields = {"required": False, "budget": _budget()} | how
    return advise(steps, llm=ScriptedLlm(said), transcript=transcript, **fields)


def _outcomes(advised: Advised) -> list[str]:
    return [step.verdict.outcome.value for step in advised.steps]


def test_a_worry_makes_an_allowed_step_ask_and_stands_beside_it(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    worried = _predicts(_prediction(1, concerns=["It is generated."]), _prediction(2))
    advised = _advised(steps, transcript, worried)
    assert [step.verdict.outcome for step in steps] == ["allow", "ask", "deny"]
    assert _outcomes(advised) == ["ask", "ask", "deny"]
    assert advised.steps[0].advice == {
        "predicted_effect": "One word changes.",
        "reversible": True,
        "blast_radius": "single_file",
        "concerns": ["It is generated."],
    }
    assert advised.findings == ()


def test_what_it_took_is_told_apart_from_what_the_agent_took(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    advisor = _advised(steps, transcript, _predicts(_prediction(1), _prediction(2))).advisor
    assert advisor is not None
    assert (advisor.model, advisor.usage.tokens, advisor.cost) == ("scripted-model", 15, None)


def test_a_deletion_that_a_model_calls_harmless_stays_denied(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    persuaded = _predicts(
        _prediction(1), _prediction(2), _prediction(3, predicted_effect="Approved.", reversible=True)
    )
    advised = _advised(steps, transcript, persuaded)
    assert advised.steps[2] == steps[2]
    assert advised.steps[1].verdict == steps[1].verdict


def _arguments(text: str) -> Turn:
    return turn(Call(id="c", tool="predict", arguments=text))


NO_ADVICE = {
    "words": (turn(text="It looks fine to me."), "does not have the shape"),
    "nothing": (turn(), "does not have the shape"),
    "another tool": (turn(call("read_file", path="a.txt")), "does not have the shape"),
    "half a call": (_arguments('{"steps": ['), "does not have the shape"),
    "no list": (_arguments('{"steps": {}}'), "does not have the shape"),
    "a verdict": (_predicts(_prediction(1, outcome="allow")), "does not have the shape"),
    "half a character": (_arguments('{"steps": "\ud800"}'), "does not have the shape"),
    "a step twice": (_predicts(_prediction(1), _prediction(1)), "spoke of step 1 twice"),
    "a refusal": (replace(turn(text="I can't help with that."), finish="refusal"), "refused to look"),
}


@pytest.mark.parametrize(("said", "why"), NO_ADVICE.values(), ids=NO_ADVICE)
def test_an_answer_in_another_shape_is_no_advice_and_the_plan_says_so(
    steps: tuple[Step, ...], transcript: Transcript, said: Turn, why: str
) -> None:
    advised = _advised(steps, transcript, said)
    assert _outcomes(advised) == ["allow", "ask", "deny"]
    assert [finding for finding in advised.findings if why in finding]
    assert why in str(advised.steps[0].advice)
    required = _advised(steps, transcript, said, required=True)
    assert _outcomes(required) == ["ask", "ask", "deny"]
    assert required.steps[0].verdict.rule == "advice-missing"


def test_a_step_that_it_says_nothing_about_has_no_advice(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    said = _predicts(_prediction(2), _prediction(7))
    assert _advised(steps, transcript, said).steps[0].verdict.outcome is Outcome.ALLOW
    required = _advised(steps, transcript, said, required=True)
    assert required.steps[0].verdict.rule == "advice-missing"
    assert required.steps[0].advice == {"none": "the second model said nothing about this step"}


def test_the_answer_may_come_as_text_from_a_server_that_knows_no_tools(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    text = json.dumps({"steps": [_prediction(1, reversible=False), _prediction(2)]})
    assert _outcomes(_advised(steps, transcript, turn(text=text))) == ["ask", "ask", "deny"]


class _Unreachable:
    model = "far-away"

    def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
        raise ModelFailed("The model at far.example can't be reached", next_step="wait")


def test_a_model_that_does_not_answer_costs_no_plan(steps: tuple[Step, ...], transcript: Transcript) -> None:
    advised = advise(steps, llm=_Unreachable(), budget=_budget(), required=False, transcript=transcript)
    assert _outcomes(advised) == ["allow", "ask", "deny"]
    assert advised.findings == ("no second opinion: The model at far.example can't be reached",)
    assert advised.advisor is not None
    assert advised.advisor.usage == Usage()


NO_ROOM: dict[str, tuple[dict[str, Any], Usage, str]] = {
    "tokens": ({"tokens": 9_000}, Usage(calls=1, input_tokens=8_000), "after 8,000 tokens: the next call"),
    "money": (
        {"usd": Decimal("0.0012")},
        Usage(calls=1, input_tokens=1_000, output_tokens=1_750),
        "after $0.001200 (the limit is $0.0012)",
    ),
    "time": ({"seconds": 1}, Usage(calls=1), "after 1 second"),
}


@pytest.mark.parametrize(("limits", "taken", "why"), NO_ROOM.values(), ids=NO_ROOM)
@pytest.mark.parametrize("required", [False, True])
def test_a_call_that_could_break_a_limit_of_the_run_is_not_made_and_the_plan_says_so(
    steps: tuple[Step, ...],
    transcript: Transcript,
    limits: dict[str, Any],
    taken: Usage,
    why: str,
    *,
    required: bool,
) -> None:
    clock = FixedClock(seconds=[0.0, 1.0] if "seconds" in limits else [])
    agents = Budget(limits=RunLimits(**limits), model="gpt-4o-mini", clock=clock)
    agents.spend(turn(usage=taken))
    advised = advise(
        steps,
        llm=_Unreachable(),
        budget=agents.beside("gpt-4o-mini"),
        required=required,
        transcript=transcript,
    )
    (finding,) = advised.findings
    assert finding.startswith(f"no second opinion: it could break a limit of the run, {why}")
    assert _outcomes(advised) == ["ask" if required else "allow", "ask", "deny"]
    assert json.loads(transcript.file.read_text().splitlines()[-1])["event"] == "advised"


def test_what_was_lost_on_the_way_to_it_is_counted_and_told(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    class Losing(_Unreachable):
        def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
            raise ModelFailed("The line broke", next_step="wait", lost=1)

    advised = advise(steps, llm=Losing(), budget=_budget(), required=False, transcript=transcript)
    assert advised.advisor is not None
    assert advised.advisor.usage.output_tokens == LARGEST_ANSWER
    assert advised.findings[0] == "no second opinion: The line broke"
    assert advised.findings[1].startswith("1 call to scripted-model had no answer that arrived whole")


def test_in_a_live_run_all_its_calls_share_what_the_agent_leaves(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    said = replace(_predicts(_prediction(1)), usage=Usage(calls=1, input_tokens=10_000))
    llm = ScriptedLlm(said)
    agents = _budget(tokens=25_000)
    second = SecondModel(
        llm=llm, budget=agents.beside(llm.model), required=False, transcript=transcript, redact=str
    )
    first = second.advise(steps[0])
    assert first.advice is not None
    agents.spend(turn(usage=Usage(calls=1, input_tokens=14_000)))
    for _ in range(3):
        assert "could break a limit" in str(second.advise(steps[0]).advice)
    assert len(llm.asked) == 1
    advised = second.advised([first])
    assert advised.advisor is not None
    assert advised.advisor.usage.tokens == 10_000
    assert [finding.partition(",")[0] for finding in advised.findings] == [
        "no second opinion: it could break a limit of the run"
    ]


def test_nobody_is_asked_about_a_plan_that_does_nothing(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    advised = advise(steps[2:], llm=_Unreachable(), budget=_budget(), required=True, transcript=transcript)
    assert advised == Advised(steps=steps[2:])


def test_it_is_asked_once_about_all_that_would_be_done_in_an_envelope(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    llm = ScriptedLlm(_predicts(_prediction(1), _prediction(2)))
    advise(steps, llm=llm, budget=_budget(), required=False, transcript=transcript)
    [[system, user]] = llm.asked
    nonce = str(system["content"]).split("<untrusted-")[1].split()[0]
    said = str(user["content"])
    assert said.startswith(f"<untrusted-{nonce} ")
    assert said.endswith(f"</untrusted-{nonce}>")
    assert "+omega" in said
    assert "production.env" not in said


def test_an_endless_step_is_cut_and_says_so(transcript: Transcript, steps: tuple[Step, ...]) -> None:
    long = steps[0].model_copy(update={"arguments": {"path": "a.txt", "new": "x" * 500_000}})
    many = [long.model_copy(update={"number": number}) for number in range(1, 60)]
    llm = ScriptedLlm(_predicts())
    advise(many, llm=llm, budget=_budget(), required=False, transcript=transcript)
    said = str(llm.asked[0][1]["content"])
    assert len(said) < 120_000
    assert said.count("characters more, which you are not shown") == 59


def test_a_small_window_is_not_filled_with_the_plan(transcript: Transcript, steps: tuple[Step, ...]) -> None:
    long = steps[0].model_copy(update={"arguments": {"path": "a.txt", "new": "x" * 500_000}})
    llm, budget = ScriptedLlm(_predicts()), _budget().beside("scripted-model", window=4_096)
    advise([long], llm=llm, budget=budget, required=False, transcript=transcript)
    assert 6_000 < len(str(llm.asked[0][1]["content"])) < 6_500


def test_secrets_and_half_characters_of_its_answer_are_not_recorded(
    steps: tuple[Step, ...], transcript: Transcript
) -> None:
    said = _arguments(
        json.dumps({"steps": [_prediction(1, concerns=["the key hunter2hunter2"]), _prediction(2)]})
    )
    advised = _advised(steps, transcript, said, redact=lambda text: text.replace("hunter2hunter2", "***"))
    assert "hunter2" not in str(advised.steps[0])
    assert "***" in advised.steps[0].verdict.reason


def test_the_answer_is_in_the_transcript_as_it_came(steps: tuple[Step, ...], transcript: Transcript) -> None:
    said = _predicts(_prediction(1), _prediction(2))
    _advised(steps, transcript, said)
    last = json.loads(transcript.file.read_text().splitlines()[-1])
    assert (last["event"], last["answer"], last["problem"]) == ("advised", said.calls[0].arguments, None)
