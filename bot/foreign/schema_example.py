"""A JSON Schema -> one value that fits it, always the same. Pure.

For rehearsing a tool that nobody may run: what it would answer, in shape and not in content.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.action import Json

_MOST_LEVELS: Final = 32
_FORMATS: Final = {
    "date-time": "1970-01-01T00:00:00Z",
    "date": "1970-01-01",
    "time": "00:00:00Z",
    "email": "{name}@dry-run.invalid",
    "uri": "https://dry-run.invalid/{name}",
    "url": "https://dry-run.invalid/{name}",
    "uuid": "00000000-0000-4000-8000-{digits}",
}


class NoExample(ValueError):
    """Why none can be made, as the end of a sentence."""


def example_of(schema: object, *, name: str) -> Json:
    """`name` is an id such as `dry-1f00ba5e0815`; every free text is it, so that it is known again."""
    return _Maker(schema, name=name).made(schema, level=0)


class _Maker:
    def __init__(self, whole: object, *, name: str) -> None:
        self._whole: Final = whole
        self._name: Final = name

    def made(self, schema: object, *, level: int) -> Json:
        if level > _MOST_LEVELS:
            raise NoExample("it leads to itself, or is nested too deeply")
        if schema is True or schema == {}:
            return self._name
        if not isinstance(schema, Mapping):
            raise NoExample("a part of it fits nothing")
        if said := _said(schema):
            return said[0]
        if isinstance(reference := schema.get("$ref"), str):
            return self.made(self._referred(reference), level=level + 1)
        for key in ("oneOf", "anyOf"):
            if isinstance(schema.get(key), list):
                return self._first(schema, schema[key], level=level)
        if isinstance(schema.get("allOf"), list):
            return self.made(_merged([_without(schema, "allOf"), *schema["allOf"]]), level=level + 1)
        return self._of_kind(schema, level=level)

    def _of_kind(self, schema: Mapping[str, Any], *, level: int) -> Json:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        match kind:
            case "object":
                return self._object(schema, level=level)
            case "array":
                most = schema.get("minItems", 1)
                count = most if isinstance(most, int) and 0 <= most <= 20 else 1
                count = min(count, schema.get("maxItems", count))
                return [self.made(schema.get("items", True), level=level + 1) for _ in range(count)]
            case "string":
                return self._text(schema)
            case "integer" | "number":
                return _number(schema, is_whole=kind == "integer")
            case "boolean":
                return False
            case "null":
                return None
            case _:
                raise NoExample(f"the type {kind!r} is not known")

    def _object(self, schema: Mapping[str, Any], *, level: int) -> Json:
        properties = schema.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        required = schema.get("required")
        names = [*known, *(name for name in required or [] if name not in known)]
        return {name: self.made(known.get(name, True), level=level + 1) for name in names}

    def _first(self, schema: Mapping[str, Any], choices: Sequence[object], *, level: int) -> Json:
        rest = _without(_without(schema, "oneOf"), "anyOf")
        if not choices or not isinstance(choices[0], Mapping):
            raise NoExample("it offers a choice of nothing")
        return self.made(_merged([rest, choices[0]]), level=level + 1)

    def _text(self, schema: Mapping[str, Any]) -> str:
        digits = self._name.removeprefix("dry-").ljust(12, "0")[:12]
        spelled = _FORMATS.get(str(schema.get("format")), "{name}")
        text = spelled.format(name=self._name, digits=digits)
        least, most = schema.get("minLength"), schema.get("maxLength")
        text = text.ljust(least, "-") if isinstance(least, int) else text
        return text[:most] if isinstance(most, int) else text

    def _referred(self, reference: str) -> object:
        """Inside the schema alone: nothing is fetched from anywhere."""
        if not reference.startswith("#"):
            raise NoExample(f"it refers to {reference!r}, which is elsewhere")
        found = self._whole
        for part in filter(None, reference[1:].split("/")):
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or key not in found:
                raise NoExample(f"it refers to {reference!r}, which is not there")
            found = found[key]
        return found


def _said(schema: Mapping[str, Any]) -> Sequence[Json]:
    """The values that it names itself, the best one first."""
    for key in ("const", "default"):
        if key in schema:
            return [schema[key]]
    for key in ("enum", "examples"):
        if isinstance(schema.get(key), list) and schema[key]:
            return list(schema[key])
    return []


def _number(schema: Mapping[str, Any], *, is_whole: bool) -> int | float:
    least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    most = schema.get("maximum", schema.get("exclusiveMaximum"))
    number = least if isinstance(least, int | float) and least > 0 else 0
    if "exclusiveMinimum" in schema and number == schema["exclusiveMinimum"]:
        number += 1
    if isinstance(most, int | float) and number > most:
        number = most
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        number = -(-number // step) * step
    return int(number) if is_whole else number


def _merged(schemas: Sequence[object]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for schema in schemas:
        for key, value in schema.items() if isinstance(schema, Mapping) else ():
            both = merged.get(key)
            if key == "properties" and isinstance(both, Mapping) and isinstance(value, Mapping):
                merged[key] = {**both, **value}
            elif key == "required" and isinstance(both, list) and isinstance(value, list):
                merged[key] = [*both, *value]
            else:
                merged[key] = value
    return merged


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}
