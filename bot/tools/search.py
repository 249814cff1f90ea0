"""The tools that list files and search in them."""

from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import Field

from bot.action import Kind
from bot.errors import ToolFailed
from bot.gate.facts import How, Touch
from bot.tools.meant import found, meant
from bot.tools.reach import hidden_among, reached, shown
from bot.tools.tool import Arguments, Stage, Tool
from bot.workspace import Mode, mode_at
from bot.workspace.listing import Listing

_MOST_NAMES: Final = 500
_MOST_MATCHES: Final = 200
_FEW_ROWS: Final = 50
_MARKS: Final = {
    Mode.EXECUTABLE: "executable",
    Mode.LINK: "symbolic link, not followed",
    Mode.SUBMODULE: "submodule",
}

_SKIP: Final = Field(default=0, ge=0, description="How many results to leave out, to see the following ones.")
_PATHS: Final = Field(
    default=(),
    # JSON has lists only; each item must still be a string
    strict=False,
    description="Only in these: folders, files or gitignore patterns, such as ['src/', '*.md'].",
)


class ListFiles(Arguments):
    folder: str = Field(default="", description="Folder from the repository's root; empty for the root.")
    depth: int | None = Field(default=None, ge=1, description="How many levels to show; all if left out.")
    skip: int = _SKIP


def _list(arguments: ListFiles, stage: Stage) -> str:
    folder = reached(arguments.folder) if arguments.folder else ""
    listing = _listing(stage)
    rows = listing.rows(folder, arguments.depth)
    if not rows and folder:
        what = "is not a folder" if mode_at(stage.workspace, folder) else "is not there"
        raise ToolFailed(f"{shown(folder)} {what}")
    # Only the rows that are shown: to tell what is special about a path can take a look at it
    shown_rows = list(rows)[arguments.skip : arguments.skip + _MOST_NAMES]
    hidden = _hidden_of(stage, shown_rows, listing)
    files = _rows(stage, [path for path in shown_rows if not path.endswith("/")], hidden)
    page = [
        f"{shown(path)} ({rows[path]} files)" if path.endswith("/") else next(files) for path in shown_rows
    ]
    return _page(page, len(rows), f"{sum(rows.values())} files", arguments.skip, _MOST_NAMES)


def _hidden_of(stage: Stage, rows: Sequence[str], listing: Listing) -> frozenset[str]:
    """What may not be read, at least of `rows`: all that there is is known once for a listing."""
    few = len(rows) <= _FEW_ROWS
    return frozenset(filter(stage.is_hidden, rows)) if few else hidden_among(stage, listing)


def _rows(stage: Stage, paths: Sequence[str], hidden: frozenset[str]) -> Iterator[str]:
    """Nothing is special about most paths, and that is seen quickly."""
    modes, usual = stage.workspace.modes(paths), Mode.FILE
    for path in paths:
        mode = modes.get(path)
        if mode is usual and path.isprintable() and path not in hidden:
            yield path
        else:
            yield shown(path) if mode is None else _described(path, mode, is_hidden=path in hidden)


def _described(path: str, mode: Mode, *, is_hidden: bool) -> str:
    """A path in a listing, with what is special about it."""
    marks = [_MARKS[mode]] if mode in _MARKS else []
    if is_hidden:
        marks.append("secret, not readable")
    return f"{shown(path)} ({', '.join(marks)})" if marks else shown(path)


class FindFiles(Arguments):
    pattern: str = Field(min_length=1, description="A gitignore pattern: *.py, docs/**/*.md, /setup.cfg.")
    skip: int = _SKIP


def _find(arguments: FindFiles, stage: Stage) -> str:
    listing = _listing(stage)
    all_meant = found(arguments.pattern, listing, skip=arguments.skip, most=_MOST_NAMES)
    hidden = _hidden_of(stage, all_meant.page, listing)
    page = list(_rows(stage, all_meant.page, hidden))
    return _page(page, all_meant.number, f"{all_meant.number} files", arguments.skip, _MOST_NAMES)


def _listing(stage: Stage) -> Listing:
    paths = stage.workspace.paths()
    return paths if isinstance(paths, Listing) else Listing(paths)


class SearchCode(Arguments):
    pattern: str = Field(min_length=1, description="A regular expression, matched within one line.")
    paths: tuple[str, ...] = _PATHS
    ignore_case: bool = False
    skip: int = _SKIP


class Grep(Arguments):
    text: str = Field(min_length=1, description="Text to look for, exactly as it is.")
    paths: tuple[str, ...] = _PATHS
    ignore_case: bool = False
    skip: int = _SKIP


def _search_code(arguments: SearchCode, stage: Stage) -> str:
    return _search(stage, arguments.pattern, arguments, fixed=False)


def _grep(arguments: Grep, stage: Stage) -> str:
    return _search(stage, arguments.text, arguments, fixed=True)


def _search(stage: Stage, pattern: str, arguments: SearchCode | Grep, *, fixed: bool) -> str:
    if any(char in pattern for char in "\n\r\0"):
        raise ToolFailed("a search is for text within one line; search for one of the lines")
    listing = _listing(stage)
    hidden = hidden_among(stage, listing)
    if arguments.paths:
        is_meant = meant(arguments.paths)
        paths = [path for path in listing if path not in hidden and is_meant(path)]
        secret = sum(map(is_meant, hidden))
    else:
        paths = [path for path in listing if path not in hidden]
        secret = len(hidden)
    # One more than is shown tells whether there are more
    most = arguments.skip + _MOST_MATCHES + 1
    matches = stage.workspace.search(
        pattern, fixed=fixed, ignore_case=arguments.ignore_case, paths=paths, most=most
    )
    rows = [f"{shown(match.path)}:{match.line}: {match.text}" for match in matches]
    total = f"{len(rows)} matches" if len(rows) < most else f"more than {most - 1} matches"
    left_out = f"; {secret} secret files were not searched" if secret else ""
    page = rows[arguments.skip : arguments.skip + _MOST_MATCHES]
    return _page(page, len(rows), total + left_out, arguments.skip, _MOST_MATCHES)


def _page(page: Sequence[str], number: int, total: str, skip: int, most: int) -> str:
    more = f"; the same call with skip {skip + most} goes on" if number > skip + most else ""
    return "\n".join((f"[{total}{more}]", *page))


LIST_FILES: Final = Tool(
    name="list_files",
    kind=Kind.READ,
    description="List the files below a folder, links and submodules included.",
    arguments=ListFiles,
    execute=_list,
    touches=lambda arguments: (Touch(path=arguments.folder, how=How.LIST),) if arguments.folder else (),
)
FIND_FILES: Final = Tool(
    name="find_files",
    kind=Kind.READ,
    description="Find files by a gitignore pattern for their paths.",
    arguments=FindFiles,
    execute=_find,
)
SEARCH_CODE: Final = Tool(
    name="search_code",
    kind=Kind.READ,
    description="Search text files line by line with a regular expression (ripgrep's; no look-around).",
    arguments=SearchCode,
    execute=_search_code,
)
GREP: Final = Tool(
    name="grep",
    kind=Kind.READ,
    description="Search text files line by line for fixed text.",
    arguments=Grep,
    execute=_grep,
)
