"""A run that this bot recorded -> Past. Only what a policy needs is parsed; all of the chain is proven."""

import json
from dataclasses import field
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.dataclass import dataclass
from bot.description import describe
from bot.replay.sight import Sight, Sights
from bot.sentence import Sentence
from bot.transcript.recording import Recording

APPLY: Final = "applies, which perform a plan that a dry run made"


class Began(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore", strict=True)

    repository: str = ""
    pull_request: int | None = None
    task: str = ""
    applies: str | None = None

    @property
    def name(self) -> str:
        number = "" if self.pull_request is None else f"#{self.pull_request}"
        return f"{self.repository}{number} {self.task}".strip()


@dataclass(slots=True, kw_only=True)
class OwnRun:
    """`proposed` are the lines with what the model asked for, and `judged` those of the sights, in order."""

    recording: Recording
    began: Began
    sights: list[Sight] = field(default_factory=list)
    proposed: list[tuple[int, bytes]] = field(default_factory=list)
    judged: list[tuple[int, bytes]] = field(default_factory=list)
    given: tuple[int, bytes] | None = None

    @property
    def run_id(self) -> str:
        return self.recording.run_id

    @property
    def is_apply(self) -> bool:
        return self.began.applies is not None

    @property
    def name(self) -> str:
        return self.began.name

    def described(self, number: int) -> tuple[str, str]:
        event = self.recording.event(*self.proposed[number - 1])
        tool, arguments = str(event.get("tool")), event.get("arguments")
        try:
            fields = json.loads(arguments) if isinstance(arguments, str) else None
        except (ValueError, RecursionError):
            fields = None
        return tool, describe(tool, fields if isinstance(fields, dict) else {})

    def link(self) -> str | None:
        from bot.settings import is_repository_name

        if self.given is not None:
            match self.recording.event(*self.given):
                case {"pull_request": {"url": str() as url}}:
                    return url
                case _:
                    pass
        if self.began.pull_request is None or not is_repository_name(self.began.repository):
            return None
        return f"https://github.com/{self.began.repository}/pull/{self.began.pull_request}"


def read_own_run(recording: Recording, sights: Sights) -> OwnRun:
    """The whole transcript, proven to its end. Raises BadTranscript with the line."""
    lines = recording.lines()
    run = OwnRun(recording=recording, began=_began(recording, next(lines)))
    for number, body in lines:
        if body.startswith(b'"arguments":'):
            run.proposed.append((number, body))
        elif sights.is_judged(body):
            run.sights.append(sights.of(recording, number, body))
            run.judged.append((number, body))
            if len(run.sights) != len(run.proposed):
                recording.refuse(number, Sentence("an action is judged here that no line before proposes"))
        elif body.startswith(b'"assignment":'):
            run.given = (number, body)
    del run.proposed[len(run.sights) :]
    return run


def _began(recording: Recording, first: tuple[int, bytes]) -> Began:
    try:
        return Began.model_validate(recording.event(*first))
    except ValidationError as error:
        problem = error.errors()[0]
        recording.refuse(
            1,
            Sentence(
                "%(where)s: %(what)s",
                where=".".join(map(str, problem["loc"])),
                what=problem["msg"],
            ),
        )
