"""(Plan so far, action, facts) -> the steps on whose simulated results this one rests. No model's guess.

A command that was not run, an id that nobody gave: what builds on these holds only if they come out as the
rehearsal pretended. Told from the calls alone, so that an apply finds the same again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from bot.action import Action, Json
from bot.facts import Facts, How
from bot.plan import Step
from bot.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """One step's made-up result: the `values` in it, and the paths that only its command would make."""

    id: str
    values: frozenset[str]
    is_command: bool
    makes: tuple[str, ...]

    def is_named_in(self, text: str) -> bool:
        """By its id, or by a value that came with it: a short one only where it is the whole text."""
        telling = (value for value in self.values if len(value) >= _TELLING)
        return text in self.values or any(name in text for name in (self.id, *telling))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """`simulated` are the steps with made-up results, `rests` what each step that rests on some rests on."""

    simulated: Mapping[int, Simulated] = field(default_factory=lambda: MappingProxyType({}))
    rests: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, action: Action, facts: Facts) -> tuple[int, ...]:
        """Numbers of steps, in order; those that these rest on themselves are among them."""
        if not self.simulated:
            return ()
        said = tuple(_leaves(action.arguments))
        direct = {number for number, one in self.simulated.items() if _rests(said, facts, one)}
        behind = {step for number in (*direct, *facts.depends_on) for step in self.rests.get(number, ())}
        return tuple(sorted(direct | behind))

    def after(self, step: Step, facts: Facts, *, result: str | None, tree: Workspace) -> "Conditions":
        """With one step more; `result` is what the model was told instead of a real one, or None."""
        rests, simulated = dict(self.rests), dict(self.simulated)
        if step.conditional_on:
            rests[step.number] = step.conditional_on
        if result is not None:
            simulated[step.number] = Simulated(
                id=step.id,
                values=frozenset(_values(result)),
                is_command=facts.command is not None,
                makes=tuple(_makes(facts, tree)),
            )
        return Conditions(simulated=MappingProxyType(simulated), rests=MappingProxyType(rests))


def _rests(said: Sequence[str], facts: Facts, earlier: Simulated) -> bool:
    if earlier.is_command and facts.command is not None:
        # They share a folder, and nobody knows how the first one leaves it.
        return True
    if any(earlier.is_named_in(text) for text in said):
        return True
    return any(_lies_in(one.path.normal, path) for one in facts.touched for path in earlier.makes)


def _makes(facts: Facts, tree: Workspace) -> Iterator[str]:
    """What a command names and is not there yet: its redirects' targets, and words that may be paths."""
    if facts.command is None:
        return
    for one in facts.touched:
        path = one.path.normal
        is_name = one.how is How.HANDLE and path and not one.path.fault
        if is_name and tree.entry(path) is None and not tree.is_folder(path):
            yield path


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _values(result: str) -> Iterator[str]:
    """What can be told again of a result: only one in JSON has values."""
    try:
        parsed = json.loads(result)
    except (ValueError, RecursionError):
        return
    yield from (text for text in _leaves(parsed) if len(text) >= _LEAST)


def _leaves(value: Json) -> Iterator[str]:
    """Every string and number in it."""
    todo: list[Json] = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case bool() | None:
                continue
            case int() | float() as number:
                yield str(number)
            case Mapping() as fields:
                todo.extend(fields.values())
            case items:
                todo.extend(items)


# Shorter values, such as a 0 or a 1, stand everywhere.
_LEAST: Final = 2
_TELLING: Final = 6
