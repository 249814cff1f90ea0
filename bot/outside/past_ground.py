"""The files of past commits, in a person's own clone: what a recorded run is made again on."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from bot.config import DEFAULT
from bot.dataclass import dataclass
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.outside.toolbox import toolbox
from bot.tools.tool import Tool
from bot.workspace import Tree


@dataclass(slots=True, kw_only=True)
class PastGround:
    """`folder` is a clone that has the commits; nothing in it is changed, and no work tree is looked at."""

    folder: Path
    _tree: CommitTree | None = field(default=None, init=False, repr=False)

    @property
    def searcher(self) -> Ripgrep:
        return Ripgrep()

    @property
    def tools(self) -> Mapping[str, Tool[Any]]:
        """Those of every run on a pull request; no server is started for a replay."""
        with toolbox(DEFAULT, environ={}) as tools:
            return tools

    def tree_at(self, commit: str) -> Tree:
        """Runs of one commit often come one after the other. Raises CheckoutFailed where it isn't there."""
        if self._tree is None or self._tree.commit != commit:
            if self._tree is not None:
                self._tree.close()
            self._tree = CommitTree(commit, folder=self.folder, remote=None)
        return self._tree
