"""(Plan so far, action, facts) -> the steps on whose simulated results this one rests. No model's guess.

A command that was not run, an id that nobody gave: what builds on these holds only if they come out as the
rehearsal pretended. Told from the calls alone, so that an apply finds the same again.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from bot.action import Action, Json
from bot.dataclass import dataclass
from bot.gate.facts import Facts, How
from bot.plan import Step
from bot.workspace import Workspace, mode_at


@dataclass(slots=True, kw_only=True)
class Conditions:
    """What the steps so far pretended, by what gives it away; the numbers are the steps'.

    `rests` is what a step that rests on others rests on; `makes` are paths that only a command would make.
    """

    last_command: int | None = None
    ids: dict[str, int] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)
    makes: dict[str, int] = field(default_factory=dict)
    rests: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def of(self, action: Action, facts: Facts) -> tuple[int, ...]:
        """Numbers of steps, in order; of several commands the last, which itself rests on those before it."""
        if not self.ids:
            return ()
        found = {step for text in _leaves(action.arguments) for step in self._named_in(text)}
        if facts.command is not None and self.last_command is not None:
            # They share a folder, and nobody knows how the first one leaves it.
            found.add(self.last_command)
        for one in facts.touched if self.makes else ():
            found.update(self.makes[path] for path in _with_folders(one.path.normal) if path in self.makes)
        found.update(step for number in facts.depends_on for step in self.rests.get(number, ()))
        return tuple(sorted(found))

    def add(self, step: Step, facts: Facts, *, result: str | None, tree: Workspace) -> None:
        """`result` is what the model was told instead of a real one, or None."""
        if step.conditional_on:
            self.rests[step.number] = step.conditional_on
        if result is None:
            return
        self.ids[step.id] = step.number
        if facts.command is not None:
            self.last_command = step.number
            self.makes.update(dict.fromkeys(_makes(facts, tree), step.number))
        else:
            self.values.update(dict.fromkeys(_values(result), step.number))

    def _named_in(self, text: str) -> Iterator[int]:
        """By an id, or by a value that came with one: a short one only where it is the whole text."""
        yield from (self.ids[name] for name in _ID.findall(text) if name in self.ids)
        if text in self.values:
            yield self.values[text]
        yield from (step for value, step in self.values.items() if len(value) >= _TELLING and value in text)


def _makes(facts: Facts, tree: Workspace) -> Iterator[str]:
    """What a command names and is not there yet: its redirects' targets, and words that may be paths."""
    for one in facts.touched:
        path = one.path.normal
        is_name = one.how is How.HANDLE and path and not one.path.fault
        if is_name and mode_at(tree, path) is None and not tree.is_folder(path):
            yield path


def _with_folders(path: str) -> Iterator[str]:
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


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


_ID: Final = re.compile(r"dry-[0-9a-f]{12}")
# Shorter values, such as a 0 or a 1, stand everywhere.
_LEAST: Final = 2
_TELLING: Final = 6
