import re
import subprocess
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    "all names in a folder": ("a/*", {"a/b": True, "a/b/c": True, "a": False, "a/": False, "x/a/b": False}),
    "all names two folders down": ("a/*/*", {"a/b/c": True, "a/b": False, "a/b/": False, "a/b/c/d": True}),
    "an ending in a folder": ("a/*.c", {"a/b.c": True, "a/b.c/d": True, "b.c": False, "a/x/b.c": False}),
    "an ending below a folder": (
        "a/**/*.c",
        {"a/b.c": True, "a/x/y/b.c": True, "x/a/b.c": False, "a/b": False},
    ),
    "a beginning and an ending": ("test_*.py", {"test_a.py": True, "a/test_.py/b": True, "a.py": False}),
    "a word in a name": ("*secret*", {"my-secrets.txt": True, "a/secret/b": True, "secre/t": False}),
    "one letter": ("a?c", {"abc": True, "x/a.c/y": True, "a/c": False, "ac": False}),
    "a path anywhere": ("**/a/b", {"a/b": True, "x/y/a/b/c": True, "a/x/b": False, "b": False}),
    "a folder at the root only": ("/a/", {"a": False, "a/": True, "a/b": True, "x/a/b": False}),
    "a path to a folder only": ("a/b/", {"a/b": False, "a/b/": True, "a/b/c": True, "x/a/b/c": False}),
    "a beginning of folders only": ("a*/", {"ab": False, "ab/": True, "x/ab/c": True, "b/c": False}),
    "stars that are no name": ("a**/b", {"ac/b": True, "a/b": True, "ac/d/b": False}),
    "a set that is not": ("a[!b]", {"ac": True, "ab": False, "x/ac/y": True, "a": False}),
    "a set never has a slash in it": ("a[!b]c", {"axc": True, "a/c": False, "abc": False}),
    "a range over the slash": ("x/a[.-0]c", {"x/a.c": True, "x/a/c": False, "x/a0c/d": True}),
    "a bracket that is none": (r"a\[!b/c", {"a[!b/c": True, "axb/c": False}),
    "a set in a folder's name": ("[ab]/c", {"a/c": True, "b/c/d": True, "c/c": False, "x/a/c": False}),
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


BAD = ["#a", "[", "a[b", "", "[[a]]", "[a--b]", "[a&&b]", "[b-a]", "a/**/", "a/**/**/ "]


@pytest.mark.parametrize("pattern", BAD)
def test_a_pattern_that_git_would_ignore_is_an_error(pattern: str) -> None:
    with pytest.raises(BadPattern):
        regex_of(pattern)


# A file and a thousand more names in it, or a single one of the same length.
LONG = ["a/" * 500_000 + "b", "a." * 500_000 + "b", "b/" * 500_000]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("key", LONG, ids=["folders", "dots", "a folder"])
@pytest.mark.parametrize(
    ("patterns", "takes_in"),
    [
        (["/src/**", "/docs/a.md", "*.pem"], [False, False, False]),
        (["*.b", "/a/**"], [True, True, False]),
        (["x/*/a", "y/*", "*zz*", "a*y", "**/b/c"], [False, False, False]),
        (["a/*", "b/**/b"], [True, False, True]),
    ],
    ids=["none", "plain ones", "names that do not match", "names that match"],
)
def test_a_path_of_a_million_letters_costs_as_many_steps_and_not_their_square(
    patterns: list[str], takes_in: list[bool], key: str
) -> None:
    assert (listed(*patterns).last_match(key) >= 0) is takes_in[LONG.index(key)]


def test_a_million_paths_leave_no_more_behind_than_a_few_thousand() -> None:
    patterns = listed("/src/**", "*.pem", "**/gen*", "a/*/b")

    def held_after(folders: Iterable[str]) -> int:
        for folder in folders:
            assert patterns.last_match(f"{folder}/x.py") == -1
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        few = held_after(f"folder{number}" for number in range(16_000))
        many = held_after(f"other{number}" for number in range(32_000))
        long = held_after(f"{number}/{'long/' * 200}" for number in range(1_000))
    finally:
        tracemalloc.stop()
    assert many < few + 2**20
    assert long < many + 2**20


SEGMENT = st.text("ab.*?[]!-é ", min_size=1, max_size=4) | st.sampled_from(
    ["**", "*", "a", "b.c", "*.c", "a*", ".a*", "a*.c", "*b*", "a?", "[!a]", "a[!b]*"]
)


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
NAME = st.text("ab.cé -", min_size=1, max_size=4) | st.sampled_from(["a", "b.c", "ab", "ac.c"])
KEYS = st.lists(NAME, min_size=1, max_size=4).map("/".join)


@settings(max_examples=500)
@given(st.lists(PATTERNS, max_size=6), st.lists(KEYS, min_size=1, max_size=3), st.sampled_from(["", "/"]))
def test_the_index_answers_as_each_pattern_does_alone(
    patterns: list[str], paths: list[str], end: str
) -> None:
    asked = listed(*patterns)
    alone = [re.compile(regex_of(fold(text.removeprefix("!")).rstrip(" ")), re.DOTALL) for text in patterns]
    # Others in the same folders, and the first one again: what was found before is kept.
    beside = [f"{path.rpartition('/')[0]}/{name}".lstrip("/") for path in paths for name in ("a", "b.c")]
    for key in (path + end for path in (*paths, *beside, paths[0])):
        matching = [number for number, regex in enumerate(alone) if regex.match(key)]
        assert asked.last_match(key) == max(matching, default=-1)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    return folder


@settings(max_examples=150, deadline=None)
@given(PATTERNS.filter(lambda text: text[0] != "!"), st.lists(KEYS, min_size=1, max_size=20))
def test_a_pattern_matches_what_git_ignores_by_it(repository: Path, pattern: str, paths: list[str]) -> None:
    # To git, `?` is one byte and not one letter; and two names it does not take at all.
    keys = [path for path in paths if path.isascii() and not {".", ".."} & set(path.split("/"))]
    (repository / ".gitignore").write_text(f"{fold(pattern)}\n", encoding="utf-8")
    ignored = subprocess.run(
        ["git", "-C", repository, "check-ignore", "--no-index", "--stdin", "-z"],
        input="\0".join([*keys, ""]),
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    # 1 where it ignores none.
    assert ignored.returncode in {0, 1}, ignored.stderr
    found = set(ignored.stdout.split("\0"))
    patterns = listed(pattern)
    assert {key: patterns.hit(key) is not None for key in keys} == {key: key in found for key in keys}
