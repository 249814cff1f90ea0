"""A GraphQL document, read and answered over plain dictionaries.

As much of the language as clients of GitHub write. Types are what `__typename` in a dictionary says;
a callable field gets its arguments. A field that is not there is GitHub's own error, and no data; one that
can't be answered is null, its error says where it stands, and all others are answered.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from bot.dataclass import dataclass

Node: TypeAlias = Mapping[str, Any]

_TOKEN = re.compile(
    r'(?P<skip>[\s,\ufeff]+|\#[^\n]*)|(?P<block>"""(?:[^"\\]|\\.|"(?!""))*""")|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<mark>\.\.\.|[!$()\[\]{}:=@|&])"
)
_WORDS = {"true": True, "false": False, "null": None}


class BadQuery(Exception):
    """Carries one error in GitHub's GraphQL shape."""

    def __init__(self, message: str, **more: object) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {"message": message, "locations": [{"line": 1, "column": 1}], **more}


class FieldFailed(Exception):
    """Raised by a callable field; `kind` is what GitHub calls the error's type."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def told(self, path: Sequence[str]) -> dict[str, Any]:
        where = {"path": list(path), "locations": [{"line": 1, "column": 1}]}
        return {"type": self.kind, **where, "message": str(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """`data` as far as there is some, `errors` of the fields that are null for them."""

    data: Mapping[str, Any]
    errors: Sequence[Mapping[str, Any]]

    @property
    def body(self) -> dict[str, Any]:
        return {"data": self.data} | ({"errors": self.errors} if self.errors else {})


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A field; or, with `only_on`, a fragment whose fields count for that type only."""

    name: str = ""
    alias: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    selections: "tuple[Selection, ...]" = ()
    only_on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    kind: str
    selections: tuple[Selection, ...]
    defaults: Mapping[str, Any]


def read_query(text: str) -> Operation:
    """The only operation of a document."""
    reader = _Reader(list(_tokens(text)))
    operations = []
    while reader.peek():
        operations.append(reader.operation())
    if len(operations) != 1:
        raise BadQuery("An operation name is required")
    return operations[0]


def answered(operation: Operation, root: Node, variables: Mapping[str, Any]) -> Answered:
    """Field after field, in their order. Raises BadQuery for a field that is not there."""
    walk = _Walk(variables=dict(operation.defaults) | dict(variables))
    return Answered(data=walk.selected(root, operation.selections, ()), errors=walk.errors)


@dataclass(slots=True, kw_only=True)
class _Walk:
    variables: Mapping[str, Any]
    errors: list[Mapping[str, Any]] = field(default_factory=list)

    def selected(self, node: Node, selections: Sequence[Selection], path: tuple[str, ...]) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for one in selections:
            if one.only_on is not None:
                if one.only_on in (node["__typename"], *node.get("__interfaces", ())):
                    told |= self.selected(node, one.selections, path)
                continue
            if one.name not in node or one.name == "__interfaces":
                raise _undefined(node, one.name)
            told[one.alias] = self._value(node[one.name], one, (*path, one.alias))
        return told

    def _value(self, value: object, one: Selection, path: tuple[str, ...]) -> object:
        if callable(value):
            given = {name: _filled(what, self.variables) for name, what in one.arguments.items()}
            try:
                return self._deeper(value(given), one, path)
            except FieldFailed as failed:
                self.errors.append(failed.told(path))
                return None
        return self._deeper(value, one, path)

    def _deeper(self, value: object, one: Selection, path: tuple[str, ...]) -> object:
        if isinstance(value, list):
            return [self._deeper(item, one, path) for item in value]
        if isinstance(value, Mapping):
            if not one.selections:
                raise BadQuery(
                    f"Field must have selections (field '{one.name}' returns {value['__typename']})"
                )
            return self.selected(value, one.selections, path)
        return value


def _undefined(node: Node, name: str) -> BadQuery:
    kind = node["__typename"]
    return BadQuery(
        f"Field '{name}' doesn't exist on type '{kind}'",
        path=["query", name],
        extensions={"code": "undefinedField", "typeName": kind, "fieldName": name},
    )


def _filled(given: object, variables: Mapping[str, Any]) -> object:
    if isinstance(given, Variable):
        return variables.get(given.name)
    if isinstance(given, list):
        return [_filled(item, variables) for item in given]
    if isinstance(given, dict):
        return {name: _filled(item, variables) for name, item in given.items()}
    return given


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise BadQuery(f"Parse error on {text[at : at + 1]!r}")
        at = found.end()
        if found.lastgroup != "skip":
            yield str(found.lastgroup), found.group()


@dataclass(slots=True)
class _Reader:
    tokens: list[tuple[str, str]]
    at: int = 0

    def peek(self, ahead: int = 0) -> str:
        where = self.at + ahead
        return self.tokens[where][1] if where < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        text = self.peek()
        if not text or (expected is not None and text != expected):
            raise BadQuery(f"Parse error on {text!r}, expected {expected or 'more'!r}")
        self.at += 1
        return text

    def operation(self) -> Operation:
        kind, defaults = "query", {}
        if self.peek() != "{":
            kind = self.take()
            if kind not in ("query", "mutation"):
                raise BadQuery(f"Parse error on {kind!r}")
            if self.peek() not in ("{", "("):
                self.take()
            defaults = self.variables()
        return Operation(kind=kind, selections=self.selections(), defaults=defaults)

    def variables(self) -> dict[str, Any]:
        defaults: dict[str, Any] = {}
        if self.peek() != "(":
            return defaults
        self.take("(")
        while self.peek() != ")":
            self.take("$")
            name = self.take()
            self.take(":")
            while self.peek() not in (")", "$", "=", ""):
                self.take()
            if self.peek() == "=":
                self.take("=")
                defaults[name] = self.value()
        self.take(")")
        return defaults

    def selections(self) -> tuple[Selection, ...]:
        self.take("{")
        found = []
        while self.peek() != "}":
            found.append(self.fragment() if self.peek() == "..." else self.field())
        self.take("}")
        return tuple(found)

    def fragment(self) -> Selection:
        self.take("...")
        self.take("on")
        return Selection(only_on=self.take(), selections=self.selections())

    def field(self) -> Selection:
        alias = name = self.take()
        if self.peek() == ":":
            self.take(":")
            name = self.take()
        arguments = {}
        if self.peek() == "(":
            self.take("(")
            while self.peek() != ")":
                key = self.take()
                self.take(":")
                arguments[key] = self.value()
            self.take(")")
        selections = self.selections() if self.peek() == "{" else ()
        return Selection(name=name, alias=alias, arguments=arguments, selections=selections)

    def value(self) -> object:
        kind = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
        text = self.take()
        if text == "$":
            return Variable(self.take())
        if text == "[":
            return list(self._until("]", self.value))
        if text == "{":
            return dict(self._until("}", self._pair))
        if kind == "block":
            return text[3:-3]
        if kind in ("text", "number"):
            return json.loads(text)
        return _WORDS.get(text, text)

    def _pair(self) -> tuple[str, Any]:
        name = self.take()
        self.take(":")
        return name, self.value()

    def _until(self, end: str, item: Callable[[], Any]) -> Iterator[Any]:
        while self.peek() != end:
            yield item()
        self.take(end)
