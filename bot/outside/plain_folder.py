"""A folder that is in no git repository, as a tree: every file and link in it counts."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bot.outside.work_tree import WorkTree
from bot.workspace import Entry


class PlainFolder(WorkTree):
    def listing(self) -> Sequence[str]:
        return sorted(self._found())

    def _found(self) -> Iterator[str]:
        root = self._folder.root
        for name, folders, files in os.walk(root, followlinks=False):
            folder = Path(name)
            links = [inner for inner in folders if (folder / inner).is_symlink()]
            yield from (str((folder / found).relative_to(root)) for found in (*files, *links))

    def _submodules(self) -> Mapping[str, Entry]:
        return {}
