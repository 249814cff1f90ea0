"""What every walk works with, made at the front door and handed in.

There is no model in a `Kit`: an apply is handed nothing else, so it has none to ask.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.tools.tool import Tool
from bot.workspace import Searcher, Tree
from bot.world import Archive, Clock, Llm, Repository, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """`tree_at` gives a commit's tracked files, `materialise` writes them into an empty folder.

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
    occasion: int
    run_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The outside of one event. `llm` opens a model by name; `rerun_by` is who started this run again."""

    kit: Kit
    llm: Callable[[str], Llm]
    shell: Shell
    rerun_by: str | None
