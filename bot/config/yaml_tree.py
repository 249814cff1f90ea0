"""YAML bytes -> plain values and the place of each: the subset that can't surprise, or a BadConfig.

Words are words: only `true` and `false` are booleans (YAML 1.2), so `on:` and `no` mean what they say.
Anchors, tags, several documents, duplicate keys and files too large or too deep are refused.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from bot.dataclass import dataclass
from bot.errors import BadConfig
from bot.sentence import Sentence

if TYPE_CHECKING:
    import yaml

Value: TypeAlias = "str | int | bool | Decimal | list[Value] | dict[str, Value] | None"
Keys: TypeAlias = tuple[str | int, ...]

_MOST_BYTES: Final = 262_144
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Both count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlTree:
    """`places` has every value under its keys, the root under (); in a mapping it is the key's place."""

    file: str
    value: Value
    places: Mapping[Keys, Place]

    def place(self, keys: Keys) -> Place:
        """Of the value, or of the nearest one around it that the file has."""
        while keys and keys not in self.places:
            keys = keys[:-1]
        return self.places.get(keys, Place(line=1, column=1))

    def bad(self, keys: Keys, what: Sentence, *, next_step: Sentence) -> BadConfig:
        return _bad(self.file, self.place(keys), what, next_step=next_step)


def read_yaml(text: bytes, *, file: str) -> YamlTree:
    """Raises BadConfig, and nothing else, whatever the bytes."""
    start = Place(line=1, column=1)
    if len(text) > _MOST_BYTES:
        raise _bad(
            file,
            start,
            Sentence("it has %(number)s bytes", number=f"{len(text):,}"),
            next_step=Sentence("keep it under %(most)s bytes", most=f"{_MOST_BYTES:,}"),
        )
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = text[: error.start]
        place = Place(line=before.count(b"\n") + 1, column=error.start - before.rfind(b"\n"))
        raise _bad(
            file, place, Sentence("it is not UTF-8"), next_step=Sentence("save the file as UTF-8")
        ) from error
    return _Builder(file).tree(decoded)


def _bad(file: str, place: Place, what: Sentence, *, next_step: Sentence) -> BadConfig:
    return BadConfig(
        "%(file)s line %(line)s column %(column)s: %(what)s",
        file=file,
        line=place.line,
        column=place.column,
        what=what,
        next_step=next_step,
    )


class _Builder:
    """Walks the parser's events, which come one by one: no recursion but our own, and that is bounded."""

    def __init__(self, file: str) -> None:
        self.file: Final = file
        self.places: Final[dict[Keys, Place]] = {}

    def tree(self, text: str) -> YamlTree:
        import yaml

        try:
            events = self._events(text)
            value = self._document(events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = Place(line=mark.line + 1, column=mark.column + 1) if mark else Place(line=1, column=1)
            what = Sentence("it is not YAML: %(problem)s", problem=error.problem or error.context)
            raise _bad(self.file, place, what, next_step=_advice(str(error.problem))) from error
        except yaml.reader.ReaderError as error:
            before = text[: error.position]
            place = Place(line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))
            what = Sentence(
                "it has the character U+%(code)s, which YAML does not allow",
                code=f"{ord(text[error.position]):04X}",
            )
            raise _bad(self.file, place, what, next_step=Sentence("remove it")) from error
        return YamlTree(file=self.file, value=value, places=self.places)

    def _events(self, text: str) -> Iterator["yaml.Event"]:
        import yaml

        return iter(yaml.parse(text, Loader=yaml.SafeLoader))

    def _document(self, events: Iterator["yaml.Event"]) -> Value:
        import yaml

        value: Value = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(
                        event,
                        Sentence("it starts a second document"),
                        next_step=Sentence("keep to one, without ---"),
                    )
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, events, ())
        return value

    def _value(self, event: "yaml.Event", events: Iterator["yaml.Event"], keys: Keys) -> Value:
        import yaml

        self.places.setdefault(keys, _place(event))
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            self._refuse(
                event,
                Sentence("anchors and aliases are not read"),
                next_step=Sentence("write the value out in each place"),
            )
        if (tag := getattr(event, "tag", None)) not in {None, "!"}:
            self._refuse(
                event,
                Sentence("the tag %(tag)s is not read", tag=tag),
                next_step=Sentence("remove it; put text in quotes"),
            )
        if len(keys) > _DEEPEST:
            self._refuse(
                event,
                Sentence("it is nested too deeply"),
                next_step=Sentence("nothing needs more than %(most)s levels", most=_DEEPEST),
            )
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else str(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(events, keys)
        return self._mapping(events, keys)

    def _list(self, events: Iterator["yaml.Event"], keys: Keys) -> list[Value]:
        import yaml

        items: list[Value] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._value(event, events, (*keys, len(items))))
        return items

    def _mapping(self, events: Iterator["yaml.Event"], keys: Keys) -> dict[str, Value]:
        import yaml

        found: dict[str, Value] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            if not isinstance(event, yaml.ScalarEvent) or event.anchor or event.tag:
                self._refuse(
                    event,
                    Sentence("a key is not a plain word"),
                    next_step=Sentence("write a word and a colon"),
                )
            name = str(event.value)
            if name in found:
                first = self.places[(*keys, name)]
                said = Sentence(
                    "the key %(name)s is here a second time, after line %(line)s",
                    name=repr(name),
                    line=first.line,
                )
                self._refuse(event, said, next_step=Sentence("keep one of the two"))
            self.places[(*keys, name)] = _place(event)
            found[name] = self._value(next(events), events, (*keys, name))
        return found

    def _refuse(self, event: "yaml.Event", what: Sentence, *, next_step: Sentence) -> NoReturn:
        raise _bad(self.file, _place(event), what, next_step=next_step)


def _place(event: "yaml.Event") -> Place:
    mark = event.start_mark
    return Place(line=mark.line + 1, column=mark.column + 1) if mark else Place(line=1, column=1)


def _scalar(text: str) -> Value:
    """YAML 1.2's core schema, without infinities, octals and hexadecimals: nobody means them here."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text in {"true", "True", "TRUE"}:
        return True
    if text in {"false", "False", "FALSE"}:
        return False
    if _INTEGER.fullmatch(text):
        return int(text)
    return Decimal(text) if _FRACTION.fullmatch(text) else text


def _advice(problem: str) -> Sentence:
    if r"'\t'" in problem:
        return Sentence("indent with spaces: YAML takes no tabs")
    if "'*'" in problem or "alias" in problem:
        return Sentence('put a text that begins with * in quotes: "**/docs"')
    return Sentence("check the indentation, and put texts with special characters in quotes")


_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,18}")
_FRACTION: Final = re.compile(r"[-+]?(?:[0-9]{1,18}\.[0-9]{0,18}|\.[0-9]{1,18})")
