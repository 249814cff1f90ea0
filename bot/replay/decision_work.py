"""A new prompt or model on recorded tasks: what would be planned now, and where that begins to differ.

As long as the model asks for what was asked then, it gets the recorded answers; from the first other call on
it works on the files as they are after that.
"""

import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from bot.assignment import Assignment
from bot.cost import Usage
from bot.dataclass import dataclass
from bot.errors import BotError
from bot.impact import Refused, Shard, Spent
from bot.noted.given import Given
from bot.noted.lookout import RecordedLookout
from bot.noted.trials import RecordedTrials
from bot.planning import Models, Scene, dispatcher_for, planned
from bot.replay.again import Ground
from bot.replay.divergence import first_difference
from bot.replay.purse import Purse
from bot.replay.result import Result
from bot.replay.served import Served
from bot.replay.source import File
from bot.replay.whole_file import WholeFile
from bot.replay.whole_run import OTHER_TOOLS, WholeRun, read_whole_run
from bot.situation.rules import Rules
from bot.transcript import Transcript
from bot.words.redaction import Redactor
from bot.world import Clock, Llm

NO_MONEY: Final = "runs that the budget had nothing left for"
OTHER_TASK: Final = "runs of other tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWork:
    """`words` are the task's words now, for what a run was given; `llm` opens a model for one.

    `ground` opens the files anew for each run, since several are made at once. Of other tasks than `task`, if
    there is one, no run is made. `rules` are those that hold now, None for the recorded ones: on a pull
    request nobody's record may say what is hidden from a model, or what it may cost.
    """

    words: Callable[[Given], str]
    llm: Callable[[WholeRun], Llm]
    ground: Callable[[], Ground]
    clock: Clock
    purse: Purse
    redact: Redactor
    task: str | None = None
    rules: Rules | None = None
    shard: Shard | None = None

    def worker(self) -> "DecisionWorker":
        return DecisionWorker(self)


class DecisionWorker:
    def __init__(self, work: DecisionWork) -> None:
        self._work: Final = work

    def results(self, file: File) -> Iterator[Result]:
        for run in WholeFile(file, shard=self._work.shard).runs():
            yield run if isinstance(run, Result) else self._result(run, file)

    def _result(self, run: WholeRun, file: File) -> Result:
        if self._work.task not in {None, run.given.assignment.name}:
            return Result(run=run.run_id, left_out=OTHER_TASK)
        if run.needs_other_tools(self._work.ground().tools):
            return Result(run=run.run_id, left_out=OTHER_TOOLS)
        limit = (self._work.rules or run.given.situation.rules).config.limits.usd
        granted = self._work.purse.take(limit)
        if granted is None:
            return Result(run=run.run_id, left_out=NO_MONEY)
        spent = Spent(usd=None)
        try:
            now = self._made(run, usd=granted)
            spent = _spent(now)
        except BotError as error:
            why = f"{file.name}: {error.what}; {error.next_step}"
            return Result(run=run.run_id, refused=Refused(file=file.name, why=why), spent=spent)
        finally:
            self._work.purse.give_back(granted, spent=spent.usd)
        if granted < limit and now.planned.plan.get("stopped_by") is not None:
            # What it did not get to for want of money is not what it decided.
            return Result(run=run.run_id, left_out=NO_MONEY, spent=spent)
        change = first_difference(run, now, steps_only=True)
        return Result(run=run.run_id, change=change, spent=spent)

    def _made(self, run: WholeRun, *, usd: Decimal) -> WholeRun:
        work = self._work
        given = _given_now(run.given, words=work.words(run.given), rules=work.rules, usd=usd)
        ground = work.ground()
        scene = Scene(
            tree=ground.tree_at(given.situation.pull_request.head.sha),
            searcher=ground.searcher,
            tools=ground.tools,
            clock=work.clock,
            redact=work.redact,
            lookout=RecordedLookout(run.looked),
            trials=RecordedTrials.of_run(run.tried),
        )
        with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as folder:
            file = Path(folder) / "now.jsonl"
            with Transcript.begin(file) as transcript:
                dispatcher = Served(dispatcher_for(given, scene, transcript), run.acts)
                models = Models(agent=work.llm(run), advisor=None)
                planned(given, scene, models=models, dispatcher=dispatcher, transcript=transcript)
            return read_whole_run(io.BytesIO(file.read_bytes()), file="the run as it is now")


def _given_now(given: Given, *, words: str, rules: Rules | None, usd: Decimal) -> Given:
    """The same with other words, and no more money than there is."""
    rules = rules or given.situation.rules
    config = rules.config.replaced(limits=rules.config.limits.replaced(usd=usd))
    situation = replace(given.situation, rules=replace(rules, config=config))
    assignment = Assignment(name=given.assignment.name, words=words)
    return replace(given, assignment=assignment, situation=situation)


def _spent(run: WholeRun) -> Spent:
    usage = Usage(**run.planned.plan["usage"])
    cost = run.planned.plan.get("cost")
    usd = Decimal(cost) if isinstance(cost, str) else None
    return Spent(calls=usage.calls, tokens=usage.tokens, usd=usd)
