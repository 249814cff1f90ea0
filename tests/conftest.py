import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from beginning import Beginnings
from chromium import Chromium
from github_description.description import problems_in
from hypothesis import settings
from journey import FIX, Journey

from bot.demo.github import GitHub
from bot.demo.model import ScriptedModel

# A property fails by what it says, never because the machine is busy.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_configure() -> None:
    """What a shell starts in the background ignores interrupts, and so would every program that a test starts
    and interrupts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: tests wait a quarter of their time for programs and disks."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores * 3 // 2)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: nobody need look through it for circles again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Each page is a tab of its own."""
    with Chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="session")
def beginnings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beginnings]:
    folder = tmp_path_factory.mktemp("beginnings")
    with GitHub(folder / "none") as github:
        yield Beginnings(github=github, folder=folder)


@pytest.fixture
def journey(tmp_path: Path, beginnings: Beginnings) -> Iterator[Journey]:
    """A pull request on which nothing has happened yet; the model mends one typo.

    Whatever a test does, each request to GitHub and each answer is held to GitHub's own description.
    """
    with beginnings.lent(tmp_path / "github") as github, ScriptedModel(FIX) as model:
        yield Journey(github=github, model=model, folder=tmp_path, beginnings=beginnings)
        assert problems_in(github.log) == []
