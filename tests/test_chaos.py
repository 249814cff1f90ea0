import json
from decimal import Decimal
from pathlib import Path

import pytest
from fakes import MemoryTree, call
from journey import FILES, Journey
from journey import call as proposed

from bot.action import Action, Kind
from bot.chaos import Chaos, Failures
from bot.demo.model import Said
from bot.dispatcher import Dispatcher
from bot.errors import ToolFailed
from bot.gate.policy import Policy
from bot.outside.search import Ripgrep
from bot.tools import TOOLS
from bot.transcript import Transcript
from bot.workspace.overlay import Overlay

ACTIONS = [
    Action(tool="write_file", kind=Kind.WRITE, arguments={"path": f"{number}.txt", "content": ""})
    for number in range(1000)
]


def _struck(chaos: Chaos, *, attempt: int = 1, is_command: bool = False) -> list[str | None]:
    return [chaos.failure(action, attempt=attempt, is_command=is_command) for action in ACTIONS]


@pytest.mark.parametrize("rate", ["0", "0.1", "0.5", "1"])
def test_about_as_many_calls_fail_as_were_asked_for(rate: str) -> None:
    failed = [said for said in _struck(Chaos(rate=Decimal(rate), seed=7)) if said is not None]
    assert abs(len(failed) - 1000 * Decimal(rate)) < 60
    assert (len(failed) == 0) is (rate == "0")
    assert (len(failed) == 1000) is (rate == "1")


def test_the_same_seed_fails_the_same_calls_and_another_seed_others() -> None:
    half = Decimal("0.5")
    assert _struck(Chaos(rate=half, seed=7)) == _struck(Chaos(rate=half, seed=7))
    assert _struck(Chaos(rate=half, seed=7)) != _struck(Chaos(rate=half, seed=8))


def test_whatever_fails_at_a_low_rate_fails_at_a_higher_one() -> None:
    few = _struck(Chaos(rate=Decimal("0.1"), seed=7))
    many = _struck(Chaos(rate=Decimal("0.4"), seed=7))
    assert all(said is None or said == other for said, other in zip(few, many, strict=True))


def test_a_second_try_of_the_same_call_is_decided_anew() -> None:
    failures = Failures(Chaos(rate=Decimal("0.5"), seed=7))
    tries = []
    for _ in range(20):
        try:
            failures.strike(ACTIONS[0], is_command=False)
            tries.append(True)
        except ToolFailed:
            tries.append(False)
    assert {True, False} == set(tries)


SHAPES = {
    "files": (
        Kind.WRITE,
        False,
        {"[Errno 13] Permission denied", "[Errno 5] ", "[Errno 28] ", "TimeoutError"},
    ),
    "reads": (
        Kind.READ,
        False,
        {"[Errno 13] Permission denied", "[Errno 5] ", "[Errno 28] ", "TimeoutError"},
    ),
    "commands": (Kind.EXTERNAL, True, {"[exit code 1]\n", "[exit code 137]", "[stopped after"}),
    "services": (Kind.EXTERNAL, False, {"status 429", "status 502", "status 503", "ReadTimeout"}),
}


@pytest.mark.parametrize(("kind", "is_command", "starts"), SHAPES.values(), ids=SHAPES)
def test_each_kind_fails_as_its_real_thing_does(*, kind: Kind, is_command: bool, starts: set[str]) -> None:
    chaos = Chaos(rate=Decimal(1), seed=0)
    actions = [Action(tool="t", kind=kind, arguments={"path": "a b.txt", "n": n}) for n in range(200)]
    said = [str(chaos.failure(action, attempt=1, is_command=is_command)) for action in actions]
    assert all(any(one.startswith(start) for start in starts) for one in said)
    assert all(any(one.startswith(start) for one in said) for start in starts)
    assert not any("{path}" in one for one in said)


def test_a_hosts_body_is_one_that_its_clients_can_parse() -> None:
    chaos = Chaos(rate=Decimal(1), seed=0)
    actions = [Action(tool="t", kind=Kind.EXTERNAL, arguments={"n": n}) for n in range(200)]
    said = [str(chaos.failure(action, attempt=1, is_command=False)) for action in actions]
    bodies = [one.partition(": ")[2] for one in said if one.startswith("status 429")]
    assert bodies
    assert all("rate limit" in json.loads(body)["message"] for body in bodies)


def test_a_struck_call_changes_nothing_and_the_model_is_told(tmp_path: Path) -> None:
    overlay = Overlay(MemoryTree({"a.txt": "alpha\n"}), Ripgrep())
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=overlay,
        policies=[Policy()],
        transcript=Transcript.begin(tmp_path / "t.jsonl"),
        chaos=Chaos(rate=Decimal(1), seed=0),
    )
    for each in (call("read_file", path="a.txt"), call("write_file", path="b.txt", content="x")):
        assert json.loads(dispatcher.dispatch(each).text)["failed"] is True
    assert overlay.changes() == ()
    assert [step.is_performed for step in dispatcher.steps] == [False]


def test_what_is_denied_is_denied_and_no_failure(tmp_path: Path) -> None:
    dispatcher = Dispatcher.rehearsing(
        tools=TOOLS,
        overlay=Overlay(MemoryTree({}), Ripgrep()),
        policies=[Policy()],
        transcript=Transcript.begin(tmp_path / "t.jsonl"),
        chaos=Chaos(rate=Decimal(1), seed=0),
    )
    denied = json.loads(dispatcher.dispatch(call("write_file", path=".env", content="x")).text)
    assert denied["denied"] is True


CHAOTIC = str(FILES[".github/dryrun-bot.yml"]) + "chaos: {rate: 0.5, seed: 3}\n"


def test_a_chaos_plan_says_so_is_the_same_twice_and_can_not_be_applied(journey: Journey) -> None:
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": CHAOTIC}, message="Chaos", by="acme"
    )
    calls = tuple(proposed("write_file", path=f"new-{number}.md", content="x\n") for number in range(8))
    journey.model.script = (Said(calls=calls), Said(text="Done."))
    journey.opened()
    first = journey.plan()
    assert first.chaos == "rate 0.5, seed 3"
    failed = [step.error for step in first.steps]
    assert any(failed)
    assert not all(failed)
    journey.says("/plan tidy")
    assert [step.error for step in journey.plan().steps] == failed
    body = journey.bot_comments[-1].body
    assert "A chaos run" in body
    before = journey.head
    assert f"/apply {journey.plan().short_digest}" not in body
    assert journey.says(f"/apply {journey.plan().short_digest} --approve all").reason == "chaos-plan"
    assert journey.head == before
