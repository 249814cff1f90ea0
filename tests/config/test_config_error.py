import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.config import Config, read_config
from bot.config.config_error import told
from bot.config.yaml_tree import read_yaml
from bot.errors import BadConfig
from bot.render.sentence import translated


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    colour: str = ""


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    inner: Inner = Inner()
    named: dict[str, Inner] = {}
    several: tuple[Inner, ...] = ()
    maybe: Inner | None = None
    number: int = 0


NEAREST = {
    "iner: {}": "did you mean inner?",
    "inner: {color: x}": "did you mean colour?",
    "named: {a: {colr: x}}": "did you mean colour?",
    "several: [{}, {colur: x}]": "did you mean colour?",
    "maybe: {coloor: x}": "did you mean colour?",
    "inner: {zzz: x}": "write one of colour, or remove it",
}


@pytest.mark.parametrize(("text", "advice"), NEAREST.items())
def test_an_unknown_key_is_told_the_nearest_known_one(text: str, advice: str) -> None:
    tree = read_yaml(text.encode(), file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    assert told(raised.value, tree, model=Outer).next_step == advice


def test_of_several_mistakes_the_one_further_up_is_told() -> None:
    tree = read_yaml(b"several: [{colour: 1}]\nnumber: x\ninner: 3\n", file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    error = told(raised.value, tree, model=Outer)
    assert error.what == "f line 1 column 12: several.0.colour: 1 is not a text, in quotes if need be"


def test_a_long_value_is_cut() -> None:
    tree = read_yaml(b"inner: " + b"x" * 500, file="f")
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(tree.value)
    assert len(told(raised.value, tree, model=Outer).what) < 150


# By the node of pydantic's core schema: what can be wrong with a value there.
GIVES = {
    "any": set(),
    "bool": {"bool_type"},
    "decimal": {"decimal_type", "decimal_parsing", "finite_number"},
    "default": set(),
    "definition-ref": set(),
    "definitions": set(),
    "dict": {"dict_type"},
    "enum": {"enum"},
    "function-after": {"value_error"},
    "int": {"int_type"},
    "literal": {"literal_error"},
    "model": {"model_type"},
    "model-field": {"missing"},
    "model-fields": {"extra_forbidden"},
    "no-info": set(),
    "nullable": set(),
    "str": {"string_type", "string_unicode"},
    "tuple": {"tuple_type"},
}
BOUNDS = {
    "ge": {"greater_than_equal"},
    "gt": {"greater_than"},
    "le": {"less_than_equal"},
    "lt": {"less_than"},
    "pattern": {"string_pattern_mismatch"},
    "max_length": {"string_too_long", "too_long"},
    "min_length": {"string_too_short", "too_short"},
}
WRONG = {
    "bool_type": "ad_hoc_tasks: maybe",
    "decimal_type": "limits: {usd: []}",
    "decimal_parsing": "limits: {usd: much}",
    "finite_number": "limits: {usd: NaN}",
    "dict_type": "tasks: []",
    "enum": "policy: {defaults: {read: maybe}}",
    "value_error": "mcp: {a: {tools: {b: {kind: write}}, command: [x]}}",
    "int_type": "limits: {steps: many}",
    "literal_error": "language: fr",
    "model_type": "policy: 5",
    "missing": "tasks: {a: {}}",
    "extra_forbidden": "modle: x",
    "string_type": "model: {name: 5}",
    "string_unicode": 'model: {name: "\\ud800"}',
    "tuple_type": "policy: {hosts: 5}",
    "greater_than_equal": "limits: {steps: 0}",
    "greater_than": "limits: {usd: 0}",
    "less_than_equal": "limits: {steps: 5000}",
    "less_than": "chaos: {seed: 9007199254740992}",
    "string_pattern_mismatch": "command_prefix: A B",
    "string_too_long": f"model: {{name: {'x' * 501}}}",
    "too_long": f"policy: {{commands: {{allow: [{{argv: [a], match: [{'a, ' * 21}]}}]}}}}",
    "string_too_short": 'model: {name: ""}',
    "too_short": "policy: {commands: {allow: [{argv: []}]}}",
}
SPANISH = re.compile(r"\b(?:no|empieza|falta|debe|tiene|está|una|existe)\b")
ENGLISH = re.compile(r"\b(?:is|the|not|should|it|has|than|of|must|be|write|an|or|and|needs)\b")


def _nodes(schema: object) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield schema
        for key, value in schema.items():
            if key not in {"metadata", "serialization"}:
                yield from _nodes(value)
    elif isinstance(schema, list | tuple):
        for value in schema:
            yield from _nodes(value)


def test_every_kind_of_mistake_that_a_config_can_have_is_known() -> None:
    Config.model_rebuild()
    kinds: set[str] = set()
    for node in _nodes(Config.__pydantic_core_schema__):
        kinds |= GIVES[node["type"]]
        kinds |= {kind for bound, those in BOUNDS.items() if bound in node for kind in those}
    assert kinds == set(WRONG)


@pytest.mark.parametrize(("kind", "text"), WRONG.items(), ids=WRONG)
def test_a_mistake_is_told_in_the_readers_language(kind: str, text: str) -> None:
    tree = read_yaml(text.encode(), file="f")
    with pytest.raises(ValidationError) as raised:
        Config.model_validate(tree.value)
    assert kind in {problem["type"] for problem in raised.value.errors()}
    with pytest.raises(BadConfig) as caught:
        read_config(text.encode(), file="f")
    _is_spanish(caught.value, but_for=text)


# Every way in which a pattern of paths can be wrong.
@pytest.mark.parametrize("pattern", ["[a--b]", "a/**/", "#a", "[b-a]", "~/a"])
def test_what_is_wrong_with_a_pattern_is_told_in_the_readers_language(pattern: str) -> None:
    text = f"policy: {{paths: {{deny: [{pattern!r}]}}}}"
    with pytest.raises(BadConfig) as caught:
        read_config(text.encode(), file="f")
    _is_spanish(caught.value, but_for=text)


def _is_spanish(error: BadConfig, *, but_for: str) -> None:
    own = set(re.findall(r"\w+", but_for))
    what, next_step = (translated(said, "es") for said in (error.what, error.next_step))
    assert SPANISH.search(what)
    assert set(ENGLISH.findall(what)) - own == set()
    assert set(ENGLISH.findall(next_step)) - own == set()
    assert next_step != error.next_step


@pytest.mark.parametrize(
    ("text", "language"),
    [("language: es\nmodle: x", "es"), ("language: fr", None), ("- es", None), ("language: [es]", None)],
)
def test_a_config_that_can_not_be_used_still_says_in_which_language(text: str, language: str | None) -> None:
    with pytest.raises(BadConfig) as caught:
        read_config(text.encode(), file="f")
    assert caught.value.language == language
