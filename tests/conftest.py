import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from github_description.description import problems_in
from hypothesis import settings
from journey import FIX, Journey

from bot.demo.github import GitHub
from bot.demo.model import ScriptedModel

# A property fails by what it says, never because the machine is busy.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_collection_finish() -> None:
    """What was collected stays to the end: nobody need look through it for circles again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def journey(tmp_path: Path) -> Iterator[Journey]:
    """A pull request on which nothing has happened yet; the model mends one typo.

    Whatever a test does, each request to GitHub and each answer is held to GitHub's own description.
    """
    with GitHub(tmp_path / "github") as github, ScriptedModel(FIX) as model:
        yield Journey(github=github, model=model, folder=tmp_path)
        assert problems_in(github.log) == []
