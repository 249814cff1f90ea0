from typing import Any

import jsonschema
import pytest

from bot.schema_example import NoExample, example_of

NAME = "dry-1f00ba5e0815"

CASES: dict[str, tuple[Any, Any]] = {
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


@pytest.mark.parametrize(("schema", "expected"), CASES.values(), ids=CASES)
def test_a_schema_has_one_example_that_fits_it(schema: Any, expected: Any) -> None:
    made = example_of(schema, name=NAME)
    assert made == expected
    assert type(made) is type(expected)
    jsonschema.Draft202012Validator(schema).validate(made)


NONE = {
    "what fits nothing": ({"type": "object", "properties": {"x": False}}, "fits nothing"),
    "a schema elsewhere": ({"$ref": "https://evil.example/x.json"}, "elsewhere"),
    "a file": ({"$ref": "file:///etc/passwd"}, "elsewhere"),
    "a part that is not there": ({"$ref": "#/$defs/T"}, "not there"),
    "a circle": (
        {"$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}}}, "$ref": "#/$defs/T"},
        "leads to itself",
    ),
    "a bare circle": ({"$ref": "#"}, "leads to itself"),
    "a kind that is none": ({"type": "thing"}, "not known"),
    "a choice of nothing": ({"anyOf": []}, "choice of nothing"),
}


@pytest.mark.parametrize(("schema", "why"), NONE.values(), ids=NONE)
def test_a_schema_without_example_says_why(schema: Any, why: str) -> None:
    with pytest.raises(NoExample, match=why):
        example_of(schema, name=NAME)


def test_the_same_call_gets_the_same_example_and_another_call_another() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}
    assert example_of(schema, name=NAME) == example_of(schema, name=NAME)
    assert example_of(schema, name=NAME) != example_of(schema, name="dry-000000000001")
