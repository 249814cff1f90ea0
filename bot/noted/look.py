"""What was seen of one action, as a transcript keeps it: enough to judge it again, under any policy.

Whatever is worked out from words is worked out again; kept is what only the files of that day could tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field

from bot.action import Action, Json, Kind
from bot.gate.content import NOTHING, Content
from bot.gate.facts import Facts, How, Seen, Touched
from bot.paths.path import path_of
from bot.shell.invocation import invocation_of
from bot.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from bot.proposal import Proposal


class Touch(BaseModel):
    """A path as it was written, what would be done with it, and the link that stands in its way."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    path: str
    how: How
    link: str | None = None

    def touched(self) -> Touched:
        return Touched(path=path_of(self.path), how=self.how, link=self.link)


class Look(BaseModel):
    """`touches` are what the arguments name, `effects` what the rehearsal changed.

    `links` are those among the words of `command` that stand behind a link. `verdict` is the one of that day;
    the record of another program has none.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    tool: str
    kind: Kind
    known: bool = True
    problem: str | None = None
    touches: tuple[Touch, ...] = ()
    command: str | None = None
    # Not {}: pydantic would copy that for each of them, which takes longer than all the rest.
    links: Mapping[str, str] = Field(default_factory=dict)
    effects: tuple[Touch, ...] = ()
    content: Content = NOTHING
    host: str | None = None
    verdict: Verdict | None = None

    @cached_property
    def action(self) -> Action:
        """As far as a gate asks about it: what the arguments were is in the facts."""
        return Action(tool=self.tool, kind=self.kind, arguments={})

    @property
    def is_rehearsed(self) -> bool:
        """Whether its effects are known: what was denied at first sight was never tried."""
        return self.verdict is None or self.verdict.outcome is not Outcome.DENY or bool(self.effects)

    @cached_property
    def before(self) -> Seen:
        """What was seen before the rehearsal."""
        return self._seen((), NOTHING)

    @cached_property
    def after(self) -> Seen:
        """What was seen after the rehearsal."""
        return self._seen(self.effects, self.content) if self.effects else self.before

    def _seen(self, effects: Iterable[Touch], content: Content) -> Seen:
        invocation = None if self.command is None else invocation_of(self.command)
        words = [] if invocation is None else invocation.named
        named = (
            Touched(
                path=word.path,
                how=How.NAME if word.is_only_read else How.HANDLE,
                link=self.links.get(word.path.written),
            )
            for word in words
        )
        stated = (touch.touched() for touch in (*self.touches, *effects))
        return Seen(
            kind=self.kind,
            known=self.known,
            problem=self.problem,
            touched=(*stated, *named),
            command=invocation,
            content=content,
            host=self.host,
        )


def look_at(proposal: Proposal, facts: Facts, verdict: Verdict) -> dict[str, Json]:
    """A `Look` is read back from this. What says nothing is left out: equal actions have equal records."""
    stated = len(proposal.touches)
    words = len(facts.command.named) if facts.command else 0
    effects = facts.touched[stated : len(facts.touched) - words]
    links = {one.path.written: one.link for one in facts.touched[len(facts.touched) - words :] if one.link}
    every: dict[str, Json] = {
        "tool": proposal.action.tool,
        "kind": facts.kind.value,
        "known": None if facts.known else False,
        "problem": facts.problem,
        "touches": [_touch(one) for one in facts.touched[:stated]],
        "command": proposal.command,
        "links": links,
        "effects": [_touch(one) for one in effects],
        "content": _content(facts.content),
        "host": facts.host,
        "verdict": {
            "outcome": verdict.outcome.value,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "source": verdict.source,
        },
    }
    return {name: value for name, value in every.items() if value not in _NOTHINGS}


def _touch(one: Touched) -> dict[str, Json]:
    touch: dict[str, Json] = {"path": one.path.written, "how": one.how.value}
    return touch | {"link": one.link} if one.link else touch


def _content(content: Content) -> dict[str, Json]:
    """All that it says, whatever that is: a fact that was left out would be lost for every replay."""
    every = {one.name: getattr(content, one.name) for one in fields(content)}
    return {name: list(said) if isinstance(said, tuple) else said for name, said in every.items() if said}


_NOTHINGS: Final[tuple[object, ...]] = (None, [], {})
