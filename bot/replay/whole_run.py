"""A recorded dry run, all of it: what it was given, what was said and done, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any, BinaryIO, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bot.action import Call
from bot.agent.turn_record import turn_of
from bot.dataclass import dataclass
from bot.noted.given import Given, NotGiven, read_given
from bot.noted.look import Look
from bot.noted.lookout import Looked
from bot.noted.trials import TriedThen
from bot.replay.own_run import APPLY
from bot.sentence import Sentence
from bot.tools.tool import Tool
from bot.transcript.recording import Recording
from bot.world import Turn

# A transcript from before these were counted says nothing of them.
Lost = Annotated[int, Field(ge=0, le=1_000)]


class LeftOut(Exception):
    """There is nothing wrong with the run, but it can't be made again; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One call: how it was judged, what the dispatcher answered, and the error in it, if there was one."""

    call: Call
    id: str
    look: Look
    answer: str
    error: str | None

    @property
    def is_step(self) -> bool:
        return self.look.kind != "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What the second model answered; None where it gave no answer, because of `problem`.

    `lost` as in `Turn`, where there was none.
    """

    model: str
    turn: Turn | None
    problem: str | None
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """`plan` is the record without its steps, which stand in `steps` by their hashes."""

    digest: str
    made_at: datetime
    plan: Mapping[str, Any]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeRun:
    """`elapsed_s` is what the clock said before each call of the model, in order.

    `lost` are the tries for an answer that never came, which ended the run.
    """

    run_id: str
    given: Given
    model: str
    offered: tuple[str, ...]
    turns: tuple[Turn, ...]
    elapsed_s: tuple[float, ...]
    acts: tuple[Act, ...]
    advice: tuple[Advice, ...]
    looked: tuple[Looked, ...]
    planned: Planned
    tried: tuple[TriedThen, ...] = ()
    lost: int = 0

    @property
    def name(self) -> str:
        return (
            f"{self.given.repository}#{self.given.situation.pull_request.number} {self.given.assignment.name}"
        )

    def needs_other_tools(self, tools: Mapping[str, Tool[Any]]) -> bool:
        """Whether its model was offered tools that are not at hand."""
        return not {tool.offered_name for tool in tools.values()}.issuperset(self.offered)

    @property
    def link(self) -> str:
        return self.given.situation.pull_request.url


class _Function(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    name: str


class _Offered(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    function: _Function


class _Prompted(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    model: str
    tools: tuple[_Offered, ...]


class _Proposed(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    call: str
    tool: str
    arguments: str
    id: str


class _Answered(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    error: str | None
    text: str


class _Advised(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    model: str
    problem: str | None
    lost: Lost = 0


class _Stopped(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    elapsed_s: float = 0.0
    asked_s: float | None = None
    lost: Lost = 0


class _Bound(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    created_at: AwareDatetime


class _Planned(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    digest: str
    plan: dict[str, Any]
    steps: tuple[str, ...]

    @property
    def made_at(self) -> datetime:
        """Raises ValidationError."""
        return _Bound.model_validate(self.plan).created_at


@dataclass(slots=True)
class _Read:
    given: Given | None = None
    model: str = ""
    offered: tuple[str, ...] = ()
    turns: list[Turn] = field(default_factory=list)
    elapsed_s: list[float] = field(default_factory=list)
    proposed: list[_Proposed] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    answered: list[_Answered] = field(default_factory=list)
    advice: list[Advice] = field(default_factory=list)
    looked: list[Looked] = field(default_factory=list)
    tried: list[TriedThen] = field(default_factory=list)
    planned: Planned | None = None
    lost: int = 0

    def take(self, event: Mapping[str, Any]) -> None:
        """Raises ValidationError or NotGiven for an event that doesn't hold what its kind holds."""
        match event["event"]:
            case "began" if event.get("applies") is not None:
                raise LeftOut(APPLY)
            case "given":
                self.given = read_given(event)
            case "prompted":
                prompted = _Prompted.model_validate(event)
                self.model = prompted.model
                self.offered = tuple(tool.function.name for tool in prompted.tools)
            case "turn":
                self.turns.append(turn_of(event))
                self.elapsed_s.append(float(event.get("elapsed_s", 0.0)))
            case "stopped":
                stopped = _Stopped.model_validate(event)
                readings = (stopped.asked_s, stopped.elapsed_s)
                self.elapsed_s += [reading for reading in readings if reading is not None]
                self.lost = stopped.lost
            case "advised":
                said = _Advised.model_validate(event)
                turn = turn_of(event) if "calls" in event else None
                self.advice.append(Advice(model=said.model, turn=turn, problem=said.problem, lost=said.lost))
            case "planned":
                read = _Planned.model_validate(event)
                self.planned = Planned(
                    digest=read.digest, made_at=read.made_at, plan=read.plan, steps=read.steps
                )
            case _:
                self._take_act(event)

    def _take_act(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "proposed":
                self.proposed.append(_Proposed.model_validate(event))
            case "looked":
                self.looked.append(Looked.model_validate(event))
            case "tried":
                self.tried.append(TriedThen.model_validate(event))
            case "judged":
                self.looks.append(Look.model_validate(event.get("look")))
            case "answered":
                self.answered.append(_Answered.model_validate(event))
            case _:
                pass


def read_whole_run(stream: BinaryIO, *, file: str) -> WholeRun:
    """Raises BadTranscript with the line, and LeftOut for a run that nobody can make again."""
    recording = Recording(stream, file=file)
    read, reason = _Read(), None
    for number, event in recording.events():
        if event.get("redacted") and event["event"] in _NEEDED_WHOLE:
            reason = REDACTED
        try:
            read.take(event)
        except LeftOut as left_out:
            reason = str(left_out)
        except (ValidationError, NotGiven, TypeError, ValueError) as error:
            recording.refuse(
                number, Sentence("%(where)s: %(what)s", where=f"{event['event']!r:.40}", what=_said(error))
            )
    if reason is None and read.given is None:
        reason = ELSEWHERE
    if reason is None and read.planned is None:
        reason = NO_PLAN
    if reason is not None or read.given is None or read.planned is None:
        raise LeftOut(reason)
    if not len(read.proposed) == len(read.looks) == len(read.answered):
        recording.refuse(1, Sentence("not every action has its verdict and its answer"))
    return WholeRun(
        run_id=recording.run_id,
        given=read.given,
        model=read.model,
        offered=read.offered,
        turns=tuple(read.turns),
        elapsed_s=tuple(read.elapsed_s),
        acts=tuple(_acts(read.proposed, read.looks, read.answered)),
        advice=tuple(read.advice),
        looked=tuple(read.looked),
        tried=tuple(read.tried),
        planned=read.planned,
        lost=read.lost,
    )


def _acts(proposed: Sequence[_Proposed], looks: Sequence[Look], answered: Sequence[_Answered]) -> list[Act]:
    return [
        Act(
            call=Call(id=asked.call, tool=asked.tool, arguments=asked.arguments),
            id=asked.id,
            look=look,
            answer=answer.text,
            error=answer.error,
        )
        for asked, look, answer in zip(proposed, looks, answered, strict=True)
    ]


def _said(error: Exception) -> str:
    if isinstance(error, ValidationError):
        problem = error.errors()[0]
        return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
    return str(error)


REDACTED: Final = "runs with a secret taken out of what the model was given or said"
ELSEWHERE: Final = "runs in a terminal, whose files are not known any more"
NO_PLAN: Final = "runs that ended without a plan"
OTHER_TOOLS: Final = "runs with tools of a server or a package that is not at hand here"
# What a replay begins with; what was answered comes anew.
_NEEDED_WHOLE: Final = frozenset({"given", "turn", "advised", "tried"})
