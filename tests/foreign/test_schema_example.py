"""One value for a schema: it fits, it is always the same, and where there is none that is said."""

from typing import Any

import jsonschema
import pytest

from bot.foreign.schema_example import NoExample, example_of

NAME = "dry-1f00ba5e0815"

SCHEMAS: dict[str, Any] = {
    "anything": True,
    "no words at all": {},
    "text": {"type": "string"},
    "a long text": {"type": "string", "minLength": 40},
    "a short text": {"type": "string", "maxLength": 3},
    "a moment": {"type": "string", "format": "date-time"},
    "an address": {"type": "string", "format": "uri"},
    "a name out of several": {"enum": ["b", "a"]},
    "one value": {"const": 7},
    "what it says itself": {"type": "integer", "default": 3},
    "a whole number": {"type": "integer", "minimum": 5},
    "above a number": {"type": "integer", "exclusiveMinimum": 5},
    "a number below": {"type": "number", "maximum": -2},
    "a multiple": {"type": "integer", "minimum": 7, "multipleOf": 5},
    "a list": {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    "an empty list": {"type": "array", "maxItems": 0},
    "an object": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "open": {"type": "boolean"}},
        "required": ["id", "also"],
    },
    "several kinds": {"type": ["null", "string"]},
    "one of": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
    "all of": {
        "allOf": [
            {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b"]},
        ]
    },
    "a part of itself": {
        "$defs": {"id": {"type": "string"}},
        "type": "object",
        "properties": {"id": {"$ref": "#/$defs/id"}},
    },
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_the_example_fits_and_comes_out_the_same_again(schema: Any) -> None:
    example = example_of(schema, name=NAME)
    jsonschema.validate(example, schema)
    assert example_of(schema, name=NAME) == example


def test_free_text_is_the_action_s_name_so_that_it_is_known_again() -> None:
    made = example_of({"type": "object", "properties": {"id": {"type": "string"}}}, name=NAME)
    assert made == {"id": NAME}


NONE: dict[str, tuple[Any, str]] = {
    "nothing fits": (False, "fits nothing"),
    "it leads to itself": ({"$ref": "#"}, "leads to itself"),
    "an endless list": ({"type": "array", "items": {"$ref": "#"}}, "leads to itself"),
    "somewhere else": ({"$ref": "https://example.org/schema.json"}, "elsewhere"),
    "nowhere": ({"$ref": "#/$defs/gone"}, "not there"),
    "an unknown type": ({"type": "colour"}, "not known"),
    "a choice of nothing": ({"oneOf": []}, "choice of nothing"),
}


@pytest.mark.parametrize(("schema", "why"), NONE.values(), ids=NONE)
def test_where_there_is_none_the_reason_is_said(schema: Any, why: str) -> None:
    with pytest.raises(NoExample, match=why):
        example_of(schema, name=NAME)


EXACT: dict[str, tuple[Any, Any]] = {
    "a text": ({"type": "string"}, NAME),
    "a short text": ({"type": "string", "maxLength": 5}, "dry-1"),
    "a long text": ({"type": "string", "minLength": 18}, NAME + "--"),
    "a moment": ({"type": "string", "format": "date-time"}, "1970-01-01T00:00:00Z"),
    "an address": ({"type": "string", "format": "uri"}, f"https://dry-run.invalid/{NAME}"),
    "a uuid": ({"type": "string", "format": "uuid"}, "00000000-0000-4000-8000-1f00ba5e0815"),
    "a number": ({"type": "number"}, 0),
    "a whole number": ({"type": "integer", "minimum": 3}, 3),
    "more than": ({"type": "integer", "exclusiveMinimum": 3}, 4),
    "a multiple": ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
    "less than nothing": ({"type": "integer", "maximum": -2}, -2),
    "a truth": ({"type": "boolean"}, False),
    "nothing": ({"type": "null"}, None),
    "one of several kinds": ({"type": ["string", "null"]}, NAME),
    "a list": ({"type": "array", "items": {"type": "integer"}}, [0]),
    "a longer list": ({"type": "array", "minItems": 2, "items": {"type": "string"}}, [NAME, NAME]),
    "an empty list": ({"type": "array", "maxItems": 0}, []),
    "an object": (
        {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}},
        {"id": NAME, "n": 0},
    ),
    "an object that only requires": ({"type": "object", "required": ["x"]}, {"x": NAME}),
    "an object without saying so": ({"properties": {"id": {"type": "string"}}}, {"id": NAME}),
    "a constant": ({"const": {"a": [1]}}, {"a": [1]}),
    "a choice of words": ({"enum": ["open", "closed"]}, "open"),
    "an example of its own": ({"type": "string", "pattern": "^T-", "examples": ["T-1"]}, "T-1"),
    "a default": ({"type": "integer", "default": 7}, 7),
    "anything": ({}, NAME),
    "anything at all": (True, NAME),
    "a reference": (
        {"$defs": {"T": {"type": "integer"}}, "type": "object", "properties": {"n": {"$ref": "#/$defs/T"}}},
        {"n": 0},
    ),
    "a reference with slashes": (
        {"$defs": {"a/b": {"type": "null"}}, "$ref": "#/$defs/a~1b"},
        None,
    ),
    "either": ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, 0),
    "one of": ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": NAME}),
    "all of": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}},
                {"properties": {"b": {"type": "null"}}, "required": ["b"]},
            ]
        },
        {"a": 0, "b": None},
    ),
}


@pytest.mark.parametrize(("schema", "expected"), EXACT.values(), ids=EXACT)
def test_an_example_is_the_plainest_value_that_fits(schema: Any, expected: Any) -> None:
    made = example_of(schema, name=NAME)
    assert made == expected
    assert type(made) is type(expected)
    jsonschema.Draft202012Validator(schema).validate(made)


def test_another_call_gets_another_example() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}
    assert example_of(schema, name=NAME) != example_of(schema, name="dry-000000000001")
