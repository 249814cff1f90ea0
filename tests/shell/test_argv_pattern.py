import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.shell.argv_pattern import ArgvPattern, Word, is_glob

MATCHES = {
    "words as they are": (
        "pytest -q",
        {"pytest -q": True, "pytest": False, "pytest -q x": False, "Pytest -q": False},
    ),
    "a glob": ("a t/*.py", {"a t/x.py": True, "a t/b/x.py": False, "a t/x.pyc": False}),
    "a glob over folders": ("a t/**", {"a t/b/x.py": True, "a t/": True, "a t": False}),
    "a glob and dots": ("a t/**", {"a t/../x": False, "a t/b/../../x": False, "a t/..x": True}),
    "a glob in a word": ("a x?[bc]z", {"a xabz": True, "a xacz": True, "a xadz": False, "a x/bz": False}),
    "a set that excludes": ("a [!b]", {"a c": True, "a b": False}),
    "a set with odd signs": ("a [^-]", {"a ^": True, "a -": False, "a x": False}),
    "one word": ("a *", {"a b": True, "a": False, "a b c": False, "a -b": False, "a b/c": True}),
    "a glob and options": ("a b*", {"a b": True, "a -b": False}),
    "a glob for options": ("a -v*", {"a -vv": True, "a v": False}),
    "any words": ("a **", {"a": True, "a b": True, "a -x b c": True, "b": False}),
    "any words in between": ("a ** z", {"a z": True, "a b c z": True, "a z b": False}),
    "any words twice": ("a ** b **", {"a b": True, "a x b y": True, "a x y": False}),
    "a dot is a dot": ("a b.c", {"a b.c": True, "a bxc": False}),
    "a dot in a glob is a dot": ("a *.c", {"a b.c": True, "a bxc": False}),
}


@pytest.mark.parametrize(("pattern", "lines"), MATCHES.values(), ids=MATCHES)
def test_a_pattern_takes_whole_words(pattern: str, lines: dict[str, bool]) -> None:
    words = ArgvPattern(words=tuple(pattern.split()))
    assert {line: words.matches(line.split()) for line in lines} == lines


MAY: list[tuple[str, tuple[Word, ...], bool]] = [
    ("git push", ("git", None), True),
    ("git push", (None, "push"), True),
    ("git push", (None,), True),
    ("git push", ("git", None, "x"), False),
    ("git push x", ("git", None), True),
    ("git push **", ("git", None, "x"), True),
    ("git push", ("ls", None), False),
    ("git push", ("git", "push", None), True),
    ("git push **", ("git", "status"), False),
]


@pytest.mark.parametrize(("pattern", "argv", "expected"), MAY)
def test_an_unknown_word_may_be_any_number_of_words(
    pattern: str, argv: tuple[Word, ...], *, expected: bool
) -> None:
    words = ArgvPattern(words=tuple(pattern.split()))
    assert words.may_match(argv) is expected


def test_an_unknown_word_is_never_enough_to_allow() -> None:
    assert not ArgvPattern(words=("**",)).matches(("a", None))  # type: ignore[arg-type]


COVERS = [
    ("a **", "a b", True),
    ("a **", "a", True),
    ("a **", "a ** b", True),
    ("a b", "a **", False),
    ("a *", "a b", True),
    ("a *", "a -b", False),
    ("a *", "a b*", True),
    ("a t/**", "a t/x", True),
    ("a t/**", "a t/*", False),
    ("a t/*", "a t/*", True),
    ("**", "a b", True),
    ("a", "a b", False),
    ("a b", "a", False),
    ("** b", "a b", True),
]


@pytest.mark.parametrize(("wide", "narrow", "expected"), COVERS)
def test_one_pattern_may_cover_another(wide: str, narrow: str, *, expected: bool) -> None:
    one, other = ArgvPattern(words=tuple(wide.split())), ArgvPattern(words=tuple(narrow.split()))
    assert one.covers(other) is expected


WORDS = st.sampled_from(["a", "b", "-x", "t/x", "t/../x"])
PATTERNS = st.lists(WORDS | st.sampled_from(["*", "**", "t/*", "t/**", "[ab]", "-*"]), min_size=1, max_size=4)


@given(PATTERNS, PATTERNS, st.lists(WORDS, max_size=5))
def test_what_is_covered_is_matched(wide: list[str], narrow: list[str], argv: list[str]) -> None:
    one, other = ArgvPattern(words=tuple(wide)), ArgvPattern(words=tuple(narrow))
    if one.covers(other) and other.matches(argv):
        assert one.matches(argv)


@given(PATTERNS, st.lists(WORDS | st.none(), max_size=5), st.lists(WORDS, max_size=3))
def test_whatever_an_unknown_word_turns_out_to_be_was_forbidden(
    pattern: list[str], argv: list[Word], instead: list[str]
) -> None:
    words = ArgvPattern(words=tuple(pattern))
    known = [word for one in argv for word in ([one] if one is not None else instead)]
    if words.matches(known):
        assert words.may_match(argv)


def test_a_glob_is_told_from_a_word() -> None:
    assert [is_glob(word) for word in ("a", "a*", "a?", "[a]", "**", "")] == [
        False,
        True,
        True,
        True,
        True,
        False,
    ]


def test_many_wildcards_are_no_trap() -> None:
    assert not ArgvPattern(words=(*["**", "a"] * 50, "b")).matches(["a"] * 400)
