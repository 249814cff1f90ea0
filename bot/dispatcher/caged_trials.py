"""A command, tried for real: in the cage, on a throwaway copy of the files as the plan has them so far."""

from contextlib import AbstractContextManager
from dataclasses import field
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import NoSandbox, ToolFailed
from bot.noted.trials import Trial, Trials, take_over
from bot.plan.tried import Tried
from bot.proposal import Proposal
from bot.verdict import Outcome, Verdict
from bot.workspace.copied import CopiedTree, Made
from bot.workspace.overlay import Overlay
from bot.world import Ran, Shell


@dataclass(frozen=True, slots=True, kw_only=True)
class CagedTrials:
    """Commands are run in `shell` on `copy`, and those that change files a second time, to compare."""

    copy: CopiedTree
    shell: Shell

    def has(self, step: int, command: str) -> bool:  # noqa: ARG002 - the question is every trial's
        return True

    def of(self, step: int, command: str, *, overlay: Overlay, timeout_s: float) -> Trial:  # noqa: ARG002
        ran, made = self._once(command, overlay, timeout_s)
        unsteady: tuple[str, ...] = ()
        if made:
            self.copy.restore(overlay)
            again, others = self._once(command, overlay, timeout_s)
            first, second = ({one.path: one.entry for one in run} for run in (made, others))
            paths = first.keys() | second.keys()
            unsteady = tuple(sorted(path for path in paths if first.get(path) != second.get(path)))
            if again.exit_code != ran.exit_code:
                unsteady = tuple(sorted(paths))
        return Trial(ran=ran, made=made, unsteady=unsteady)

    def _once(self, command: str, overlay: Overlay, timeout_s: float) -> tuple[Ran, tuple[Made, ...]]:
        self.copy.follow(overlay)
        ran = self.shell.run(command, folder=self.copy.folder, timeout_s=timeout_s)
        try:
            made = self.copy.changed(overlay)
        except ToolFailed:
            self.copy.restore(overlay)
            raise
        if ran.exit_code == 0:
            return ran, made
        # A step that failed is no step of an apply: nothing of it may be there for the next.
        self.copy.restore(overlay)
        return ran, ()


@dataclass(slots=True, kw_only=True)
class OneTrial:
    """A Shell for one call of a tool: the overlay becomes what the command makes of it."""

    trials: Trials
    step: int
    overlay: Overlay
    trial: Trial | None = field(default=None)

    def folder(self) -> AbstractContextManager[Path]:
        raise ToolFailed("a rehearsal has no folder to give away")

    def lenient(self) -> Shell:
        return self

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:  # noqa: ARG002 - it has its own
        self.trial = self.trials.of(self.step, command, overlay=self.overlay, timeout_s=timeout_s)
        take_over(self.trial.made, self.overlay)
        return self.trial.ran


def one_trial(trials: Trials | None, proposal: Proposal, step: int, overlay: Overlay) -> OneTrial | None:
    """What a command is tried with, where it is tried at all."""
    tool, command = proposal.tool, proposal.command
    if trials is None or tool is None or tool.rehearse is None or command is None:
        return None
    return OneTrial(trials=trials, step=step, overlay=overlay) if trials.has(step, command) else None


def tried_in(trial: OneTrial | None) -> Tried | None:
    return None if trial is None or trial.trial is None else trial.trial.tried


def unconfined(missing: NoSandbox) -> Verdict:
    """Where commands can't be confined none is run, and none is planned."""
    return Verdict(outcome=Outcome.DENY, rule="sandbox", reason=missing.what, source="sandbox.required")
