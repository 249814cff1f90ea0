"""As much GraphQL as clients of GitHub write, and its own words for what it does not know."""

from typing import Any

import pytest

from bot.demo.github.query import BadQuery, FieldFailed, answered, read_query

ROOT: dict[str, Any] = {
    "__typename": "Query",
    "me": {"__typename": "User", "__interfaces": ("Actor",), "login": "maja", "age": 3},
    "echo": lambda given: repr(sorted(given.items())),
    "all": [{"__typename": "User", "login": "a"}, {"__typename": "Bot", "login": "b"}],
    "nobody": None,
}
GOOD: dict[str, tuple[str, dict[str, Any]]] = {
    "short": ("{ me { login } }", {"me": {"login": "maja"}}),
    "named": ("query Q { me { login age } }", {"me": {"login": "maja", "age": 3}}),
    "with an alias": ("{ who: me { name: login } }", {"who": {"name": "maja"}}),
    "a list": ("{ all { login } }", {"all": [{"login": "a"}, {"login": "b"}]}),
    "a fragment on its type": ("{ all { ... on Bot { login } } }", {"all": [{}, {"login": "b"}]}),
    "a fragment on its interface": ("{ me { ... on Actor { login } } }", {"me": {"login": "maja"}}),
    "nothing there": ("{ nobody { login } }", {"nobody": None}),
    "a variable": ("query($a: Int!) { echo(x: $a) }", {"echo": "[('x', 7)]"}),
    "a default": ('query($b: String = "d") { echo(x: $b) }', {"echo": "[('x', 'd')]"}),
    "numbers and text": (r'{ echo(n: -1.5, s: "q\"\u00fc") }', {"echo": "[('n', -1.5), ('s', 'q\"ü')]"}),
    "words": (
        "{ echo(t: true, z: null, e: OLD) }",
        {"echo": "[('e', 'OLD'), ('t', True), ('z', None)]"},
    ),
    "variables deep inside": (
        "query($a: [Int!]!) { echo(l: [1, $a], o: {k: $a}) }",
        {"echo": "[('l', [1, 7]), ('o', {'k': 7})]"},
    ),
    "comments, commas and a block of text": (
        '{ # me\n me, { login, } echo(x: """a "b" c""") }',
        {"me": {"login": "maja"}, "echo": "[('x', 'a \"b\" c')]"},
    ),
}


@pytest.mark.parametrize(("text", "expected"), GOOD.values(), ids=GOOD)
def test_a_query_is_answered(text: str, expected: dict[str, Any]) -> None:
    assert answered(read_query(text), ROOT, {"a": 7}).body == {"data": expected}


BAD = {
    "an unknown field": ("{ me { shoe } }", "Field 'shoe' doesn't exist on type 'User'"),
    "no end": ("{ me { login }", "Parse error"),
    "nothing": ("", "An operation name is required"),
    "two of them": ("query A { me { login } } query B { me { login } }", "An operation name is required"),
    "another language": ("SELECT * FROM users", "Parse error"),
    "a subscription": ("subscription { me { login } }", "Parse error"),
    "a bad character": ("{ me ; }", "Parse error"),
    "an object without selections": ("{ me }", "must have selections"),
    "what is ours alone": ("{ me { __interfaces } }", "doesn't exist"),
}


@pytest.mark.parametrize(("text", "words"), BAD.values(), ids=BAD)
def test_what_is_no_query_is_an_error_in_github_s_shape(text: str, words: str) -> None:
    with pytest.raises(BadQuery, match=words) as refused:
        answered(read_query(text), ROOT, {})
    assert refused.value.error["message"] == str(refused.value)


def test_where_one_field_fails_the_others_are_answered_in_their_order() -> None:
    done: list[str] = []

    def push(given: dict[str, Any]) -> dict[str, Any]:
        done.append(given["x"])
        if given["x"] == "13":
            raise FieldFailed("UNPROCESSABLE", "unlucky")
        return {"__typename": "Pushed", "x": given["x"]}

    root = {"__typename": "Mutation", "push": push, "all": {"__typename": "All", "push": push}}
    fields = (
        'a: push(x: "1") { x } b: push(x: "13") { x } all { c: push(x: "13") { x } } d: push(x: "2") { x }'
    )
    told = answered(read_query(f"mutation {{ {fields} }}"), root, {})
    assert told.data == {"a": {"x": "1"}, "b": None, "all": {"c": None}, "d": {"x": "2"}}
    assert [(error["type"], error["path"]) for error in told.errors] == [
        ("UNPROCESSABLE", ["b"]),
        ("UNPROCESSABLE", ["all", "c"]),
    ]
    assert done == ["1", "13", "13", "2"]
