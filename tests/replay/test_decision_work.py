"""A new prompt or model on recorded tasks: nothing changes where nothing did, and what does is found."""

import io
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fakes import FixedClock, MemoryTree, ScriptedLlm, call, turn
from recorded import FILES, config_of, record, situation_of

from bot.cost import Usage, cost_usd
from bot.errors import CheckoutFailed, ModelFailed
from bot.impact import Impact
from bot.noted.given import Given
from bot.outside.search import Ripgrep
from bot.replay.decision_work import DecisionWork
from bot.replay.purse import Purse
from bot.replay.result import Tally
from bot.replay.source import files_in
from bot.replay.whole_run import WholeRun, read_whole_run
from bot.tools import TOOLS
from bot.tools.tool import Tool
from bot.words.redaction import Redactor
from bot.workspace import Tree
from bot.world import Llm, Turn

READ = call("read_file", path="README.md")
EDIT = call("edit_file", path="README.md", old="teh first", new="the first")
GUIDE = call("write_file", path="docs/new.md", content="x\n")
TURNS = [turn(READ), turn(EDIT, GUIDE), turn(text="Done.")]


class Ground:
    def __init__(self) -> None:
        self.searcher = Ripgrep()
        self.tools: Mapping[str, Tool[Any]] = TOOLS

    def tree_at(self, commit: str) -> Tree:
        return MemoryTree(FILES)


def decided(
    folder: Path, llm: Callable[[WholeRun], Llm], *, purse: Purse | None = None, **how: Any
) -> Impact:
    fields: dict[str, Any] = {
        "words": lambda given: given.assignment.words,
        "llm": llm,
        "ground": Ground,
        "clock": FixedClock(),
        "purse": purse or Purse(None),
        "redact": Redactor(),
    }
    worker, tally = DecisionWork(**fields | how).worker(), Tally()
    for file in files_in([folder]):
        tally.add(worker.results(file))
    return tally.impact("decisions", {})


def again(run: WholeRun) -> Llm:
    """The same model, that says the same."""
    return ScriptedLlm(*run.turns)


def saying(*turns: Turn) -> Callable[[WholeRun], Llm]:
    return lambda _: ScriptedLlm(*turns)


def test_the_same_prompt_and_model_decide_the_same(tmp_path: Path) -> None:
    for seed in range(30):
        record(tmp_path, seed)
    impact = decided(tmp_path, again)
    assert (impact.headline, impact.refused) == ("changed 0 of 30", ())
    assert impact.spent.calls > 30


NOW = {
    "a new action": (
        [turn(READ), turn(EDIT, call("delete_file", path="docs/guide.md"), GUIDE)],
        3,
        "new action",
    ),
    "a missing action": ([turn(READ), turn(GUIDE)], 2, "missing action"),
    "other arguments": (
        [turn(EDIT, call("write_file", path="docs/new.md", content="y\n"))],
        3,
        "other arguments",
    ),
    "another way to the same plan": ([turn(READ, READ), turn(EDIT), turn(READ, GUIDE)], None, ""),
}


@pytest.mark.parametrize(("turns", "number", "what"), NOW.values(), ids=NOW)
def test_what_is_decided_otherwise_is_found(
    tmp_path: Path, turns: list[Turn], number: int | None, what: str
) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(*TURNS))
    impact = decided(tmp_path, saying(*turns, turn(text="Done.")))
    assert [(change.action, change.what) for change in impact.changes] == ([(number, what)] if number else [])


def test_the_model_is_asked_in_the_new_words_and_told_the_recorded_answers(tmp_path: Path) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(*TURNS))
    llm = ScriptedLlm(*TURNS)
    impact = decided(tmp_path, lambda _: llm, words=lambda _: "Do it better.")
    assert impact.changed == 0
    assert "Your task:\nDo it better." in str(llm.asked[0][1]["content"])
    assert "teh first line" in str(llm.asked[1][-1]["content"])


def test_a_run_never_takes_more_than_what_is_left_of_the_budget(tmp_path: Path) -> None:
    took = Usage(calls=1, input_tokens=100_000, output_tokens=2_000)
    price = cost_usd(took, model="gpt-5.4-mini")
    assert price is not None
    for seed in range(6):
        record(tmp_path, seed, llm=ScriptedLlm(turn(READ, usage=took), turn(text="Done.", usage=took)))

    def priced(run: WholeRun) -> Llm:
        llm = ScriptedLlm(*run.turns)
        llm.model = "gpt-5.4-mini"
        return llm

    impact = decided(tmp_path, priced, purse=Purse(price * 5))
    assert impact.spent.usd is not None
    assert impact.spent.usd <= price * 6
    assert impact.left_out["runs that the budget had nothing left for"] >= 2
    assert impact.runs + impact.left_out["runs that the budget had nothing left for"] == 6


def test_only_the_task_that_is_asked_for_is_replayed(tmp_path: Path) -> None:
    for seed in range(4):
        record(tmp_path, seed)
    impact = decided(tmp_path, again, task="task-2")
    assert (impact.runs, dict(impact.left_out)) == (1, {"runs of other tasks": 3})


def test_a_model_or_files_that_can_not_be_had_are_told_run_by_run(tmp_path: Path) -> None:
    for seed in range(2):
        record(tmp_path, seed)

    class Gone:
        model = "gone"

        def ask(self, messages: Any, *, tools: Any, **_: Any) -> Turn:
            raise ModelFailed("The model is gone", next_step="wait")

    class Nowhere(Ground):
        def tree_at(self, commit: str) -> Tree:
            raise CheckoutFailed("there is no such commit", next_step="fetch it")

    gone = decided(tmp_path, lambda _: Gone())
    assert (gone.runs, gone.refused[0].why) == (
        0,
        "transcript-0.jsonl: The model is gone; wait",
    )
    assert len(decided(tmp_path, again, ground=Nowhere).refused) == 2


def test_what_was_given_is_otherwise_the_same(tmp_path: Path) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(*TURNS))
    content = (tmp_path / "transcript-1.jsonl").read_bytes()
    run = read_whole_run(io.BytesIO(content), file="t")
    seen: list[Given] = []

    def words(given: Given) -> str:
        seen.append(given)
        return given.assignment.words

    decided(tmp_path, again, words=words, purse=Purse(Decimal(1)))
    assert seen[0].situation.pull_request == run.given.situation.pull_request


def test_on_a_pull_request_the_rules_of_now_say_what_is_hidden_and_what_it_may_cost(tmp_path: Path) -> None:
    record(tmp_path, 1, llm=ScriptedLlm(*TURNS), policy=b"policy: {paths: {secret: ['!**/.env']}}\n")
    secret = call("read_file", path=".env")
    llm = ScriptedLlm(turn(secret), turn(secret), turn(text="Done."))
    rules = situation_of(config_of(b"limits: {steps: 2}\n")).rules
    impact = decided(tmp_path, lambda _: llm, rules=rules)
    assert "TOKEN=abc" not in str(llm.asked)
    assert impact.spent.calls == 2
    then = ScriptedLlm(turn(secret), turn(text="Done."))
    decided(tmp_path, lambda _: then)
    assert "TOKEN=abc" in str(then.asked)
