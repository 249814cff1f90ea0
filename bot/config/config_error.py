"""What pydantic found wrong with a config -> a BadConfig: where, what is wrong, what to write instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, get_args

from pydantic import BaseModel, ValidationError

from bot.config.yaml_tree import Keys, YamlTree
from bot.errors import BadConfig

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_ENUM: Final = re.compile(r"<[^:>]*: ('[^']*')>")
_SEE: Final = "see docs/policy.md for the keys and their values"


def told(error: ValidationError, tree: YamlTree, *, model: type[BaseModel]) -> BadConfig:
    """The first mistake in the order of the file."""
    problems = [(problem, _keys(problem, tree)) for problem in error.errors(include_url=False)]
    problem, keys = min(
        problems, key=lambda found: (tree.place(found[1]).line, tree.place(found[1]).column, found[1] == ())
    )
    what, next_step = _said(problem, keys, model)
    name = ".".join(map(str, keys))
    return tree.bad(keys, f"{name}: {what}" if name else what, next_step=next_step)


def _keys(problem: "ErrorDetails", tree: YamlTree) -> Keys:
    """Its location in the file: without pydantic's own words for keys and for the members of a union."""
    keys: Keys = ()
    for part in problem["loc"]:
        if (*keys, part) in tree.places:
            keys = (*keys, part)
    return keys


def _said(problem: "ErrorDetails", keys: Keys, model: type[BaseModel]) -> tuple[str, str]:
    given, context = _shown(problem["input"]), problem.get("ctx", {})
    last = problem["loc"][-1] if problem["loc"] else ""
    match problem["type"]:
        case "extra_forbidden":
            said = "there is no such key", _nearest(keys, model)
        case "missing":
            said = f"the key {last} is missing", f"add {last}: and its value"
        case "enum" | "literal_error":
            values = _ENUM.sub(r"\1", context.get("expected", ""))
            said = f"{given} is none of its values", f"write {values}"
        case "value_error":
            said = str(context.get("error", problem["msg"])), _SEE
        case "too_long" | "string_too_long":
            most = context.get("max_length")
            said = f"it has more than {most} entries or characters", f"keep to {most}"
        case "too_short" | "string_too_short":
            said = "it is empty", "write something, or leave the key out"
        case "string_pattern_mismatch":
            said = f"{given} has not the right form", f"write a text of the form {context.get('pattern', '')}"
        case kind if kind in _TYPES:
            said = f"{given} is not {_TYPES[kind]}", f"write {_TYPES[kind]}"
        case _:
            message = problem["msg"].removeprefix("Input ").removeprefix("Value error, ")
            said = f"{given} {message}" if message.startswith("should") else f"{given}: {message}", _SEE
    return said


def _nearest(keys: Keys, model: type[BaseModel]) -> str:
    known = sorted({name for one in _models_at(keys[:-1], model) for name in one.model_fields})
    close = get_close_matches(str(keys[-1]), known, n=1) if keys else []
    if close:
        return f"did you mean {close[0]}?"
    return f"write one of {', '.join(known)}, or remove it" if known else _SEE


def _models_at(keys: Keys, model: type[BaseModel]) -> Sequence[type[BaseModel]]:
    """The models that a place in the file is read as."""
    found: Sequence[type[BaseModel]] = (model,)
    for key in keys:
        fields = [one.model_fields[key] for one in found if isinstance(key, str) and key in one.model_fields]
        # A key that is no field's is a name that the maintainer gave, or a place in a list.
        found = [inner for field in fields for inner in _inside(field.annotation)] or found
    return found


def _inside(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _inside(part)


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return repr(value if len(value) <= 60 else f"{value[:60]}…")
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case _:
            return str(value)


_TYPES: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "string_type": "a text, in quotes if need be",
    "tuple_type": "a list, as in [first, second]",
    "dict_type": "a mapping of keys",
    "mapping_type": "a mapping of keys",
    "model_type": "a mapping of keys",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
}
