"""Where journeys begin: one embedded GitHub for a whole process, put for each test to what was saved of it.

What a test gets is its own: the state in memory is a copy, and so is each bare repository. What it doesn't
pay for is that the same commits, pull request and plan are made again.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from bot.demo.github import GitHub
from bot.demo.github.bare import Bare
from bot.demo.github.state import State


@dataclass(slots=True, kw_only=True)
class Beginnings:
    """Of `github`, which somebody else starts and stops. `folder` keeps what is saved of its repositories."""

    github: GitHub
    folder: Path
    _saved: dict[str, State] = field(default_factory=dict)

    @contextmanager
    def lent(self, folder: Path) -> Iterator[GitHub]:
        """The GitHub with nothing in it, and its repositories in `folder`."""
        self._put(State(now=self.github.state.now), folder)
        try:
            yield self.github
        finally:
            self.github._server.hang_up()
            _close(self.github.state)

    def __contains__(self, name: str) -> bool:
        return name in self._saved

    def save(self, name: str) -> None:
        self._saved[name] = _copied(self.github.state, self.folder / name)

    def take_up(self, name: str) -> None:
        """In the place of what there is now."""
        _close(self.github.state)
        folder = self.github.folder
        shutil.rmtree(folder, ignore_errors=True)
        self._put(_copied(self._saved[name], folder), folder)

    def _put(self, state: State, folder: Path) -> None:
        github, hub = self.github, self.github._hub
        with hub.lock:
            state.accounts.setdefault(github.actions.login, github.actions)
            github.folder, github.state, hub.state = folder, state, state
            hub.log, hub.faults = [], []


def _copied(state: State, folder: Path) -> State:
    """All of it anew, with its repositories in `folder`."""
    bares = {}
    for repository in state.repositories.values():
        place = folder / f"{repository.full_name}.git"
        shutil.copytree(repository.bare.folder, place, symlinks=True)
        bares[id(repository.bare)] = copied = Bare(place)
        copied._known = dict(repository.bare._known)
    return deepcopy(state, bares)


def _close(state: State) -> None:
    for repository in state.repositories.values():
        repository.bare.close()
