"""The loop: what the model is told, what ends it, and that a limit ends it in an honest plan."""

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fakes import FixedClock, MemoryTree, ScriptedLlm, call, turn

from bot import agent
from bot.action import Call
from bot.agent import Ended
from bot.budget import Budget
from bot.config import RunLimits
from bot.cost import Usage
from bot.dispatcher import Dispatcher
from bot.errors import ModelFailed
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay
from bot.world import Turn

NONCE = "0123456789abcdef"
OPENING = [{"role": "system", "content": "Work."}, {"role": "user", "content": "Tidy up."}]
WRITE = call("write_file", path="new.txt", content="x\n")
READ = call("read_file", path="a.txt")


class Run:
    """One run over a tree in memory, and what it left behind."""

    def __init__(
        self,
        folder: Path,
        *turns: Turn,
        llm: ScriptedLlm | None = None,
        model: str = "scripted-model",
        passed: Sequence[float] = (),
        window: int | None = None,
        **limits: Any,
    ) -> None:
        """`passed` are the seconds since the beginning, each time that somebody looks."""
        self.llm = llm or ScriptedLlm(*turns)
        self.llm.model = model
        self.transcript = Transcript.begin(folder / "transcript.jsonl")
        self.dispatcher = Dispatcher.rehearsing(
            tools=TOOLS,
            overlay=Overlay(MemoryTree({"a.txt": "alpha\n"}), Ripgrep()),
            policies=[Policy()],
            transcript=self.transcript,
        )
        self.ended: Ended = agent.run(
            OPENING,
            nonce=NONCE,
            llm=self.llm,
            dispatcher=self.dispatcher,
            tools=TOOLS,
            budget=Budget(
                limits=RunLimits(**limits),
                model=self.llm.model,
                clock=FixedClock(seconds=passed),
                window=window,
            ),
            transcript=self.transcript,
        )

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.transcript.file.read_text().splitlines()]


def test_a_run_ends_with_the_first_words_without_a_call(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(READ, text="Let me see."), turn(WRITE), turn(text=" One file.\n"), turn(READ))
    assert run.ended.summary == "One file."
    assert run.ended.stopped_by is None
    assert [step.tool for step in run.dispatcher.steps] == ["write_file"]
    assert len(run.llm.asked) == 3


def test_the_model_is_told_every_answer_under_the_id_of_its_call(tmp_path: Path) -> None:
    two = (
        Call(id="one", tool="read_file", arguments='{"path": "a.txt"}'),
        Call(id="two", tool="list_files", arguments="{}"),
    )
    run = Run(tmp_path, turn(*two, text="Looking."), turn(text="Done."))
    said, first, second = run.llm.asked[1][2:]
    assert said["content"] == "Looking."
    assert [each["id"] for each in said["tool_calls"]] == ["one", "two"]  # type: ignore[index,union-attr]
    assert (first["role"], first["tool_call_id"]) == ("tool", "one")
    assert "alpha" in str(first["content"])
    assert second["tool_call_id"] == "two"
    assert "a.txt" in str(second["content"])


def test_a_prompt_keeps_its_beginning_so_that_a_provider_can_cache_it(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(READ), turn(WRITE), turn(READ), turn(text="Done."))
    for earlier, later in zip(run.llm.asked, run.llm.asked[1:], strict=False):
        assert later[: len(earlier)] == earlier


LIMITS: dict[str, tuple[dict[str, Any], str, int]] = {
    "steps": ({"steps": 3}, "stopped after 3 steps", 3),
    "tokens": (
        {"tokens": 40_000, "usage": Usage(calls=1, input_tokens=9000, output_tokens=1000)},
        "stopped after 30,000 tokens: the next call could take N more (the limit is 40,000)",
        3,
    ),
    "tokens that a server overran": (
        {"tokens": 8000, "usage": Usage(calls=1, input_tokens=90, output_tokens=8000)},
        "stopped after 8,090 tokens (the limit is 8,000)",
        1,
    ),
    "time": (
        {"seconds": 60, "passed": [100.0, 100.0, 110.0, 159.9, 160.0]},
        "stopped after 60 seconds",
        3,
    ),
    "money": (
        {
            "usd": Decimal("0.0015"),
            "model": "gpt-4o-mini",
            "usage": Usage(calls=1, input_tokens=4000, output_tokens=1000),
        },
        "stopped after $0.001200: the next call could cost N more (the limit is $0.0015)",
        1,
    ),
    "money, where the price is not known": (
        {"usd": Decimal("0.000001"), "steps": 4},
        "stopped after 4 steps",
        4,
    ),
}


def _limits(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name != "usage"}


@pytest.mark.parametrize(("settings", "why", "asked"), LIMITS.values(), ids=LIMITS)
def test_a_limit_ends_the_run_and_keeps_what_was_planned(
    tmp_path: Path, settings: dict[str, Any], why: str, asked: int
) -> None:
    """The scripted model never ends by itself."""
    usage = Usage(calls=1, input_tokens=90, output_tokens=10)
    run = Run(tmp_path, turn(WRITE, usage=settings.get("usage", usage)), **_limits(settings))
    said = str(run.ended.stopped_by)
    # How long our own tools' schemas are is no part of this.
    assert re.sub(r"(?<=could take |could cost )\S+", "N", said) == why
    assert run.ended.summary == ""
    assert len(run.llm.asked) == asked == len(run.dispatcher.steps)
    assert (run.lines[-1]["event"], run.lines[-1]["why"]) == ("stopped", said)


def test_a_call_whose_worst_case_is_too_much_is_not_made_and_nothing_is_planned(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(WRITE), tokens=1000)
    assert run.llm.asked == []
    assert str(run.ended.stopped_by).startswith("stopped after 0 tokens: the next call could take ")


def test_each_call_is_told_what_is_left_for_it(tmp_path: Path) -> None:
    used = Usage(calls=1, input_tokens=5000, output_tokens=1000)
    passed = [0.0, 10.0, 30.0]
    run = Run(tmp_path, turn(READ, usage=used), turn(text="Done."), tokens=20_000, seconds=60, passed=passed)
    assert [room.seconds for room in run.llm.rooms] == [50.0, 30.0]
    first, second = (room.tokens or 0 for room in run.llm.rooms)
    assert 8000 < first < 16_000
    # The first call is counted and its prompt comes again; the result is a token a byte.
    assert 20_000 - 6000 - 6000 - 300 < second < 20_000 - 6000 - 6000


def test_an_answer_that_our_limit_cut_off_says_so(tmp_path: Path) -> None:
    cut = Turn(text="I will", calls=(), usage=Usage(calls=1), finish="length")
    run = Run(tmp_path, cut, tokens=12_000)
    assert "so that the run keeps within 12,000 tokens and $0.50" in str(run.ended.stopped_by)
    assert "its server allows" in str(Run(tmp_path, cut).ended.stopped_by)


def test_a_model_that_takes_all_the_time_there_is_ends_the_run_in_a_plan(tmp_path: Path) -> None:
    class Slow(ScriptedLlm):
        def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
            if self.asked:
                raise ModelFailed("It did not answer in time", next_step="wait")
            return super().ask(messages, tools=tools, **room)

    run = Run(tmp_path, llm=Slow(turn(WRITE)), seconds=60, passed=[0.0, 1.0, 20.0, 60.0])
    assert run.ended.stopped_by == "stopped after 60 seconds"
    assert [step.tool for step in run.dispatcher.steps] == ["write_file"]
    assert (run.lines[-1]["event"], run.lines[-1]["elapsed_s"]) == ("stopped", 60.0)
    with pytest.raises(ModelFailed):
        Run(tmp_path, llm=Slow(turn(WRITE)), seconds=60, passed=[0.0, 1.0, 20.0, 59.0])


class _Losing(ScriptedLlm):
    """After its first turn it fails, and nobody knows whether that was paid for."""

    def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
        if self.asked:
            raise ModelFailed("The line broke", next_step="wait", lost=2)
        return super().ask(messages, tools=tools, **room)


def test_a_call_that_was_lost_with_the_last_of_the_money_ends_the_run_in_a_plan(tmp_path: Path) -> None:
    first = turn(WRITE, usage=Usage(calls=1, input_tokens=4000, output_tokens=100))
    run = Run(tmp_path, llm=_Losing(first), tokens=50_000)
    assert str(run.ended.stopped_by).startswith("stopped after ")
    assert run.ended.usage.calls == 3
    assert run.ended.usage.tokens > 4100 + 2 * 16_384
    assert "2 calls to scripted-model had no answer" in run.ended.findings[0]
    assert [step.tool for step in run.dispatcher.steps] == ["write_file"]
    assert (run.lines[-1]["event"], run.lines[-1]["lost"]) == ("stopped", 2)


def test_a_call_that_was_lost_while_there_is_room_for_another_is_a_failure_of_the_model(
    tmp_path: Path,
) -> None:
    with pytest.raises(ModelFailed, match="The line broke"):
        Run(tmp_path, llm=_Losing(turn(WRITE)))
    lines = [json.loads(line) for line in (tmp_path / "transcript.jsonl").read_text().splitlines()]
    assert (lines[-1]["event"], lost := lines[-1]["lost"]) == ("failed", 2)
    assert lines[-1]["usage"]["calls"] == 1 + lost


def test_old_results_are_folded_and_the_transcript_keeps_them_whole(tmp_path: Path) -> None:
    big = call("write_file", path="big.txt", content=("x" * 49 + "\n") * 700)
    reads = [
        turn(Call(id=f"read-{number}", tool="read_file", arguments='{"path": "big.txt"}'))
        for number in range(10)
    ]
    run = Run(tmp_path, turn(big), *reads, turn(text="Done."))
    folded = [line for line in run.lines if line["event"] == "folded"]
    assert [line["calls"] for line in folded] == [
        ["read-0", "read-1", "read-2"],
        ["read-3", "read-4", "read-5"],
    ]
    results = {
        str(one["tool_call_id"]): str(one["content"])
        for one in run.llm.asked[-1][2:]
        if one["role"] == "tool"
    }
    assert results["read-0"].startswith("[folded, to leave room: read_file answered 35,1")
    assert results["read-9"].count("x" * 49) == 700
    told = [line for line in run.lines if line["event"] == "told" and line["call"].startswith("read-")]
    assert len({json.dumps(line["text"]) for line in told}) == 1
    assert len(told) == 10


def test_a_conversation_that_fills_a_known_window_ends_in_a_plan(tmp_path: Path) -> None:
    write = call("write_file", path="big.txt", content="x" * 150_000)
    run = Run(tmp_path, turn(write), model="gpt-4o-mini", usd=Decimal(100))
    assert run.ended.stopped_by == (
        "stopped where the conversation fills the model's context window (128,000 tokens)"
    )
    assert len(run.dispatcher.steps) == 3


def test_a_window_that_was_said_bounds_every_answer_and_ends_the_run(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(WRITE), window=8_192, steps=100)
    told = [room.tokens or 0 for room in run.llm.rooms]
    assert 256 <= told[-1] < told[0] < 6_500
    assert sorted(told, reverse=True) == told
    assert run.ended.stopped_by == (
        "stopped where the conversation fills the model's context window (8,192 tokens)"
    )


def test_usage_is_added_up_over_all_turns_and_priced(tmp_path: Path) -> None:
    usage = Usage(calls=1, input_tokens=1000, output_tokens=100, cached_tokens=500, reasoning_tokens=50)
    run = Run(tmp_path, turn(READ, usage=usage), turn(text="Done.", usage=usage), model="gpt-4o-mini")
    assert run.ended.usage == usage + usage
    assert run.ended.cost == Decimal("0.000345")
    assert Run(tmp_path, turn(text="Done.", usage=usage)).ended.cost is None


def test_one_estimated_turn_makes_the_whole_usage_an_estimate(tmp_path: Path) -> None:
    guessed = Turn(
        text="", calls=(READ,), usage=Usage(calls=1, input_tokens=5), finish="stop", is_estimated=True
    )
    (finding,) = Run(tmp_path, turn(READ), guessed, turn(text="Done.")).ended.findings
    assert "counted no tokens" in finding
    assert Run(tmp_path, turn(READ), turn(text="Done.")).ended.findings == ()


MALFORMED = Call(id="c", tool="write_file", arguments="{not json")
UNFIT = call("write_file", path="x.txt")


def test_after_three_turns_that_cant_be_understood_the_run_stops(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(WRITE), turn(MALFORMED))
    assert "3 turns in a row" in str(run.ended.stopped_by)
    assert len(run.llm.asked) == 4
    assert [step.error is None for step in run.dispatcher.steps] == [True, False, False, False]


RECOVERIES = {
    "a good turn in between": [turn(MALFORMED), turn(UNFIT), turn(READ), turn(MALFORMED), turn(UNFIT)],
    "a good call beside a bad one": [turn(MALFORMED, READ), turn(UNFIT, READ), turn(MALFORMED, WRITE)],
    "a denied call is understood": [turn(call("write_file", path=".git/config", content="x"))] * 5,
    "a failed call is understood": [turn(call("read_file", path="nowhere"))] * 5,
}


@pytest.mark.parametrize("turns", RECOVERIES.values(), ids=RECOVERIES)
def test_a_model_that_mends_its_calls_goes_on(tmp_path: Path, turns: list[Turn]) -> None:
    run = Run(tmp_path, *turns, turn(text="Done."))
    assert (run.ended.summary, run.ended.stopped_by) == ("Done.", None)


def test_a_malformed_call_is_said_back_in_a_form_that_every_server_takes(tmp_path: Path) -> None:
    odd = [
        Call(id="a", tool="no such\ntool!", arguments="{not json"),
        Call(id="b", tool="", arguments="[1]"),
        Call(id="c", tool="x" * 100, arguments='{"text": "ok"}'),
    ]
    run = Run(tmp_path, turn(*odd), turn(text="Done."))
    said = [each["function"] for each in run.llm.asked[1][2]["tool_calls"]]  # type: ignore[index,union-attr]
    assert said == [
        {"name": "no_such_tool_", "arguments": '{"unparsed": "{not json"}'},
        {"name": "unnamed", "arguments": '{"unparsed": "[1]"}'},
        {"name": "x" * 64, "arguments": '{"text": "ok"}'},
    ]
    assert [step.tool for step in run.dispatcher.steps] == ["no such\ntool!", "", "x" * 100]


def test_last_words_that_are_no_summary_are_told(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(WRITE), turn(text='<tool_call>{"name": "delete_file"}</tool_call>'))
    assert "wrote a call as text" in str(run.ended.stopped_by)
    assert [step.tool for step in run.dispatcher.steps] == ["write_file"]


def test_hidden_characters_in_a_files_text_dont_reach_the_model(tmp_path: Path) -> None:
    hidden = "a\N{ZERO WIDTH SPACE}b\N{TAG LATIN SMALL LETTER X}c"
    write = call("write_file", path="new.txt", content=hidden)
    run = Run(tmp_path, turn(write), turn(call("read_file", path="new.txt")), turn(text="Done."))
    assert "abc" in str(run.llm.asked[2][-1]["content"])
    assert run.dispatcher.steps[0].arguments["content"] == hidden


def test_all_that_was_said_is_in_the_transcript(tmp_path: Path) -> None:
    run = Run(tmp_path, turn(READ, text="Let me see: \ud800"), turn(text="Done."))
    events = [line["event"] for line in run.lines]
    said = ["began", "prompted", "turn", "proposed", "judged", "answered", "told", "turn"]
    assert [event for event in events if event != "text"] == said
    _, prompted, first, _, judged, answered, told, last = (
        line for line in run.lines if line["event"] != "text"
    )
    assert prompted["messages"] == OPENING
    assert [tool["function"]["name"] for tool in prompted["tools"]] == list(TOOLS)
    assert first["text"] == r"Let me see: \ud800"
    assert first["calls"] == [{"id": READ.id, "tool": "read_file", "arguments": READ.arguments}]
    assert judged["look"]["touches"] == [{"path": "a.txt", "how": "read"}]
    assert "alpha" in answered["text"]
    assert told["text"] == answered["text"]
    assert (last["text"], last["calls"]) == ("Done.", [])


def test_what_was_planned_before_the_model_failed_is_in_the_transcript(tmp_path: Path) -> None:
    class Failing(ScriptedLlm):
        def ask(self, messages: Any, *, tools: Any, **room: Any) -> Turn:
            if len(self.asked) == 1:
                raise ModelFailed("The model is gone", next_step="wait")
            return super().ask(messages, tools=tools, **room)

    transcript = Transcript.begin(tmp_path / "transcript.jsonl")
    overlay = Overlay(MemoryTree({}), Ripgrep())
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS, overlay=overlay, policies=[Policy()], transcript=transcript
    )
    with pytest.raises(ModelFailed):
        agent.run(
            OPENING,
            nonce=NONCE,
            llm=Failing(turn(WRITE)),
            dispatcher=dispatcher,
            tools=TOOLS,
            budget=Budget(limits=RunLimits(), model="scripted-model", clock=FixedClock()),
            transcript=transcript,
        )
    assert '"event":"answered"' in transcript.file.read_text()
