import pytest

from bot.paths.name_index import Alternatives, NameIndex

# What a pattern's name is kept under: names that bring it up, and names that do not.
SAID = {
    "a whole name": ("makefile", ["makefile"], ["makefiles", "amakefile", ""]),
    "a beginning": (".env*", [".env", ".env.local"], ["env", ".en", "x.env", ""]),
    "an end": ("*.tar.gz", ["a.tar.gz", ".tar.gz"], ["tar.gz", "a.gz", "a.tar.gz.old", ""]),
    "an end without a dot": ("*~", ["a~", "~"], ["~a", "a", ""]),
    "an end before a beginning": ("test_*.py", ["test_a.py", "a.py", ".py"], ["test_a.pyc", "test_", ""]),
    "the letters after the last wildcard": ("a?b*c", ["c", "abc", "xc"], ["a", "ab", "abcd", ""]),
    "the letters before the first wildcard": ("a?b*", ["a", "ab", "axb"], ["b", "xa", ""]),
}


@pytest.mark.parametrize(("glob", "found", "passed_over"), SAID.values(), ids=SAID)
def test_a_name_brings_up_what_says_it(glob: str, found: list[str], passed_over: list[str]) -> None:
    index = NameIndex()
    kept = index.add(glob, 0, None)
    assert kept is not None
    assert {name: list(index.speaking_of(name)) for name in found} == {name: [kept] for name in found}
    assert {name: list(index.speaking_of(name)) for name in passed_over} == {name: [] for name in passed_over}


@pytest.mark.parametrize("glob", ["", "*", "**", "?", "*a*", "?a?", "[ab]", "a[b]", r"a\*", "!a", "#a"])
def test_a_name_that_says_neither_beginning_nor_end_is_not_kept(glob: str) -> None:
    index = NameIndex()
    assert index.add(glob, 0, None) is None
    assert [*index.speaking_of("a"), *index.speaking_of(glob), *index.speaking_of("")] == []


def test_a_name_may_bring_up_several() -> None:
    index = NameIndex()
    globs = ("a.b", "a*", "a.*", "*b", "*.b", "*a.b", "b*")
    kept = {glob: index.add(glob, number, None) for number, glob in enumerate(globs)}
    found = [one.last_match("x/a.b") for one in index.speaking_of("a.b")]
    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    assert index.add("a*", 9, "x/.*") is kept["a*"]


ALTERNATIVES: dict[str, tuple[list[tuple[int, str | None]], dict[str, int]]] = {
    "none": ([], {"a": -1}),
    "one that always matches": ([(3, None)], {"a": 3}),
    "the last of those that always match": ([(3, None), (7, None)], {"a": 7}),
    "one that may match": ([(3, "a")], {"a": 3, "b": -1}),
    "the last of those that may match": (
        [(3, "a.*"), (5, "ab"), (8, "c")],
        {"a": 3, "ab": 5, "c": 8, "b": -1},
    ),
    "one that may match before one that does": ([(3, "a"), (5, None)], {"a": 5, "b": 5}),
    "one that may match after one that does": ([(3, None), (5, "a")], {"a": 5, "b": 3}),
    "one that matches across lines": ([(0, "a.b")], {"a\nb": 0}),
}


@pytest.mark.parametrize(("added", "answers"), ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_the_last_that_matches_is_the_answer(
    added: list[tuple[int, str | None]], answers: dict[str, int]
) -> None:
    alternatives = Alternatives()
    for number, regex in added:
        alternatives.add(number, regex)
    # Twice: a regular expression is made at the first question.
    assert [{key: alternatives.last_match(key) for key in answers} for _ in range(2)] == [answers] * 2
