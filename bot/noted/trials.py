"""A command, tried: what came of it, noted as it came; and the same given again later.

Whoever asks can't tell a rehearsal from its repetition, so what comes after it is the same both times.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import ToolFailed
from bot.plan import Content, Plan, Step
from bot.plan.effect import bytes_of, content_of
from bot.plan.tried import Tried, ends_of
from bot.transcript import Transcript
from bot.workspace import Entry, Mode
from bot.workspace.copied import Made
from bot.workspace.overlay import Overlay
from bot.world import Ran, Stopped

TRIED: Final = "tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`made` are the files as the command left them, none of a command that failed."""

    ran: Ran
    made: tuple[Made, ...] = ()
    unsteady: tuple[str, ...] = ()

    @property
    def tried(self) -> Tried:
        return Tried(
            exit_code=self.ran.exit_code,
            output=ends_of(self.ran.output),
            stopped_by=self.ran.stopped_by,
            unconfined=self.ran.unconfined,
            unsteady=self.unsteady,
        )


class Trials(Protocol):
    """`has` says whether there is anything to tell of this step's command.

    `of` raises NoSandbox where it can't be tried, ToolFailed where it did what no plan can hold.
    """

    def has(self, step: int, command: str) -> bool: ...
    def of(self, step: int, command: str, *, overlay: Overlay, timeout_s: float) -> Trial: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedTrials:
    """Asks `trials`, and keeps each answer in the transcript."""

    trials: Trials
    transcript: Transcript

    def has(self, step: int, command: str) -> bool:
        return self.trials.has(step, command)

    def of(self, step: int, command: str, *, overlay: Overlay, timeout_s: float) -> Trial:
        trial = self.trials.of(step, command, overlay=overlay, timeout_s=timeout_s)
        ran = trial.ran
        made: list[Json] = [_kept(one) for one in trial.made]
        self.transcript.note(
            TRIED,
            step=step,
            command=command,
            exit_code=ran.exit_code,
            output=ran.output,
            stopped_by=ran.stopped_by,
            unconfined=ran.unconfined,
            made=made,
            unsteady=list(trial.unsteady),
        )
        return trial


class _Made(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    path: str
    mode: Mode | None
    blob: str | None
    content: Content | None

    @property
    def made(self) -> Made:
        entry = None
        if self.mode is not None and self.blob is not None:
            entry = Entry(mode=self.mode, blob=self.blob)
        content = None if self.content is None else bytes_of(self.content)
        return Made(path=self.path, entry=entry, content=content)


class TriedThen(BaseModel):
    """One trial, as it stands in a transcript."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    step: int
    command: str
    exit_code: int | None
    output: str
    stopped_by: Stopped | None
    unconfined: str | None
    made: tuple[_Made, ...]
    unsteady: tuple[str, ...]

    @property
    def trial(self) -> Trial:
        ran = Ran(
            exit_code=self.exit_code,
            output=self.output,
            stopped_by=self.stopped_by,
            unconfined=self.unconfined,
        )
        return Trial(ran=ran, made=tuple(one.made for one in self.made), unsteady=self.unsteady)


class RecordedTrials:
    """By the steps' numbers, each with its command."""

    def __init__(self, trials: Mapping[int, tuple[str, Trial]]) -> None:
        self._trials: Final = trials

    @classmethod
    def of_run(cls, tried: Iterable[TriedThen]) -> "RecordedTrials":
        return cls({one.step: (one.command, one.trial) for one in tried})

    @classmethod
    def of_plan(cls, plan: Plan) -> "RecordedTrials":
        return cls(
            {
                step.number: (str(step.arguments.get("command")), _trial(step, step.rehearsed))
                for step in plan.steps
                if step.rehearsed is not None and step.is_performed
            }
        )

    def has(self, step: int, command: str) -> bool:
        return step in self._trials and self._trials[step][0] == command

    def of(self, step: int, command: str, *, overlay: Overlay, timeout_s: float) -> Trial:  # noqa: ARG002
        if not self.has(step, command):
            raise ToolFailed("this command was not tried when the run was recorded")
        return self._trials[step][1]


def take_over(made: tuple[Made, ...], overlay: Overlay) -> None:
    """Make the overlay what a command made of its files. Raises ToolFailed for what it can't hold."""
    # What went has to go first: a file may have become a folder.
    for one in sorted(made, key=lambda one: (one.entry is not None, one.path)):
        if one.entry is None or one.content is None:
            overlay.delete(one.path)
        elif one.entry.mode is Mode.LINK:
            raise ToolFailed(f"the command made the symbolic link {one.path}, which a plan can't hold")
        else:
            overlay.write(one.path, one.content, executable=one.entry.mode is Mode.EXECUTABLE)


def _trial(step: Step, tried: Tried) -> Trial:
    ran = Ran(
        exit_code=tried.exit_code,
        output=tried.output,
        stopped_by=tried.stopped_by,
        unconfined=tried.unconfined,
    )
    made = tuple(
        Made(
            path=effect.path,
            entry=None
            if effect.mode_after is None or effect.blob_after is None
            else Entry(mode=effect.mode_after, blob=effect.blob_after),
            content=None if effect.content is None else bytes_of(effect.content),
        )
        for effect in step.effects
    )
    return Trial(ran=ran, made=made, unsteady=tried.unsteady)


def _kept(made: Made) -> dict[str, Json]:
    content = content_of(made.content)
    return {
        "path": made.path,
        "mode": None if made.entry is None else made.entry.mode.value,
        "blob": None if made.entry is None else made.entry.blob,
        "content": None if content is None else content.model_dump(mode="json"),
    }
