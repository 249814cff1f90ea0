"""One name for one call, whatever order or spelling it came in."""

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from bot.action import Action, Kind, canonical, storable

READ = {"tool": "read_file", "kind": Kind.READ, "arguments": {"path": "a.txt"}}


def _id(**changes: Any) -> str:
    return Action(**(READ | changes)).id


def test_an_id_is_the_same_in_every_run() -> None:
    """Written down, for comments and records of older versions hold it."""
    assert _id() == "dry-93843f3f216c"


SAME = {
    "another order of arguments": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "a whole number with a point": ({"a": 1}, {"a": 1.0}),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_equal_calls_have_one_id(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert _id(arguments=one) == _id(arguments=other)


OTHER = {
    "another tool": {"tool": "grep"},
    "another kind": {"kind": Kind.WRITE},
    "another value": {"arguments": {"path": "b.txt"}},
    "another type of value": {"arguments": {"path": ["a.txt"]}},
    "another name": {"arguments": {"file": "a.txt"}},
    "one argument more": {"arguments": {"path": "a.txt", "x": None}},
}


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_other_calls_have_another_id(change: dict[str, Any]) -> None:
    assert _id(**change) != _id()


def test_an_intent_is_words_and_no_part_of_the_call() -> None:
    assert _id(intent="because I may") == _id()


SPELLED = {
    "half a character": ("a\ud800b", r"a\ud800b"),
    "a whole one": ("a😀b", "a😀b"),
    "an integer that JSON readers disagree about": (2**53, "9007199254740992"),
    "the largest that they don't": (2**53 - 1, 2**53 - 1),
    "a negative one": (-(2**53), "-9007199254740992"),
    "a float that would come back as an integer": (1e20, "1e+20"),
    "an infinite one": (float("inf"), "inf"),
    "no number": (float("nan"), "nan"),
    "a fraction": (0.1, 0.1),
    "a truth": (True, True),
    "nothing": (None, None),
    "inside": ({"a": ["\udfff", {"b": 2**60}]}, {"a": [r"\udfff", {"b": str(2**60)}]}),
    "in a name": ({"\ud800": 1}, {r"\ud800": 1}),
    "a tuple": ((1, 2), [1, 2]),
    "a set, which is no JSON": (frozenset({1}), "frozenset({1})"),
}


@pytest.mark.parametrize(("value", "spelled"), SPELLED.values(), ids=SPELLED)
def test_what_has_no_canonical_spelling_is_spelled_out_and_not_dropped(
    value: object, spelled: object
) -> None:
    assert storable(value) == spelled
    assert canonical(storable(value))


any_text = st.text(st.characters(exclude_categories=()))
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)


@given(any_json)
def test_what_is_stored_once_stays_as_it_is_for_ever(value: object) -> None:
    """A record that was read back must have the digest that it was written with."""
    once = canonical(storable(value))
    again = storable(json.loads(once))
    assert canonical(again) == once
    assert again == json.loads(once)


@given(any_json)
def test_the_quick_spelling_is_the_canonical_one(value: object) -> None:
    assert canonical(storable(value)) == rfc8785.dumps(storable(value))


@pytest.mark.parametrize("value", [2**53, float("nan"), "\ud800", {1: 2}, [float("inf")]])
def test_what_has_no_canonical_spelling_is_refused_as_before(value: Any) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical(value)


@given(tool=any_text, kind=st.sampled_from(Kind), arguments=st.dictionaries(any_text, any_json, max_size=4))
def test_an_id_is_of_the_whole_call_in_its_canonical_spelling(
    tool: str, kind: Kind, arguments: dict[str, Any]
) -> None:
    named = storable({"tool": tool, "kind": kind.value, "arguments": arguments})
    assert isinstance(named, dict)
    action = Action(tool=named["tool"], kind=kind, arguments=named["arguments"])  # type: ignore[arg-type]
    expected = "dry-" + hashlib.sha256(rfc8785.dumps(named)).hexdigest()[:12]
    assert action.id == action.id == expected
