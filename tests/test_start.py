"""A start loads what its command needs, and nothing is made before it is used."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from pydantic import ValidationError

from bot.gate.policy import Section

ROOT = Path(__file__).parent.parent

_EVERY_MODULE = """
from importlib import import_module
from pkgutil import walk_packages
import bot
for module in walk_packages(bot.__path__, "bot."):
    if module.name != "bot.__main__":
        import_module(module.name)

from pydantic import BaseModel
def below(model):
    for one in model.__subclasses__():
        yield one
        yield from below(one)
ours = [model for model in below(BaseModel) if model.__module__.startswith("bot.")]
# A generic one is made where it is named, whatever its heirs say.
named = [model for model in ours if not model.__pydantic_generic_metadata__["origin"]]
print(len(named), *(f"{model.__module__}.{model.__name__}" for model in named if model.__pydantic_complete__))
"""


def test_no_import_builds_a_validator() -> None:
    program = [sys.executable, "-c", _EVERY_MODULE]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    count, *built = ran.stdout.split()
    assert int(count) > 100
    assert not built


@pytest.mark.parametrize("turn", range(20))
def test_threads_that_use_a_model_first_are_all_held_to_it(turn: int) -> None:
    """`turn` is of no account: each makes a model that nobody has used."""
    threads = 8
    together = Barrier(threads)

    class Fresh(Section):
        number: int
        words: tuple[str, ...] = ()

    def outcome(_: int) -> str:
        together.wait()
        try:
            Fresh.model_validate({"number": turn, "strange": True})
        except ValidationError as error:
            return str([one["type"] for one in error.errors()])
        return "let through"

    with ThreadPoolExecutor(threads) as pool:
        assert set(pool.map(outcome, range(threads))) == {"['extra_forbidden']"}
