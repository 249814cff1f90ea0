import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.paths.glob_overlap import covers, overlaps
from bot.paths.path_pattern import BadPattern, PathList, PathPattern, regex_of

COVERS = [
    ("docs/**", "docs/a", True),
    ("docs/**", "docs/a/**", True),
    ("docs/**", "docs", False),
    ("docs", "docs/**", True),
    ("a", "a", True),
    ("a", "x/a", True),
    ("/a", "a", False),
    ("*.md", "docs/*.md", True),
    ("docs/*.md", "*.md", False),
    ("**", "a/b", True),
    ("a/**/b", "a/b", True),
    ("a/b", "a/**/b", False),
    ("a*", "ab*", True),
    ("ab*", "a*", False),
    ("a?", "a[bc]", True),
    ("a[bc]", "a[cd]", False),
    ("a[bc]", "a[bc]", True),
    ("DOCS/**", "docs/a", True),
    ("docs/**", "!docs/a", True),
]


@pytest.mark.parametrize(("wide", "narrow", "expected"), COVERS)
def test_one_pattern_takes_in_another(wide: str, narrow: str, *, expected: bool) -> None:
    assert covers(wide, narrow) is expected


OVERLAPS = [
    ("docs/**", "*.md", True),
    ("docs/**", "lib/**", False),
    ("a*", "*b", True),
    ("*.md", "*.txt", True),  # a folder x.md with y.txt in it
    ("/a", "/b", False),
    ("/a/b", "/a", True),
    ("a[bc]", "ad", True),
]


@pytest.mark.parametrize(("one", "other", "expected"), OVERLAPS)
def test_two_patterns_may_meet(one: str, other: str, *, expected: bool) -> None:
    assert overlaps(one, other) is overlaps(other, one) is expected


def _is_good(pattern: str) -> bool:
    try:
        regex_of(pattern)
    except BadPattern:
        return False
    return True


SEGMENT = st.text("ab.*?", min_size=1, max_size=3) | st.sampled_from(["**", "a", "b", "[ab]", "*.c", "a*"])
PATTERNS = st.builds(
    lambda start, names, end: start + "/".join(names) + end,
    st.sampled_from(["", "/"]),
    st.lists(SEGMENT, min_size=1, max_size=4),
    st.sampled_from(["", "/", "/**"]),
).filter(_is_good)
KEYS = st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join)


@settings(max_examples=400)
@given(PATTERNS, PATTERNS, KEYS)
def test_neither_answer_is_ever_a_false_promise(one: str, other: str, key: str) -> None:
    hits = [
        PathList([PathPattern(text=pattern, source="f:1")]).hit(key) is not None for pattern in (one, other)
    ]
    if covers(one, other):
        assert hits[0] or not hits[1]
    if not overlaps(one, other):
        assert not all(hits)


def test_long_patterns_are_no_trap() -> None:
    assert not covers("*a" * 200 + "b", "*a" * 200)
    assert overlaps("*a" * 200, "*b" * 200)
