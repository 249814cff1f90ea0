"""The copy of a work tree on which a live run's actions are carried out, and what commands leave on it.

A rehearsal can't know what a command changes; only a look at every file afterwards can.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import field
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import CheckoutFailed, NoSandbox, ToolFailed
from bot.workspace import Entry, Mode, Tree
from bot.workspace.disk import Disk
from bot.workspace.folder import Folder
from bot.workspace.overlay import Overlay
from bot.workspace.snapshot import Part
from bot.world import Ran, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`disk` is the copy of `tree`, which `materialise` writes only as far as it is needed.

    What `is_hidden` speaks of is not in `tree`, and not looked at. Commands run in `shell`.
    """

    disk: Disk
    tree: Tree
    is_hidden: Callable[[str], bool]
    shell: Shell
    materialise: Callable[[Tree, Path], None]
    laid: set[str] = field(default_factory=set)

    def lay(self, paths: Iterable[str]) -> None:
        """Copy these files, where that was not done before: a step is about to change them."""
        missing = [path for path in paths if path not in self.laid and path in self.tree.entries]
        if missing:
            self.materialise(Part(self.tree, missing), self.disk.folder)
            self.laid.update(missing)

    def folder(self) -> AbstractContextManager[Path]:
        return self.shell.folder()

    def lenient(self) -> Shell:
        return self.shell.lenient()

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        """As a Shell: nobody knows what a command looks at, so all must be there."""
        self.lay(self.tree.entries)
        try:
            return self.shell.run(command, folder=folder, timeout_s=timeout_s)
        except NoSandbox as error:
            # The model is told, and may do without: the rest of the run needs no sandbox.
            raise ToolFailed(f"{error.what}, so no command is run here") from error

    def take_over(self, overlay: Overlay) -> tuple[str, ...]:
        """Make the overlay what is on the bench.

        What it can't hold, such as a new link, is put back and named in the answer.
        """
        left_out: list[str] = []
        # What went has to go first: a file may have become a folder.
        for path, now in sorted(self._differing(overlay), key=lambda found: found[1] is not None):
            try:
                if now is None:
                    overlay.delete(path)
                elif now.mode in {Mode.FILE, Mode.EXECUTABLE}:
                    overlay.write(path, self.disk.read(path), executable=now.mode is Mode.EXECUTABLE)
                else:
                    left_out.append(path)
            except ToolFailed:
                left_out.append(path)
        if left_out:
            self.put_back(overlay)
        return tuple(sorted(left_out))

    def put_back(self, overlay: Overlay) -> None:
        """Make the bench what the overlay is."""
        folder = Folder(self.disk.folder)
        differing = [path for path, _ in self._differing(overlay)]
        for path in differing:
            # What isn't there need not go.
            with suppress(ToolFailed):
                folder.delete(path)
        try:
            for path in differing:
                entry = overlay.entry(path)
                if entry is not None and entry.mode is Mode.LINK:
                    folder.link(path, self.tree.read(path))
                elif entry is not None:
                    folder.write(path, overlay.read(path), executable=entry.mode is Mode.EXECUTABLE)
        except ToolFailed as failed:
            raise CheckoutFailed(
                "What a command did can't be undone in the private copy that it ran on: %(failed)s",
                failed=failed,
                next_step="start again without that command; your own files are as they were",
            ) from failed

    def _differing(self, overlay: Overlay) -> Iterator[tuple[str, Entry | None]]:
        """Paths that count, with what is on the bench there."""
        counted = set(self.disk.paths())
        found = self.disk.state().entries
        # What was never copied can't have been changed.
        known = (path for path in overlay.paths() if path in self.laid or path not in self.tree.entries)
        for path in sorted(counted.union(known)):
            now = found.get(path) if path in counted else None
            if now != overlay.entry(path) and not self.is_hidden(path):
                yield path, now
