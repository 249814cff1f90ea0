"""A model's tool call -> Proposal: which tool, which arguments, or what is wrong with it.

A call that can't be understood is still a proposal: it is recorded and refused, never repaired by guessing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from bot.action import Action, Call, Json, Kind, storable
from bot.dataclass import dataclass
from bot.description import describe
from bot.tools.tool import Arguments, Tool, ToolFailed

if TYPE_CHECKING:
    from bot.gate.facts import Touch
    from bot.plan import Step

_SHOWN_CHARACTERS = 60
_MOST_LEVELS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """`arguments` are None and `problem` says why when the call can't be carried out as it stands.

    `touches` and `command` are what the tool says of it.
    """

    action: Action
    tool: Tool[Any] | None
    arguments: Arguments | None
    problem: str | None
    touches: tuple[Touch, ...] = ()
    command: str | None = None

    @property
    def description(self) -> str:
        """One line for a table: the tool, and what it is about."""
        return describe(self.action.tool, self.action.arguments)

    @property
    def spelled(self) -> str:
        """The call as one line, `tool(name="value")`; long values are cut, and whole in the record."""
        named = (f"{name}={_shown(value)}" for name, value in self.action.arguments.items())
        return f"{self.action.tool}({', '.join(named)})"


def propose(call: Call, tools: Mapping[str, Tool[Any]]) -> Proposal:
    """Permission may come from nothing but what this returns, and the facts worked out from it."""
    tool = tools.get(call.tool) or _offered(call.tool, tools)
    # What an unknown tool would do is unknown, so it is judged as the kind that can do most.
    kind = tool.kind if tool else Kind.EXTERNAL
    fields, problem = _parsed(call.arguments)
    intent = fields.pop("intent", None) if kind is not Kind.READ else None
    stored = {storable_text(name): storable(value) for name, value in fields.items()}
    if problem is None and stored != fields:
        problem = "the arguments hold half a character, or a number that JSON can't carry"
    action = Action(
        tool=storable_text(tool.name if tool else call.tool),
        kind=kind,
        # Sorted as in a record's canonical JSON: a call read back from one is the same in every way.
        arguments=dict(sorted(stored.items())),
        intent=str(storable(intent)) if intent is not None else None,
    )
    if tool is None or problem:
        return Proposal(action=action, tool=tool, arguments=None, problem=problem)
    try:
        # In JSON mode, where strictness still lets an array be a tuple; and as it is recorded, where 1.0 is
        # 1, so that what is judged now is what an apply will read back.
        arguments = tool.arguments.model_validate_json(action.spelled)
        touches, command = tool.touches(arguments), tool.command(arguments)
    except ValidationError as error:
        return Proposal(action=action, tool=tool, arguments=None, problem=_said(error))
    except ToolFailed as failed:
        problem = storable_text(str(failed))
        return Proposal(action=action, tool=tool, arguments=None, problem=problem)
    return Proposal(
        action=action, tool=tool, arguments=arguments, problem=None, touches=touches, command=command
    )


def call_of(step: Step) -> Call:
    """The call that a recorded step was made from; what is not in the record is not in the call."""
    arguments = dict(step.arguments)
    if step.intent is not None:
        arguments["intent"] = step.intent
    return Call(id=step.id, tool=step.tool, arguments=json.dumps(arguments))


def _offered(name: str, tools: Mapping[str, Tool[Any]]) -> Tool[Any] | None:
    """By the name that models know it by."""
    return next((tool for tool in tools.values() if tool.offered_name == name), None)


def _parsed(arguments: str) -> tuple[dict[str, object], str | None]:
    try:
        fields = _JSON.decode(arguments)
    except (ValueError, RecursionError) as error:
        return {"unparsed": arguments}, f"the arguments are not valid JSON: {error}"
    if not isinstance(fields, dict):
        return {"unparsed": arguments}, "the arguments are valid JSON, but not an object"
    if _is_deep(fields):
        return {"unparsed": arguments}, f"the arguments are nested more than {_MOST_LEVELS} levels deep"
    return fields, None


def _is_deep(value: object) -> bool:
    """Whatever walks through them later does so by recursion, and would not come back."""
    level = [value]
    for _ in range(_MOST_LEVELS):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return any(isinstance(inner, dict | list) for inner in level)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Two readers of a duplicate name may each believe another value: what is judged must be what runs.
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return fields


# Made once: making one takes longer than reading a call with it.
_JSON: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_duplicates)


def _said(error: ValidationError) -> str:
    found = (
        f"{'.'.join(str(part) for part in problem['loc']) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)
    )
    return storable_text("; ".join(found))


def storable_text(text: str) -> str:
    return str(storable(text))


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}… ({len(text):,} characters)"
