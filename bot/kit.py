"""What every walk works with, made at the front door and handed in.

There is no model in a `Kit`: an apply is handed nothing else, so it has none to ask.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeAlias

from bot.config import Config
from bot.dataclass import dataclass
from bot.phase import Phase
from bot.settings import Secret
from bot.situation import Situation
from bot.tools.tool import Tool
from bot.words.redaction import Redactor
from bot.workspace import Searcher, Tree
from bot.world import Archive, Beyond, Clock, Llm, Lookout, Relay, Repository, Shell

Merge: TypeAlias = Callable[[bytes, bytes, bytes], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """`tree_at` gives a commit's tracked files, `materialise` writes them into an empty folder.

    `merge` is (base, one side, other side) -> all three in one, None where they conflict.
    `redact` takes secrets out of whatever leaves; what a step does must not need it.
    `log` takes one line for the job's log. `lookout` is what tools may ask of a pull request.
    `occasion` is the id of what is answered, a comment or a workflow run; `run_url` is where people find the
    run's log.
    """

    repository: Repository
    tree_at: Callable[[str], Tree]
    materialise: Callable[[Tree, Path], None]
    tools: Mapping[str, Tool[Any]]
    searcher: Searcher
    archive: Archive
    clock: Clock
    merge: Merge
    redact: Redactor
    signing_key: Secret | None
    log: Callable[[str], None]
    lookout: Callable[[Situation], Lookout]
    occasion: int
    run_url: str | None

    @property
    def run_id(self) -> int | None:
        """This workflow run, whichever attempt of it."""
        name = (self.run_url or "").rpartition("/")[2]
        return int(name) if name.isascii() and name.isdigit() else None

    def home_of(self, repository: str | None) -> Repository:
        """Where a head branch lives: this repository, or a fork."""
        if repository is None or repository == self.repository.name:
            return self.repository
        return self.repository.other(repository)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The outside of one event. `llm` opens a model by name; `rerun_by` is who started this run again.

    `toolbox` opens the tools that a configuration names, and closes what stands behind them; `beyond` is what
    they may do after a commit. `phase` is this job's part of the whole, `relay` what lies between it and the
    job before or after.
    """

    kit: Kit
    llm: Callable[[str], Llm]
    shell: Shell
    toolbox: Callable[[Config], AbstractContextManager[Mapping[str, Tool[Any]]]]
    beyond: Callable[[Situation], Beyond]
    rerun_by: str | None
    phase: Phase
    relay: Relay
