"""What a run in a terminal works with and on: a person's own repository, tools and machine.

There is no GitHub in it, and no model: an apply is handed nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.config import Config
from bot.tools.tool import Tool
from bot.words.redaction import Redactor
from bot.workspace import Searcher, Tree
from bot.world import Clock, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """`head_sha` is the newest commit, `tree` the work tree on it as it is; `config` governs both.

    `materialise` writes a tree into an empty folder, and `counted_in` names the files there that git would
    track. `findings` are plain sentences for whoever reads the plan.
    """

    repository: str
    head_sha: str
    tree: Tree
    config: Config
    tools: Mapping[str, Tool[Any]]
    searcher: Searcher
    clock: Clock
    shell: Shell
    redact: Redactor
    materialise: Callable[[Tree, Path], None]
    counted_in: Callable[[Path], Sequence[str]]
    findings: tuple[str, ...] = ()

    def is_secret(self, path: str) -> bool:
        return any(policy.is_secret(path) for policy in self.config.policies)
