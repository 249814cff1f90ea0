"""GitHub's door over recorded HTTP. Its sleeps are noted and not slept, and its clock stands still."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import responses

from bot.outside.github import GitHubRepository, repository
from bot.outside.patience import Patience
from bot.outside.rest import Rest, rest
from bot.settings import Secret

# PyGithub writes the port into every URL.
API = "https://api.github.com:443"
ROOT = f"{API}/repos/acme/widgets"
NOW = 1_800_000_000.0
TOKEN = "ghs_correcthorse"


@dataclass
class Naps:
    """What the door would have slept, in seconds."""

    taken: list[float] = field(default_factory=list)

    @property
    def patience(self) -> Patience:
        return Patience(sleep=self.taken.append, now=lambda: NOW)


@pytest.fixture
def naps() -> Naps:
    return Naps()


@pytest.fixture
def api() -> Iterator[responses.RequestsMock]:
    """Every recorded answer must have been asked for, and in the order in which they were recorded."""
    with responses.RequestsMock(registry=responses.registries.OrderedRegistry) as mock:
        yield mock


@pytest.fixture
def door(naps: Naps) -> Rest:
    return rest(Secret(TOKEN), api_url="https://api.github.com", patience=naps.patience)


@pytest.fixture
def github(door: Rest) -> GitHubRepository:
    return repository("acme/widgets", door=door, org_door=door)
