import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from bot.paths.path import fold
from bot.paths.path_pattern import BadPattern, PathList, PathPattern, regex_of


def listed(*patterns: str) -> PathList:
    return PathList([PathPattern(text=text, source=f"f:{n}") for n, text in enumerate(patterns, 1)])


HITS = {
    "a name anywhere": (
        "Makefile",
        {"makefile": True, "a/makefile": True, "makefile/x": True, "makefiles": False},
    ),
    "a path at the root": ("a/b", {"a/b": True, "a/b/c": True, "x/a/b": False, "a/bc": False}),
    "an anchored name": ("/a", {"a": True, "a/b": True, "b/a": False}),
    "what is in a folder": ("a/**", {"a/b": True, "a/b/c": True, "a": False, "b/a/c": False}),
    "what is in a folder anywhere": ("**/a/**", {"x/a/b": True, "a/b": True, "x/a": False}),
    "an ending": (
        "*.pem",
        {"x.pem": True, "a/x.pem": True, ".pem": True, "x.pem.txt": False, "x.pem/y": True},
    ),
    "a double ending": ("*.tar.gz", {"a.tar.gz": True, "a.gz": False}),
    "a beginning": (".env*", {".env": True, "a/.env.local": True, "x.env": False}),
    "a folder only": ("a/", {"a": False, "a/": True, "a/b": True}),
    "a wildcard in between": ("src/*/x.py", {"src/a/x.py": True, "src/a/b/x.py": False}),
    "a gap": ("a/**/b", {"a/b": True, "a/x/y/b": True, "x/a/b": False}),
    "a set": ("[ab].txt", {"a.txt": True, "c.txt": False}),
    "anything": ("**", {"a": True, "a/b": True}),
    "spaces at its end": ("a/  ", {"a/x": True, "b/a/x": True, "a": False}),
    "upper case in a pattern": ("DOCS/**", {"docs/a": True}),
}


@pytest.mark.parametrize(("pattern", "keys"), HITS.values(), ids=HITS)
def test_a_pattern_means_what_it_means_to_git(pattern: str, keys: dict[str, bool]) -> None:
    patterns = listed(pattern)
    assert {key: patterns.hit(key) is not None for key in keys} == keys


def test_the_last_match_decides_and_a_negation_takes_back() -> None:
    patterns = listed("*.md", "!docs/**", "docs/a.md", "docs/a*", "!docs/ab.md")
    assert patterns.hit("x.md") is patterns.patterns[0]
    assert patterns.hit("docs/x.md") is None
    assert patterns.hit("docs/a.md") is patterns.patterns[3]
    assert patterns.hit("docs/ab.md") is None
    assert patterns.hit("other.txt") is None
    assert [patterns.speaks_of([key]) for key in ("x.md", "docs/x.md", "other.txt")] == [True, True, False]
    assert patterns.speaks_of(["other.txt", "x.md"])
    assert not patterns.speaks_of([])


BAD = ["#a", "[", "a[b", "", "[[a]]", "[a--b]", "[a&&b]", "[b-a]"]


@pytest.mark.parametrize("pattern", BAD)
def test_a_pattern_that_git_would_ignore_is_an_error(pattern: str) -> None:
    with pytest.raises(BadPattern):
        regex_of(pattern)


SEGMENT = st.text("ab.*?[]!-é ", min_size=1, max_size=4) | st.sampled_from(
    ["**", "a", "b.c", "*.c", "a*", ".a*"]
)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("key", ["a/" * 1_000_000 + "b", "a." * 1_000_000 + "b"], ids=["folders", "dots"])
def test_a_path_of_two_million_letters_costs_as_many_steps_and_not_their_square(key: str) -> None:
    assert listed("/src/**", "/docs/a.md", "*.pem").last_match(key) == -1
    assert listed("*.b", "/a/**").hit(key) is not None


def _is_good(pattern: str) -> bool:
    try:
        regex_of(fold(pattern.removeprefix("!")))
    except BadPattern:
        return False
    return not pattern.startswith("!!")


PATTERNS = st.builds(
    lambda mark, start, names, end: mark + start + "/".join(names) + end,
    st.sampled_from(["", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(SEGMENT, min_size=1, max_size=4),
    st.sampled_from(["", "/", "/**"]),
).filter(_is_good)
KEYS = st.lists(st.text("ab.cé -", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)


@settings(max_examples=500)
@given(st.lists(PATTERNS, max_size=6), st.lists(KEYS, min_size=1, max_size=3), st.sampled_from(["", "/"]))
def test_the_index_answers_as_pathspec_does(patterns: list[str], names: list[str], end: str) -> None:
    asked = listed(*patterns)
    # The first one again: what was found before is kept.
    for key in (name + end for name in (*names, names[0])):
        matching = [
            number
            for number, pattern in enumerate(patterns)
            if GitIgnoreSpecPattern(fold(pattern)).match_file(key) is not None
        ]
        assert asked.last_match(key) == max(matching, default=-1)
