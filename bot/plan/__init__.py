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
    Field,
    PlainSerializer,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from bot.action import Json, canonical
from bot.cost import Money, Usage
from bot.errors import BadPlan
from bot.plan.outline import Outline, outline_of
from bot.plan.step import Content, Effect, Record, Sha, Step
from bot.workspace import Entry

__all__ = [
    "SCHEMA",
    "Advisor",
    "Content",
    "Digest",
    "Draft",
    "Effect",
    "Money",
    "Plan",
    "Sha",
    "Step",
    "TaskName",
    "read_plan",
    "seal",
]

SCHEMA: Final = "dryrun-bot/plan/1"


def _in_utc(at: datetime) -> datetime:
    if at.utcoffset():
        raise ValueError("it is not in UTC")
    return at


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[
    AwareDatetime,
    AfterValidator(_in_utc),
    PlainSerializer(lambda at: at.isoformat().replace("+00:00", "Z"), return_type=str),
]


class TaskName(Record):
    name: str
    prompt_digest: Digest


class Advisor(Record):
    """The second model that was asked about the steps, and what that took, beside what the agent took."""

    model: str
    usage: Usage
    cost: Money | None


class Draft(Record):
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
    _spelled: bytes = PrivateAttr()
    _outline: Outline = PrivateAttr()

    @model_validator(mode="after")
    def _digest_is_of_this_record(self) -> Self:
        spelled = _fields_spelled(self)
        if self.digest != _digest_of(spelled):
            raise ValueError("its digest is not the digest of its content")
        self._spelled = _joined(spelled)
        self._outline = outline_of(self.steps)
        return self

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self:  # noqa: ARG002 - its signature is pydantic's
        """Not of a plan: a copy with anything changed would bear the digest of something else."""
        raise TypeError("a plan is sealed; seal another draft")

    @property
    def outline(self) -> Outline:
        """What its steps come to."""
        return self._outline

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
        return self._spelled + b"\n"


def seal(draft: Draft) -> Plan:
    """What is read back from its own bytes, so that nothing is shown or done that is not in the record."""
    spelled = _fields_spelled(draft)
    return read_plan(_joined(spelled | {"digest": canonical(_digest_of(spelled))}))


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


def _fields_spelled(draft: Draft) -> dict[str, bytes]:
    """Each field of the record in canonical JSON, for they are wanted with the digest and without it."""
    record: dict[str, Json] = draft.model_dump(mode="json", by_alias=True)
    return {name: canonical(value) for name, value in record.items()}


def _joined(spelled: Mapping[str, bytes]) -> bytes:
    """The canonical JSON of the whole: the fields' names need no escapes."""
    return b"{" + b",".join(b'"%b":%b' % (name.encode(), spelled[name]) for name in sorted(spelled)) + b"}"


def _digest_of(spelled: Mapping[str, bytes]) -> str:
    bound = {name: value for name, value in spelled.items() if name != "digest"}
    return hashlib.sha256(_joined(bound)).hexdigest()
