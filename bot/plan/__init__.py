"""The plan: every step an agent would take, bound by one digest to all that it depends on.

A record that comes back from anywhere is untrusted data: `read_plan` proves that it is whole, not that it
is good.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from bot.action import Json, Kind, canonical
from bot.cost import Money, Usage
from bot.errors import BadPlan
from bot.plan.tried import Tried
from bot.verdict import Outcome, Verdict
from bot.workspace import Entry, Mode

SCHEMA: Final = "dryrun-bot/plan/1"


def _in_utc(at: datetime) -> datetime:
    if at.utcoffset():
        raise ValueError("it is not in UTC")
    return at


Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[
    AwareDatetime,
    AfterValidator(_in_utc),
    PlainSerializer(lambda at: at.isoformat().replace("+00:00", "Z"), return_type=str),
]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class Content(_Record):
    """A file's bytes: text whole, anything that is not UTF-8 as base64."""

    encoding: Literal["utf-8", "base64"]
    data: str


class Effect(_Record):
    """What one step does to one path. A mode or blob of None: the path is not there."""

    path: str
    mode_before: Mode | None
    mode_after: Mode | None
    blob_before: Sha | None
    blob_after: Sha | None
    content: Content | None
    diff: str


class Step(_Record):
    """A write or external action in the plan. `number` counts from 1 in call order.

    `depends_on` are the numbers of earlier steps whose planned changes this one reads or runs;
    `conditional_on` those whose results were made up and matter to it. `error` is what the tool answered when
    it could not do it. `rehearsed` is what came of a command that was run in the sandbox, on a copy.
    """

    number: int = Field(ge=1)
    id: str = Field(pattern=r"^dry-[0-9a-f]{12}$")
    tool: str
    kind: Kind
    arguments: dict[str, object]
    intent: str | None
    description: str
    verdict: Verdict
    advice: dict[str, object] | None = None
    effects: tuple[Effect, ...] = ()
    depends_on: tuple[int, ...] = ()
    conditional_on: tuple[int, ...] = ()
    error: str | None = None
    rehearsed: Tried | None = None

    @model_serializer(mode="wrap")
    def _as_before_where_nothing_was_run(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Records without it stay what they are, to the byte."""
        fields: dict[str, object] = handler(self)
        if fields.get("rehearsed", self) is None:
            del fields["rehearsed"]
        return fields

    @property
    def is_command(self) -> bool:
        return self.kind is Kind.EXTERNAL and isinstance(self.arguments.get("command"), str)

    @property
    def is_performed(self) -> bool:
        """Whether an apply carries it out: what was denied or failed in the rehearsal is left out."""
        return self.verdict.outcome is not Outcome.DENY and self.error is None


class TaskName(_Record):
    name: str
    prompt_digest: Digest


class Advisor(_Record):
    """The second model that was asked about the steps, and what that took, beside what the agent took."""

    model: str
    usage: Usage
    cost: Money | None


class Draft(_Record):
    """A plan before it is sealed: everything the digest is taken over.

    `cost` is in US dollars, None where the model's price is unknown; `stopped_by` is the limit that ended
    the run. `policy_sha` is the commit the policy was read from, None in a terminal; `findings` are plain
    sentences.
    """

    schema_: Literal["dryrun-bot/plan/1"] = Field(alias="schema", default=SCHEMA)
    repository: str
    head_repository: str
    pull_request: int | None
    head_sha: Sha
    base_sha: Sha
    policy_sha: Sha | None
    policy_digest: Digest
    tools_digest: Digest
    task: TaskName
    model: str
    bot_version: str
    created_at: Moment
    expires_at: Moment
    summary: str
    chaos: str | None = None
    steps: tuple[Step, ...]
    usage: Usage
    cost: Money | None
    advisor: Advisor | None = None
    stopped_by: str | None
    findings: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _steps_are_numbered_in_order(self) -> Self:
        if [step.number for step in self.steps] != list(range(1, len(self.steps) + 1)):
            raise ValueError("its steps are not numbered 1, 2, 3 ...")
        return self


class Plan(Draft):
    """A sealed draft: `digest` is the sha256 of the rest in canonical JSON (RFC 8785)."""

    digest: Digest

    @model_validator(mode="after")
    def _digest_is_of_this_record(self) -> Self:
        if self.digest != _digest_of(self):
            raise ValueError("its digest is not the digest of its content")
        return self

    @property
    def has_command(self) -> bool:
        """Whether an apply runs any."""
        return any(step.is_performed and step.is_command for step in self.steps)

    def predicted(self, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """The tracked files after an apply on a tree that has these."""
        after = dict(entries)
        for effect in (effect for step in self.steps if step.is_performed for effect in step.effects):
            if effect.mode_after is None or effect.blob_after is None:
                after.pop(effect.path, None)
            else:
                after[effect.path] = Entry(mode=effect.mode_after, blob=effect.blob_after)
        return after

    @property
    def total_cost(self) -> Decimal | None:
        """Of both models, in US dollars; None where a price is unknown."""
        costs = (self.cost, *(() if self.advisor is None else (self.advisor.cost,)))
        known = [cost for cost in costs if cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(costs) else None

    @property
    def short_digest(self) -> str:
        return self.digest[:12]

    def to_bytes(self) -> bytes:
        """The record as stored: canonical JSON and a final newline."""
        return canonical(self.model_dump(mode="json", by_alias=True)) + b"\n"


def seal(draft: Draft) -> Plan:
    """What is read back from its own bytes, so that nothing is shown or done that is not in the record."""
    record = draft.model_dump(mode="json", by_alias=True) | {"digest": _digest_of(draft)}
    return read_plan(canonical(record))


def read_plan(record: bytes) -> Plan:
    """Raises BadPlan with what is wrong; a newer schema is told from a broken record."""
    try:
        fields = json.loads(record, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadPlan(
            "The plan record is not JSON: %(error)s", error=error, next_step="comment /plan for a fresh plan"
        ) from error
    schema = fields.get("schema") if isinstance(fields, dict) else None
    if schema != SCHEMA:
        raise BadPlan(
            "The plan record says schema %(schema)s, and this version reads %(known)s",
            schema=repr(schema),
            known=repr(SCHEMA),
            next_step="use the dryrun-bot version that made it, or comment /plan for a fresh plan",
        )
    try:
        return Plan.model_validate(fields)
    except RecursionError as error:
        raise BadPlan(
            "The plan record is nested too deeply to be read", next_step="comment /plan for a fresh plan"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the record"
        raise BadPlan(
            "The plan record is not valid: %(where)s: %(why)s",
            where=where,
            why=first["msg"],
            next_step="comment /plan for a fresh plan",
        ) from error


def _no_constant(name: str) -> object:
    # Python's own JSON has infinities; no other reader's has.
    raise ValueError(f"{name} is not a JSON value")


def _digest_of(draft: Draft) -> str:
    record: dict[str, Json] = draft.model_dump(mode="json", by_alias=True, exclude={"digest"})
    return hashlib.sha256(canonical(record)).hexdigest()
