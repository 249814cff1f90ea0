"""Listing and searching: everything that is there, nothing that is secret, and how to see the rest."""

from collections.abc import Iterator

import pytest
from real_git import Executable, Files, Link, committed

from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.outside.checkout import CommitTree
from bot.outside.search import Ripgrep
from bot.tools.search import (
    FIND_FILES,
    GREP,
    LIST_FILES,
    SEARCH_CODE,
    FindFiles,
    Grep,
    ListFiles,
    SearchCode,
)
from bot.tools.tool import Stage
from bot.workspace.overlay import Overlay

FILES: Files = {
    "README.md": b"# Alpha\n",
    "docs/a.md": b"alpha\nbeta\n",
    "docs/deep/b.md": b"beta alpha\n",
    "src/a.py": b"ALPHA = 1\n",
    "run.sh": Executable(b"echo alpha\n"),
    "link": Link("docs/a.md"),
    "odd\nname.md": b"alpha\n",
    ".env": b"alpha=1\n",
    "conf/.env": b"alpha=2\n",
}
MANY: Files = {f"many/{number:04}.txt": b"needle\n" for number in range(1203)}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommitTree]:
    folder = tmp_path_factory.mktemp("repository")
    with CommitTree(committed(folder, FILES), folder=folder, remote=None) as made:
        yield made


@pytest.fixture
def stage(tree: CommitTree) -> Stage:
    overlay = Overlay(tree, Ripgrep())
    return Stage(workspace=overlay, is_hidden=lambda path: path.endswith(".env"))


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("crowd")
    with CommitTree(committed(folder, MANY), folder=folder, remote=None) as made:
        yield Stage(workspace=Overlay(made, Ripgrep()), is_hidden=lambda path: False)


LISTED = {
    "everything": (
        ListFiles(),
        (
            "[9 files]\n.env (secret, not readable)\nREADME.md\nconf/.env (secret, not readable)\ndocs/a.md\n"
            "docs/deep/b.md\n"
            'link (symbolic link, not followed)\n"odd\\nname.md"\nrun.sh (executable)\nsrc/a.py'
        ),
    ),
    "one level": (
        ListFiles(depth=1),
        (
            "[9 files]\n.env (secret, not readable)\nREADME.md\nconf/ (1 files)\ndocs/ (2 files)\n"
            'link (symbolic link, not followed)\n"odd\\nname.md"\nrun.sh (executable)\nsrc/ (1 files)'
        ),
    ),
    "a folder": (ListFiles(folder="docs"), "[2 files]\ndocs/a.md\ndocs/deep/b.md"),
    "a folder, spelled otherwise": (ListFiles(folder="./docs/deep/"), "[1 files]\ndocs/deep/b.md"),
    "the root, spelled otherwise": (ListFiles(folder=".", depth=1, skip=7), "[9 files]\nsrc/ (1 files)"),
    "one level of a folder": (
        ListFiles(folder="docs", depth=1),
        "[2 files]\ndocs/a.md\ndocs/deep/ (1 files)",
    ),
}


@pytest.mark.parametrize(("arguments", "expected"), LISTED.values(), ids=LISTED)
def test_a_folder_is_listed(stage: Stage, arguments: ListFiles, expected: str) -> None:
    assert LIST_FILES.execute(arguments, stage) == expected


UNLISTED = {
    "no folder": ("nowhere", "nowhere is not there"),
    "a file": ("README.md", r"README\.md is not a folder"),
    "a link": ("link", "link is not a folder"),
    "outside": ("..", "leads outside"),
}


@pytest.mark.parametrize(("folder", "reason"), UNLISTED.values(), ids=UNLISTED)
def test_what_is_no_folder_is_not_listed(stage: Stage, folder: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        LIST_FILES.execute(ListFiles(folder=folder), stage)


FOUND = {
    "by extension": ("*.md", ["README.md", "docs/a.md", "docs/deep/b.md", '"odd\\nname.md"']),
    "in a folder": ("docs/", ["docs/a.md", "docs/deep/b.md"]),
    "at the root": ("/*.md", ["README.md", '"odd\\nname.md"']),
    "at the root, spelled otherwise": ("./README.md", ["README.md"]),
    "at any depth": ("docs/**/*.md", ["docs/a.md", "docs/deep/b.md"]),
    "secrets by name": (".env", [".env (secret, not readable)", "conf/.env (secret, not readable)"]),
    "nothing": ("*.rs", []),
}


@pytest.mark.parametrize(("pattern", "paths"), FOUND.values(), ids=FOUND)
def test_files_are_found_by_a_gitignore_pattern(stage: Stage, pattern: str, paths: list[str]) -> None:
    assert FIND_FILES.execute(FindFiles(pattern=pattern), stage).split("\n") == [
        f"[{len(paths)} files]",
        *paths,
    ]


@pytest.mark.parametrize("pattern", ["*a" * 20, "**/" * 8 + "a", "x" * 1001, "**/a/**/a/**/b"])
def test_a_pattern_that_could_take_for_ever_is_refused(stage: Stage, pattern: str) -> None:
    with pytest.raises(ToolFailed, match="too many stars"):
        FIND_FILES.execute(FindFiles(pattern=pattern), stage)
    with pytest.raises(ToolFailed, match="too many stars"):
        GREP.execute(Grep(text="a", paths=(pattern,)), stage)


SECRET = "; 2 secret files were not searched]"
SEARCHED = {
    "a regular expression": (
        SEARCH_CODE,
        SearchCode(pattern="^a.*a$"),
        f'[2 matches{SECRET}\ndocs/a.md:1: alpha\n"odd\\nname.md":1: alpha',
    ),
    "in any case": (
        SEARCH_CODE,
        SearchCode(pattern=r"^\W*alpha", ignore_case=True, paths=("*.md", "*.py")),
        (
            '[4 matches]\nREADME.md:1: # Alpha\ndocs/a.md:1: alpha\n"odd\\nname.md":1: alpha\n'
            "src/a.py:1: ALPHA = 1"
        ),
    ),
    "fixed text": (GREP, Grep(text="a.*a"), f"[0 matches{SECRET}"),
    "some files": (
        GREP,
        Grep(text="beta", paths=("docs/deep",)),
        "[1 matches]\ndocs/deep/b.md:1: beta alpha",
    ),
    "secrets, asked for": (GREP, Grep(text="alpha", paths=(".env",)), f"[0 matches{SECRET}"),
    "leading dashes": (GREP, Grep(text="--alpha", paths=("docs/",)), "[0 matches]"),
    "links": (GREP, Grep(text="alpha", paths=("link",)), "[0 matches]"),
}


@pytest.mark.parametrize(("tool", "arguments", "expected"), SEARCHED.values(), ids=SEARCHED)
def test_files_are_searched(stage: Stage, tool, arguments: SearchCode | Grep, expected: str) -> None:
    assert tool.execute(arguments, stage) == expected


BAD = {
    "not a regular expression": (SEARCH_CODE, SearchCode(pattern="a("), "not a usable pattern"),
    "look-around": (SEARCH_CODE, SearchCode(pattern="(?=a)"), "not a usable pattern"),
    "too large": (SEARCH_CODE, SearchCode(pattern="((a{1000}){1000}){1000}"), "not a usable pattern"),
    "two lines": (GREP, Grep(text="a\nb"), "within one line"),
    "a zero byte": (GREP, Grep(text="a\0"), "within one line"),
    "not a regular expression, and no file": (SEARCH_CODE, SearchCode(pattern="a(", paths=("no",)), "usable"),
}


@pytest.mark.parametrize(("tool", "arguments", "reason"), BAD.values(), ids=BAD)
def test_a_search_that_cannot_be_made_is_refused(stage: Stage, tool, arguments: object, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        tool.execute(arguments, stage)


def pages(call) -> tuple[list[str], list[str]]:
    """The first lines and all the other lines, by doing each time what the answer says."""
    heads, rows, skip = [], [], 0
    while True:
        head, *more = call(skip).split("\n")
        heads.append(head)
        rows += more
        if "goes on]" not in head:
            return heads, rows
        skip = int(head.split("skip ")[1].split(" ")[0])


def test_long_answers_are_cut_and_say_exactly_how_to_go_on(crowd: Stage) -> None:
    heads, rows = pages(lambda skip: LIST_FILES.execute(ListFiles(skip=skip), crowd))
    assert rows == sorted(MANY)
    assert heads[0] == "[1203 files; the same call with skip 500 goes on]"
    _, rows = pages(lambda skip: FIND_FILES.execute(FindFiles(pattern="*.txt", skip=skip), crowd))
    assert rows == sorted(MANY)
    heads, rows = pages(lambda skip: GREP.execute(Grep(text="needle", skip=skip), crowd))
    assert rows == [f"{path}:1: needle" for path in sorted(MANY)]
    assert heads[0] == "[more than 200 matches; the same call with skip 200 goes on]"
    assert heads[-1] == "[1203 matches]"


def test_only_listing_names_a_path_that_can_be_judged() -> None:
    assert LIST_FILES.touches(ListFiles(folder="docs")) == (Touch(path="docs", how=How.LIST),)
    assert LIST_FILES.touches(ListFiles()) == ()
