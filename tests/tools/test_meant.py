"""What a pattern means is the same however it is found: by its words in one text, or path by path."""

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ToolFailed
from bot.tools.meant import found, meant
from bot.workspace.listing import Listing

NAMES = st.sampled_from(
    ["a", "b.py", "docs", "c.py", "x.py.txt", "lib.py", "A.PY", "é.py", "a b", "d\ne.py", "[x]", "#c", "!n"]
)
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), unique=True).map(sorted)
PATTERNS = st.sampled_from(
    [
        *("*.py", "**/*.py", "/*.py", "*.py/", "docs", "docs/", "/docs", "./docs", "docs/**/*.py", "a/*"),
        *(
            "/a/docs/**/*.py",
            "./docs/**/*.py",
            "/**/*.py",
            "x.py.txt/**/*.py",
            "docs/**/*.py.txt",
            "../**/*.py",
        ),
        *("*", "**", "?.py", "[ab]*", r"\#c", "#c", "!n", r"\!n", "!*.py", "é*", "*b", "a b", "docs/*/c.py"),
        *(
            "x.py.txt",
            "lib.py/**",
            "/docs/a/",
            "docs//a",
            "a/b.py ",
            "a/docs/**/c.py",
            "./a/b*",
            "*.txt",
            "d*e.py",
            r"\[x\]",
            "a?b",
            "c.py ",
            "/",
        ),
    ]
)


@given(paths=PATHS, pattern=PATTERNS, skip=st.integers(0, 3), most=st.integers(1, 9))
def test_a_pattern_means_what_gitignore_says(paths: list[str], pattern: str, skip: int, most: int) -> None:
    # Few paths make every word a common one, and many make it rare.
    for more in ([], [f"docs/zz/{number:03}.py" for number in range(200)]):
        listing = Listing(sorted([*paths, *more]))
        line = "/" + pattern[2:] if pattern.startswith("./") else pattern
        is_meant = pathspec.GitIgnoreSpec.from_lines([line]).match_file
        expected = [path for path in listing if is_meant(path)]
        result = found(pattern, listing, skip=skip, most=most)
        assert result.number == len(expected)
        assert result.page == expected[skip : skip + most]
        assert list(filter(meant((pattern,)), listing)) == expected


@pytest.mark.parametrize("pattern", ["a*b*c*d*e", "**/**/**/a", "x" * 1001])
def test_a_pattern_that_could_take_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(ToolFailed, match="too long or has too many stars"):
        found(pattern, Listing(["a"]), skip=0, most=9)
    with pytest.raises(ToolFailed, match="too long or has too many stars"):
        meant((pattern,))
