"""A listing answers for all paths at once what would else be asked of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.gate.policy import PathRules, Policy, Secrets
from bot.paths.path import path_of
from bot.workspace.listing import Listing

NAMES = st.sampled_from(
    [
        *(
            "a",
            "b.py",
            ".env",
            "X.ENV",
            "id_rsa",
            "key.pem",
            "é",
            "\uff29\uff24_rsa",
            ".env.",
            "a b",
            "x:y",
            "git~1",
        ),
        *(
            "c\\d",
            "e\nf",
            "docs",
            "secret.txt",
            "\udcff",
            ".env.example",
            "ID_RSA.pub",
            "K.pem",
            "\u017f.pem",
        ),
    ]
)
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), unique=True).map(sorted)
PATTERNS = st.sampled_from(
    [
        *("*.txt", "docs/", "/a/**", "a/*/b.py", "**/x?y", "[ab].py", "secret*", "*", "**/docs/**"),
        *("!key.pem", "!**/.env", "e*f", "é", "*é*"),
    ]
)


@given(paths=PATHS, patterns=st.lists(PATTERNS, max_size=4))
def test_the_secrets_among_many_are_those_that_are_secret_one_by_one(
    paths: list[str], patterns: list[str]
) -> None:
    policies = [Policy(paths=PathRules(secret=tuple(patterns))), Policy()]
    secrets = Secrets(policies)
    listing = Listing(paths)
    assert secrets.among(listing) == {path for path in paths if secrets.hide(path)}
    assert secrets.among(listing) is secrets.among(listing)


@given(paths=PATHS, folder=st.sampled_from(["a", "docs", "é", "e\nf", "docs/a"]))
def test_what_is_below_a_folder_is_found_in_both_forms(paths: list[str], folder: str) -> None:
    listing = Listing(paths)
    below = [path for path in paths if path.startswith(f"{folder}/")]
    assert list(listing.below(folder)) == below
    if listing.whole is not None:
        # Of all that is written there, this and nothing else is scanned.
        text = listing.whole.text
        assert text[listing.whole.below(folder)] == "".join(f"{path}\n" for path in below)
        assert text[listing.whole.below("")] == "".join(f"{path}\n" for path in paths)
        for ending in (".txt", ".py", "."):
            folders = {name for path in paths for name in path.split("/")[:-1]}
            is_one = any(name.endswith(ending) for name in folders)
            assert listing.whole.is_ending_of_folders(ending) is is_one


@given(paths=PATHS, folder=st.sampled_from(["", "a", "docs", "docs/a"]), depth=st.integers(1, 4))
def test_rows_are_what_is_so_many_levels_below(paths: list[str], folder: str, depth: int) -> None:
    start = f"{folder}/" if folder else ""
    expected: dict[str, int] = {}
    for path in paths:
        if path.startswith(start):
            names = path[len(start) :].split("/")
            row = path if len(names) <= depth else start + "/".join(names[:depth]) + "/"
            expected[row] = expected.get(row, 0) + 1
    assert list(Listing(paths).rows(folder, depth).items()) == list(expected.items())
    below = [path for path in paths if path.startswith(start)]
    assert Listing(paths).rows(folder, None) == dict.fromkeys(below, 1)


class Counted(Listing):
    looks = 0

    def __getitem__(self, at):
        Counted.looks += 1
        return super().__getitem__(at)


def test_a_folder_is_passed_over_without_looking_into_it() -> None:
    listing = Counted(sorted(f"part{number % 9}/{number:04}" for number in range(9000)))
    assert listing.rows("", 1) == {f"part{number}/": 1000 for number in range(9)}
    assert Counted.looks < 200


@given(paths=PATHS, words=st.lists(st.sampled_from(["a", "env", "id_", "/", "pem", ""])))
def test_holding_leaves_out_no_path_that_holds_a_word(paths: list[str], words: list[str]) -> None:
    held = Listing(paths).holding(words)
    keys = {path: path_of(path).keys for path in paths}
    assert set(held) >= {path for path in paths if any(word in key for word in words for key in keys[path])}
    assert held == sorted(set(held))


@pytest.mark.parametrize("paths", [[], ["a"], ["a", "b/c"], ["a\nb", "c"]])
def test_a_listing_of_few_paths_answers_as_one_of_many(paths: list[str]) -> None:
    listing = Listing(paths)
    assert list(listing) == paths
    assert listing.holding(["zzz"]) == [path for path in paths if "\n" in path]
    assert (listing.whole is None) == ("a\nb" in paths)
