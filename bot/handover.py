"""What one job of a workflow leaves for the next: one file, closed, and untrusted data whoever wrote it.

A model's words, or a command that broke out of its cage, may have had a hand in it. What is in it is judged
again by whoever reads it; this module only proves that it has the shape, and is about the same thing.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.action import canonical
from bot.errors import FAILURES, BadHandover, PhaseFailed, Reason
from bot.impact import Impact
from bot.plan import Content, Digest, Plan, Sha
from bot.sentence import Sentence
from bot.workspace import Entry, Mode, blob_sha

SCHEMA: Final = "dryrun-bot/handover/1"
MOST_BYTES: Final = 64 * 1024 * 1024
MOST_CHARACTERS: Final = 4000
_PART: Final = re.compile(r"%\((\w+)\)s")
_PLAIN: Final = re.compile(r"%\(\w+\)s|%%")

# What a job may find that carries out steps, and the next one can't see for itself.
REFUSALS: Final = frozenset(
    {
        Reason.STEP_FAILED,
        Reason.PREDICTION_MISSED,
        Reason.STRICTER_NOW,
        Reason.PLAN_ALTERED,
        Reason.STALE_HEAD,
        Reason.STALE_POLICY,
        Reason.STALE_TOOLS,
        Reason.EXPIRED,
        Reason.NOTHING_TO_APPLY,
    }
)


def _of_refusals(reason: Reason) -> Reason:
    if reason not in REFUSALS:
        raise ValueError("it is no reason to refuse a plan for")
    return reason


def _of_failures(reason: Reason) -> Reason:
    if reason not in FAILURES:
        raise ValueError("it is no way to fail")
    return reason


Told = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(pattern=r"^[a-z_0-9]{1,40}$")]
Path = Annotated[str, Field(min_length=1, max_length=4096)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class Said(_Record):
    """A `Sentence` taken apart, so that the next job can say it in its reader's language."""

    template: Told
    parts: Mapping[Name, "Said | Told"]

    @model_validator(mode="after")
    def _names_each_part_once(self) -> Self:
        # Others may have written it: no conversions but this one, and nothing grows by being repeated.
        if sorted(_PART.findall(self.template)) != sorted(self.parts) or "%" in _PLAIN.sub("", self.template):
            raise ValueError("its template is none of its parts")
        return self

    @property
    def sentence(self) -> Sentence:
        if not self.parts:
            return Sentence(self.template.replace("%%", "%"))
        return Sentence(self.template, **{name: _told(part) for name, part in self.parts.items()})


class Failed(_Record):
    """Why the job ended without a result: what a `BotError` says."""

    reason: Annotated[Reason, AfterValidator(_of_failures)]
    what: Said | Told
    next_step: Said | Told

    @model_validator(mode="after")
    def _is_short(self) -> Self:
        if max(len(_told(self.what)), len(_told(self.next_step))) > MOST_CHARACTERS:
            raise ValueError("it says too much")
        return self


class Refused(_Record):
    """`difference` is a diff of what a command did beyond the plan."""

    reason: Annotated[Reason, AfterValidator(_of_refusals)]
    detail: Told
    difference: Annotated[str, Field(max_length=100_000)] = ""


class MadeFile(_Record):
    """One changed path as it came out. Both None: it is gone."""

    path: Path
    mode: Mode | None
    content: Content | None

    @model_validator(mode="after")
    def _is_there_or_is_not(self) -> Self:
        if (self.mode is None) is not (self.content is None):
            raise ValueError("it has a mode and no content, or content and no mode")
        _ = self.entry
        return self

    @property
    def entry(self) -> Entry | None:
        if self.mode is None or self.content is None:
            return None
        return Entry(mode=self.mode, blob=blob_sha(_bytes(self.content)))

    @property
    def raw(self) -> bytes | None:
        return None if self.content is None else _bytes(self.content)


class Output(_Record):
    """What a command wrote, by the number of its step."""

    step: int = Field(ge=1)
    output: Annotated[str, Field(max_length=8000)]


class Made(_Record):
    """What carrying out the plan with this digest came to. `tree` is git's name of all files together."""

    plan: Digest
    tree: Sha
    changes: tuple[MadeFile, ...] = Field(max_length=10_000)
    left_over: tuple[Path, ...] = Field(max_length=10_000)
    outputs: tuple[Output, ...] = Field(max_length=1_000, default=())


class Handover(_Record):
    """`occasion` as in `Kit`. What `phase` does not make is empty or None."""

    schema_: Literal["dryrun-bot/handover/1"] = Field(alias="schema", default=SCHEMA)
    phase: Literal["plan", "perform"]
    repository: str
    pull_request: int = Field(ge=1)
    occasion: int = Field(ge=0)
    plans: tuple[Plan, ...] = Field(max_length=20, default=())
    decided: Impact | None = None
    made: Made | None = None
    refused: Refused | None = None
    failed: Failed | None = None

    @model_validator(mode="after")
    def _holds_what_its_phase_makes(self) -> Self:
        others = (self.made, self.refused) if self.phase == "plan" else (self.plans or None, self.decided)
        if any(other is not None for other in others):
            raise ValueError(f"the phase {self.phase} doesn't make all of that")
        return self

    def plan_of(self, task: str) -> Plan | None:
        return next((plan for plan in self.plans if plan.task.name == task), None)

    def why_nothing(self) -> PhaseFailed:
        """Why what was looked for is not in it."""
        failed = self.failed
        if failed is None:
            return nothing_left()
        return PhaseFailed(_told(failed.what), next_step=_told(failed.next_step), reason=failed.reason)

    def to_bytes(self) -> bytes:
        return canonical(self.model_dump(mode="json", by_alias=True)) + b"\n"


def read_handover(
    record: bytes, *, phase: str, repository: str, pull_request: int, occasion: int
) -> Handover:
    """Raises BadHandover for what is not left by `phase`, about this very occasion."""
    try:
        fields = json.loads(record, parse_constant=_no_constant)
        handover = Handover.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the record"
        raise _bad(Sentence("%(where)s: %(what)s", where=where, what=first["msg"])) from error
    except (ValueError, RecursionError) as error:
        raise _bad(Sentence("it is not JSON")) from error
    about = (handover.phase, handover.repository, handover.pull_request, handover.occasion)
    if about != (phase, repository, pull_request, occasion):
        raise _bad(Sentence("it is about something else"))
    return handover


def said(sentence: Sentence) -> Said | str:
    """As the next job is told it. What is too long is cut, and is then a plain text."""
    if len(sentence) > MOST_CHARACTERS:
        return sentence[:MOST_CHARACTERS]
    parts = {
        name: said(part) if isinstance(part, Sentence) else part for name, part in sentence.parts.items()
    }
    return Said(template=sentence.template, parts=parts)


def _told(handed: Said | str) -> Sentence | str:
    return handed.sentence if isinstance(handed, Said) else handed


def nothing_left() -> PhaseFailed:
    return PhaseFailed(
        "The job before this one ended without a result",
        next_step="look at that job's log, and write the command again or start the run again",
    )


def too_long() -> BadHandover:
    return _bad(Sentence("it has more than %(most)s bytes", most=MOST_BYTES))


def _bytes(content: Content) -> bytes:
    if content.encoding == "utf-8":
        return content.data.encode("utf-8")
    try:
        return base64.b64decode(content.data, validate=True)
    except binascii.Error as error:
        raise ValueError("its content is not base64") from error


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


def _bad(why: str) -> BadHandover:
    return BadHandover(
        "What the job before this one left can't be used: %(why)s",
        why=why,
        next_step="look at that job's log, and write the command again",
    )
