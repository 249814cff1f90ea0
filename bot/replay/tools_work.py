"""Recorded model turns through today's dispatcher, on the recorded files: the same plan must come out."""

from collections.abc import Iterator
from typing import Final

from bot.dataclass import dataclass
from bot.errors import BotError
from bot.impact import Change, Refused, Shard
from bot.replay.again import Ground, made_again
from bot.replay.divergence import first_difference
from bot.replay.result import Result
from bot.replay.source import File
from bot.replay.whole_file import WholeFile
from bot.replay.whole_run import OTHER_TOOLS, WholeRun


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsWork:
    """`ground` can be sent to another process, as this can."""

    ground: Ground
    shard: Shard | None = None

    def worker(self) -> "ToolsWorker":
        return ToolsWorker(self)


class ToolsWorker:
    def __init__(self, work: ToolsWork) -> None:
        self._ground: Final = work.ground
        self._shard: Final = work.shard

    def results(self, file: File) -> Iterator[Result]:
        for run in WholeFile(file, shard=self._shard).runs():
            yield run if isinstance(run, Result) else self._result(run, file)

    def _result(self, run: WholeRun, file: File) -> Result:
        if run.needs_other_tools(self._ground.tools):
            return Result(run=run.run_id, left_out=OTHER_TOOLS)
        try:
            again = made_again(run, self._ground)
        except BotError as error:
            why = f"{file.name}: {error.what}; {error.next_step}"
            return Result(run=run.run_id, refused=Refused(file=file.name, why=why))
        if again.run is None:
            return Result(run=run.run_id, change=_longer(run, again.why))
        return Result(run=run.run_id, change=first_difference(run, again.run))


def _longer(run: WholeRun, why: str) -> Change:
    return Change(
        run=run.run_id,
        name=run.name,
        link=run.link,
        action=max(len(run.acts), 1),
        tool="plan",
        about="the end of the run",
        what="no end",
        before="The model had nothing more to call.",
        after=why,
    )
