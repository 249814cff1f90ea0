"""What a run in a terminal works with and on: a person's own repository, tools and machine.

There is no GitHub in it, and no model: an apply is handed nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from bot.budget import Budget
from bot.config import Config
from bot.dataclass import dataclass
from bot.tools.tool import Tool
from bot.words.redaction import Redactor
from bot.workspace import Searcher, Tree
from bot.world import Clock, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """`head_sha` is the newest commit, `tree` the work tree on it as it is; `config` governs both.

    `materialise` writes a tree into an empty folder, and `counted_in` names the files there that git would
    track. `findings` are plain sentences for whoever reads the plan; `windows` are models' context windows in
    tokens, where the person said them.
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
    windows: Mapping[str, int] = field(default_factory=dict)

    def budget_of(self, model: str) -> Budget:
        """A whole run's; its time runs from now."""
        limits, window = self.config.limits, self.window_of(model)
        return Budget(limits=limits, model=model, clock=self.clock, window=window)

    def window_of(self, model: str) -> int | None:
        return self.windows.get(model) or self.config.model.window_of(model)

    def is_secret(self, path: str) -> bool:
        return any(policy.is_secret(path) for policy in self.config.policies)
