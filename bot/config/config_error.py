"""What pydantic found wrong with a config -> a BadConfig: where, what is wrong, what to write instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, get_args

from pydantic import BaseModel, ValidationError

from bot.config.yaml_tree import Keys, YamlTree
from bot.errors import BadConfig
from bot.sentence import Sentence

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_VALUE: Final = re.compile(r"'[^']*'|\d+")
_SEE: Final = Sentence("see docs/policy.md for the keys and their values")


def told(error: ValidationError, tree: YamlTree, *, model: type[BaseModel]) -> BadConfig:
    """The first mistake in the order of the file."""
    problems = [(problem, _keys(problem, tree)) for problem in error.errors(include_url=False)]
    problem, keys = min(
        problems, key=lambda found: (tree.place(found[1]).line, tree.place(found[1]).column, found[1] == ())
    )
    what, next_step = _said(problem, keys, model)
    name = ".".join(map(str, keys))
    if name:
        what = Sentence("%(where)s: %(what)s", where=name, what=what)
    return tree.bad(keys, what, next_step=next_step)


def _keys(problem: "ErrorDetails", tree: YamlTree) -> Keys:
    """Its location in the file: without pydantic's own words for keys and for the members of a union."""
    keys: Keys = ()
    for part in problem["loc"]:
        if (*keys, part) in tree.places:
            keys = (*keys, part)
    return keys


def _said(problem: "ErrorDetails", keys: Keys, model: type[BaseModel]) -> tuple[Sentence, Sentence]:
    given, context = _shown(problem["input"]), problem.get("ctx", {})
    last = problem["loc"][-1] if problem["loc"] else ""
    match problem["type"]:
        case "extra_forbidden":
            said = Sentence("there is no such key"), _nearest(keys, model)
        case "missing":
            said = (
                Sentence("the key %(last)s is missing", last=last),
                Sentence("add %(last)s: and its value", last=last),
            )
        case "enum" | "literal_error":
            said = Sentence("%(given)s is none of its values", given=given), _one_of(context)
        case "value_error":
            said = _whole(context["error"].args[0]), _SEE
        case "too_long" | "string_too_long":
            most = context.get("max_length")
            said = (
                Sentence("it has more than %(most)s entries or characters", most=most),
                Sentence("keep to %(most)s", most=most),
            )
        case "too_short" | "string_too_short":
            said = Sentence("it is empty"), Sentence("write something, or leave the key out")
        case "string_pattern_mismatch":
            said = (
                Sentence("%(given)s has not the right form", given=given),
                Sentence("write a text of the form %(pattern)s", pattern=context.get("pattern", "")),
            )
        case kind if kind in _TYPES:
            wanted = _TYPES[kind]
            said = (
                Sentence("%(given)s is not %(wanted)s", given=given, wanted=wanted),
                Sentence("write %(wanted)s", wanted=wanted),
            )
        case kind if kind in _BOUNDS:
            said = Sentence(_BOUNDS[kind], given=given, **context), _SEE
        case _:
            # None that a test knows of: a newer pydantic's, in its own words.
            said = Sentence("%(given)s: %(message)s", given=given, message=problem["msg"]), _SEE
    return said


def _one_of(context: Mapping[str, object]) -> Sentence:
    """From pydantic's list of them: `'a', 'b' or 'c'`, with an enum's own names before them."""
    *others, last = _VALUE.findall(str(context.get("expected", "")))
    if not others:
        return Sentence("write %(wanted)s", wanted=last)
    return Sentence("write %(others)s or %(last)s", others=", ".join(others), last=last)


def _whole(said: object) -> Sentence:
    return said if isinstance(said, Sentence) else Sentence(str(said))


def _nearest(keys: Keys, model: type[BaseModel]) -> Sentence:
    known = sorted({name for one in _models_at(keys[:-1], model) for name in one.model_fields})
    close = get_close_matches(str(keys[-1]), known, n=1) if keys else []
    if close:
        return Sentence("did you mean %(close)s?", close=close[0])
    return Sentence("write one of %(known)s, or remove it", known=", ".join(known)) if known else _SEE


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
            return Sentence("nothing")
        case bool():
            return str(value).lower()
        case str():
            return repr(value if len(value) <= 60 else f"{value[:60]}…")
        case Mapping():
            return Sentence("a mapping")
        case Sequence():
            return Sentence("a list")
        case _:
            return str(value)


_LIST: Final = Sentence("a list, as in [first, second]")
_MAPPING: Final = Sentence("a mapping of keys")
_NUMBER: Final = Sentence("a number")
_TYPES: Final = {
    "bool_type": Sentence("true or false"),
    "int_type": Sentence("a whole number"),
    "string_type": Sentence("a text, in quotes if need be"),
    "string_unicode": Sentence("a text that can be saved as UTF-8"),
    "tuple_type": _LIST,
    "dict_type": _MAPPING,
    "mapping_type": _MAPPING,
    "model_type": _MAPPING,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "finite_number": _NUMBER,
}
# Each names its bound as pydantic does.
_BOUNDS: Final = {
    "greater_than": Sentence("%(given)s should be greater than %(gt)s"),
    "greater_than_equal": Sentence("%(given)s should be greater than or equal to %(ge)s"),
    "less_than": Sentence("%(given)s should be less than %(lt)s"),
    "less_than_equal": Sentence("%(given)s should be less than or equal to %(le)s"),
}
