"""What pydantic found wrong with a config -> a BadConfig that says where, what is wrong and what to write instead."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from bot.errors import BadConfig
from bot.yaml_tree import Keys, YamlTree


def told(error: ValidationError, tree: YamlTree) -> BadConfig:
    """The first mistake in the order of the file."""
    problems = error.errors(include_url=False)
    places = [(tree.place(_keys(problem, tree)), number) for number, problem in enumerate(problems)]
    _, first = min(places, key=lambda found: (found[0].line, found[0].column, found[1]))
    problem = problems[first]
    keys = _keys(problem, tree)
    name = ".".join(str(key) for key in keys) or "the file"
    what, next_step = _said(problem, keys, error)
    return tree.bad(keys, f"{name}: {what}", next_step=next_step)


def _keys(problem: Any, tree: YamlTree) -> Keys:
    """pydantic's location without its own words for keys and for the members of a union."""
    keys: Keys = ()
    for part in problem["loc"]:
        if (*keys, part) in tree.places:
            keys = (*keys, part)
    if problem["type"] == "missing":
        return keys
    return keys


def _said(problem: Any, keys: Keys, error: ValidationError) -> tuple[str, str]:
    given = _shown(problem.get("input"))
    context: Mapping[str, Any] = problem.get("ctx", {})
    match problem["type"]:
        case "extra_forbidden":
            return "there is no such key", _nearest(problem, error)
        case "missing":
            return f"{problem['loc'][-1]} is missing", f"add {problem['loc'][-1]}: and its value"
        case "enum" | "literal_error":
            return f"{given} is not a value it can have", f"write one of {context.get('expected', '')}"
        case "value_error":
            return str(context.get("error", problem["msg"])), "see docs/policy.md"
        case kind:
            what = _TYPES.get(kind)
            if what is None:
                return f"{given}: {problem['msg'][:1].lower()}{problem['msg'][1:]}", "see docs/policy.md"
            return f"{given} is not {what}", f"write {what}"


def _nearest(problem: Any, error: ValidationError) -> str:
    return "remove it, or see docs/policy.md for the known keys"


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
    "string_type": "a text; put it in quotes",
    "tuple_type": "a list",
    "dict_type": "a mapping of keys",
    "mapping_type": "a mapping of keys",
    "model_type": "a mapping of keys",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
}
