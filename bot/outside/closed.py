"""Doors that a phase of the workflow doesn't have: a shell that runs nothing, a model that can't be asked.

No flow comes to one of them. If one did, it would be a fault, and must not become an effect.
"""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import NoReturn

from bot.dataclass import dataclass
from bot.errors import BadUsage, NoSandbox
from bot.phase import Phase
from bot.world import Ran


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedShell:
    phase: Phase

    def folder(self) -> AbstractContextManager[Path]:
        raise self._refused()

    def lenient(self) -> "ClosedShell":
        return self

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:  # noqa: ARG002 - as a Shell has it
        raise self._refused()

    def _refused(self) -> NoSandbox:
        return NoSandbox("The phase %(phase)s runs no command", phase=self.phase, next_step="report this")


def no_model(phase: Phase, _: str) -> NoReturn:
    raise BadUsage("The phase %(phase)s asks no model", phase=phase, next_step="report this")
