"""What a change would have done to past runs: how many come out otherwise, how, and where to look.

The record of a replay, and of a part of one. It says nothing of when, where, or in how many parts it was
made, so that equal questions have equal answers, byte for byte.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.cost import Money
from bot.errors import BadUsage
from bot.sentence import Sentence

SCHEMA: Final = "dryrun-bot/replay/1"
Kind = Literal["policy", "tools", "decisions"]
Count = Annotated[int, Field(ge=0)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class Change(_Record):
    """One run that comes out otherwise, by its first action that does: the number `action` of its calls.

    `what` is the kind of change, such as "allow→ask". `before` and `after` are sentences; `more` counts the
    further actions that differ. Every word here may be somebody else's.
    """

    run: str
    name: str
    link: str | None
    action: int = Field(ge=1)
    tool: str
    about: str
    what: str
    before: str
    after: str
    more: Count = 0


class Refused(_Record):
    """A file, or a run in it, that could not be replayed. `why` names the line."""

    file: str
    why: str


class Group(_Record):
    what: str
    runs: Count


class Shard(_Record):
    """Part `number` of `of`."""

    number: int = Field(ge=1)
    of: int = Field(ge=1, le=10_000)

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Self:
        if self.number > self.of:
            raise ValueError(f"there is no part {self.number} of {self.of}")
        return self


class Spent(_Record):
    """What asking a model took; `usd` is None where its price is unknown."""

    calls: Count = 0
    tokens: Count = 0
    usd: Money | None = Decimal(0)

    def __add__(self, other: "Spent") -> "Spent":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Spent(calls=self.calls + other.calls, tokens=self.tokens + other.tokens, usd=usd)


class Impact(_Record):
    """`subject` says what the runs were replayed with; `left_out` counts those that were not, by reason.

    `changes` are sorted by run and `refused` by file; `groups` come the most frequent first.
    """

    schema_: Literal["dryrun-bot/replay/1"] = Field(alias="schema", default=SCHEMA)
    kind: Kind
    subject: Mapping[str, str]
    runs: Count
    changed: Count
    groups: tuple[Group, ...] = ()
    changes: tuple[Change, ...] = ()
    refused: tuple[Refused, ...] = ()
    left_out: Mapping[str, Count] = {}
    spent: Spent = Field(default_factory=Spent)
    shard: Shard | None = None

    @model_validator(mode="after")
    def _counts_are_those_of_the_list(self) -> Self:
        if self.changed != len(self.changes) or self.changed > self.runs:
            raise ValueError("it counts other changes than it lists")
        if self.groups != grouped(self.changes):
            raise ValueError("its groups are not those of its changes")
        return self

    @property
    def headline(self) -> str:
        return f"changed {self.changed} of {self.runs}"

    def to_json(self) -> str:
        record = self.model_dump(mode="json", by_alias=True)
        return json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def grouped(changes: Iterable[Change]) -> tuple[Group, ...]:
    """The most frequent kind of change first; among equals in the order of their names."""
    counted = Counter(change.what for change in changes)
    return tuple(
        Group(what=what, runs=runs) for what, runs in sorted(counted.items(), key=lambda it: (-it[1], it[0]))
    )


def read_impact(record: bytes, *, file: str) -> Impact:
    """Raises BadUsage for what is no result of a replay."""
    try:
        return Impact.model_validate_json(record)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the record"
        raise BadUsage(
            "%(file)s is no result of a replay: %(where)s: %(why)s",
            file=file,
            where=where,
            why=first["msg"],
            next_step="give the files that `dryrun-bot replay --shard I/N --report json` wrote",
        ) from error


def merged(parts: Iterable[tuple[str, Impact]]) -> Impact:
    """Of all parts of one replay, with their files' names, in any order. Raises BadUsage if they are not."""
    named = list(parts)
    if not named:
        raise BadUsage("There is nothing to merge", next_step="name the results of all shards")
    first_file, first = named[0]
    seen: dict[int, str] = {}
    for file, part in named:
        if part.shard is None or first.shard is None or part.shard.of != first.shard.of:
            raise BadUsage(
                "%(file)s is not a part of the same replay as %(first_file)s",
                file=file,
                first_file=first_file,
                next_step=_SAME,
            )
        if (part.kind, part.subject) != (first.kind, first.subject):
            raise BadUsage(
                "%(file)s was replayed with something else than %(first_file)s",
                file=file,
                first_file=first_file,
                next_step=_SAME,
            )
        if twin := seen.get(part.shard.number):
            raise BadUsage(
                "%(file)s and %(twin)s are both part %(number)s",
                file=file,
                twin=twin,
                number=part.shard.number,
                next_step=_SAME,
            )
        seen[part.shard.number] = file
    _check_whole(seen.keys(), of=first.shard.of if first.shard else 0)
    return assembled(
        kind=first.kind,
        subject=first.subject,
        runs=sum(part.runs for _, part in named),
        changes=(change for _, part in named for change in part.changes),
        refused=(refused for _, part in named for refused in part.refused),
        left_out=sum((Counter(part.left_out) for _, part in named), Counter()),
        spent=sum((part.spent for _, part in named), Spent()),
    )


def _check_whole(seen: Collection[int], *, of: int) -> None:
    if missing := sorted(set(range(1, of + 1)) - set(seen)):
        raise BadUsage(
            "Of %(of)s parts these are missing: %(numbers)s",
            of=of,
            numbers=", ".join(map(str, missing[:10])),
            next_step="give the results of all shards",
        )


def assembled(
    *,
    kind: Kind,
    subject: Mapping[str, str],
    runs: int,
    changes: Iterable[Change],
    refused: Iterable[Refused],
    left_out: Mapping[str, int],
    spent: Spent | None = None,
    shard: Shard | None = None,
) -> Impact:
    """In the one order that an impact has."""
    listed = tuple(sorted(changes, key=lambda change: (change.run, change.action)))
    return Impact(
        kind=kind,
        subject=dict(sorted(subject.items())),
        runs=runs,
        changed=len(listed),
        groups=grouped(listed),
        changes=listed,
        refused=tuple(sorted(refused, key=lambda one: (one.file, one.why))),
        left_out={name: left_out[name] for name in sorted(left_out) if left_out[name]},
        spent=spent or Spent(),
        shard=shard,
    )


_SAME: Final = Sentence("merge the results of one replay: the same files, policy and number of shards")
