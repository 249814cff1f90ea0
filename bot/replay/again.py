"""A recorded run made again on its own files, by today's dispatcher and tools; and read as any run is."""

import io
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from bot.dataclass import dataclass
from bot.errors import ModelFailed
from bot.noted.lookout import RecordedLookout
from bot.noted.trials import RecordedTrials
from bot.planning import Models, Scene, dispatcher_for, planned
from bot.replay.stand_in import RecordedAdvisor, RecordedClock, RecordedLlm
from bot.replay.whole_run import WholeRun, read_whole_run
from bot.tools.tool import Tool
from bot.transcript import Transcript
from bot.words.redaction import Redactor
from bot.workspace import Searcher, Tree


class Ground(Protocol):
    """Where the files of past commits are. Raises CheckoutFailed for one that is not there."""

    @property
    def searcher(self) -> Searcher: ...
    @property
    def tools(self) -> Mapping[str, Tool[Any]]: ...
    def tree_at(self, commit: str) -> Tree: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The run made again; None where it could not be ended, `why` says by what."""

    run: WholeRun | None
    why: str = ""


def made_again(run: WholeRun, ground: Ground) -> Ended:
    """With the model's recorded words, on the recorded commit, by the recorded clock and policies."""
    given = run.given
    scene = Scene(
        tree=ground.tree_at(given.situation.pull_request.head.sha),
        searcher=ground.searcher,
        tools=ground.tools,
        clock=RecordedClock(moment=run.planned.made_at, elapsed=list(run.elapsed_s)),
        redact=Redactor(),
        lookout=RecordedLookout(run.looked),
        trials=RecordedTrials.of_run(run.tried),
    )
    models = Models(
        agent=RecordedLlm(run.model, run.turns, lost=run.lost),
        advisor=RecordedAdvisor(run.advice) if run.advice else None,
    )
    with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as folder:
        file = Path(folder) / "again.jsonl"
        try:
            with Transcript.begin(file, redact=scene.redact) as transcript:
                dispatcher = dispatcher_for(given, scene, transcript)
                planned(given, scene, models=models, dispatcher=dispatcher, transcript=transcript)
        except ModelFailed as failed:
            return Ended(run=None, why=failed.what)
        return Ended(run=read_whole_run(io.BytesIO(file.read_bytes()), file="the run made again"))
