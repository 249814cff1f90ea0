"""Ours beside the standard library's, over the same class bodies."""

import copy
import dataclasses
import pickle
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

import bot.dataclass
from bot.dataclass import dataclass

FROZEN = {"frozen": True, "slots": True, "kw_only": True}
Decorator = Callable[..., Any]


def _plain(made: Decorator) -> Any:
    @made(**FROZEN)
    class Plain:
        number: int
        word: str = "one"
        kind: ClassVar[str] = "none of the fields"

        @property
        def both(self) -> str:
            return f"{self.number}{self.word}"

    return Plain


def _filled(made: Decorator) -> Any:
    @made(**FROZEN)
    class Filled:
        numbers: list[int] = dataclasses.field(default_factory=list)
        kept: str = dataclasses.field(default="kept", init=False)
        counted: dict[str, int] = dataclasses.field(default_factory=dict, init=False)
        secret: str = dataclasses.field(default="secret", repr=False, compare=False)

    return Filled


def _checked(made: Decorator) -> Any:
    @made(**FROZEN)
    class Checked:
        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("below nothing")

    return Checked


def _heir(made: Decorator) -> Any:
    @made(**FROZEN)
    class Elder:
        number: int
        word: str = "elder"

    @made(**FROZEN)
    class Heir(Elder):
        word: str = "heir"
        more: int = 3

    return Heir


def _unslotted(made: Decorator) -> Any:
    @made(frozen=True, kw_only=True)
    class Unslotted:
        number: int
        word: str = "one"

    return Unslotted


def _positional(made: Decorator) -> Any:
    @made(slots=True)
    class Positional:
        number: int
        _: dataclasses.KW_ONLY
        word: str = "one"

    return Positional


def _mutable(made: Decorator) -> Any:
    @made(slots=True, kw_only=True)
    class Mutable:
        number: int
        words: list[str] = dataclasses.field(default_factory=list)

    return Mutable


def _empty(made: Decorator) -> Any:
    @made(**FROZEN)
    class Empty:
        pass

    return Empty


def _own(made: Decorator) -> Any:
    @made(**FROZEN)
    class Own:
        number: int

        def __repr__(self) -> str:
            return "its own"

    return Own


# What each is made with: the last two lists are equal in all that is compared, or not.
SHAPES: Mapping[Callable[[Decorator], Any], tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    _plain: ({"number": 1}, {"number": 1, "word": "two"}),
    _filled: ({"numbers": [1]}, {"numbers": [1], "secret": "other"}),
    _checked: ({"number": 1}, {"number": 2}),
    _heir: ({"number": 1}, {"number": 1, "more": 4}),
    _unslotted: ({"number": 1}, {"number": 1, "word": "two"}),
    _positional: ({"number": 1}, {"number": 1, "word": "two"}),
    _mutable: ({"number": 1}, {"number": 1, "words": ["a"]}),
    _empty: ({}, {}),
    _own: ({"number": 1}, {"number": 2}),
}
QUESTIONS: Mapping[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], object]] = {
    "how it is printed": lambda cls, one, other: [repr(cls(**one)), repr(cls(**other))],
    "whether two are equal": lambda cls, one, other: [cls(**one) == cls(**one), cls(**one) == cls(**other)],
    "whether it is equal to something else": lambda cls, one, _: [cls(**one) == 1, cls(**one) != None],  # noqa: E711
    "whether it is a key": lambda cls, one, other: len({cls(**one), cls(**one), cls(**other)}),
    "what a change is answered": lambda cls, one, _: setattr(cls(**one), dataclasses.fields(cls)[0].name, 5),
    "what a deletion is answered": lambda cls, one, _: delattr(cls(**one), dataclasses.fields(cls)[0].name),
    "what a missing value is answered": lambda cls, *_: cls(),
    "what an unknown value is answered": lambda cls, one, _: cls(**one, strange=1),
    "what a bad value is answered": lambda cls, *_: cls(number=-1),
    "what positions are answered": lambda cls, *_: cls(1, 2),
    "what it is replaced by": lambda cls, one, other: repr(dataclasses.replace(cls(**one), **other)),
    "what it is as a dictionary": lambda cls, one, _: dataclasses.asdict(cls(**one)),
    "what its copies are": lambda cls, one, _: (
        [copy.copy(cls(**one)), copy.deepcopy(cls(**one))] == [cls(**one)] * 2
    ),
    "its fields": lambda cls, *_: [
        (one.name, one.init, one.compare, one.kw_only) for one in dataclasses.fields(cls)
    ],
    "its slots": lambda cls, *_: getattr(cls, "__slots__", None),
    "what a pattern takes by position": lambda cls, *_: cls.__match_args__,
    "whether two share what was filled in": lambda cls, *_: cls().numbers is cls().numbers,
    "its property": lambda cls, one, _: cls(**one).both,
}


def _answer(question: Callable[..., object], cls: Any, values: tuple[Any, Any]) -> str:
    try:
        return repr(question(cls, *values))
    except Exception as error:  # noqa: BLE001 - an answer, too
        return repr(error)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__.strip("_"))
def test_it_answers_as_the_standard_librarys_does(shape: Callable[[Decorator], Any], question: str) -> None:
    ours, theirs = (
        _answer(QUESTIONS[question], shape(made), SHAPES[shape])
        for made in (dataclass, dataclasses.dataclass)
    )
    assert ours == theirs


@pytest.mark.parametrize(
    "change", [lambda one: setattr(one, "strange", 5), lambda one: delattr(one, "strange")]
)
def test_a_frozen_one_takes_no_attribute_of_which_its_class_knows_nothing(
    change: Callable[[Any], None],
) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        change(_plain(dataclass)(number=1))


@dataclass(**FROZEN)
class Sent:
    number: int
    words: tuple[str, ...] = ()


def test_another_process_is_given_an_equal_one() -> None:
    sent = Sent(number=1, words=("a", "b"))
    assert pickle.loads(pickle.dumps(sent)) == sent


USES: Mapping[str, Callable[[Any], object]] = {
    "__init__": lambda cls: cls(number=1),
    "__eq__": lambda cls: cls(number=1) == cls(number=1),
    "__hash__": lambda cls: hash(cls(number=1)),
}


@pytest.mark.parametrize("name", USES)
def test_nothing_is_compiled_before_it_is_used(name: str) -> None:
    made, unused = _plain(dataclass), _plain(dataclass)
    USES[name](made)
    files = [getattr(one, name).__code__.co_filename for one in (made, unused)]
    assert files == ["<string>", bot.dataclass.__file__]


def test_an_heir_that_is_none_itself_is_made_by_its_elders_fields() -> None:
    elder = _plain(dataclass)

    class Heir(elder):
        def __init__(self, number: int) -> None:
            super().__init__(number=number + 1)

    assert [Heir(1).number, Heir(5).number, elder(number=1).number] == [2, 6, 1]
