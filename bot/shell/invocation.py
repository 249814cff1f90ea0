"""A command line -> what it would run and name, before anybody looks at the repository: cached by its text.

Every literal word may be a path, whole or in part (`HEAD:.env`, `--file=.env`, `-f.env`), and from every
folder that the line goes to. Too much is named rather than too little: a name only makes verdicts stricter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

from bot.dataclass import dataclass
from bot.paths.path import RepoPath, path_of
from bot.shell.argv_pattern import Word
from bot.shell.command_line import CommandLine, command_line_of
from bot.shell.program import inner_commands, name_of, only_reads, scripts_in, why_ask

_DEEPEST: Final = 4
_MOST_FOLDERS: Final = 8
_MOST_WORDS: Final = 400
_MOST_NAMED: Final = 4_000
# No system opens a longer path.
_LONGEST_WORD: Final = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """`is_only_read`: only programs that do nothing else name it, and no redirect."""

    path: RepoPath
    is_only_read: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """`commands` are the line's own simple commands, `handed_on` all that any of them may come to run.

    `fault` completes "the command ...": no shell should ever see it. `caution` is why it asks whatever the
    allow list says, as a sentence without its end; None: its words tell all.
    """

    commands: tuple[tuple[Word, ...], ...]
    handed_on: tuple[tuple[Word, ...], ...]
    named: tuple[Named, ...]
    fault: str | None
    caution: str | None


@lru_cache(maxsize=16384)
def invocation_of(text: str) -> Invocation:
    """Total: any text has an answer. Equal texts are worked out once."""
    line = command_line_of(text)
    fault = line.fault
    if fault is None and len(line.words) > _MOST_WORDS:
        fault = f"has more than {_MOST_WORDS} words"
    if fault is not None:
        return Invocation(commands=(), handed_on=((None,),), named=(), fault=fault, caution=None)
    handed_on = tuple(dict.fromkeys(_handed_on(line, depth=0)))
    folders = _folders(handed_on)
    named = tuple(islice(_named(line, handed_on, folders), _MOST_NAMED))
    return Invocation(
        commands=line.commands,
        handed_on=handed_on,
        named=named,
        fault="names too many things to look at" if len(named) == _MOST_NAMED else None,
        caution=_caution(line, folders),
    )


def _caution(line: CommandLine, folders: Sequence[str]) -> str | None:
    if line.why_not_literal:
        return f"the command has {line.why_not_literal}"
    for argv in line.commands:
        known = [word for word in argv if word is not None]
        if why := why_ask(known):
            return f"{known[0]} {why}"
    if len(folders) >= _MOST_FOLDERS:
        return "the command changes folders too often to follow"
    if any(len(word) > _LONGEST_WORD for word in line.words):
        return "the command has a word too long to look at"
    return None


def _handed_on(line: CommandLine, *, depth: int) -> Iterator[tuple[Word, ...]]:
    for argv in line.commands:
        for inner in inner_commands(argv):
            yield inner
            for script in scripts_in(inner):
                if depth == _DEEPEST:
                    yield (None,)
                else:
                    yield from _handed_on(command_line_of(script), depth=depth + 1)


def _named(
    line: CommandLine, handed_on: Iterable[tuple[Word, ...]], folders: tuple[str, ...]
) -> Iterator[Named]:
    handled = set(line.writes)
    words = dict.fromkeys((*line.words, *line.writes))
    for argv in handed_on:
        known = [word for word in argv if word is not None]
        words |= dict.fromkeys(known)
        if line.why_not_literal is not None or not known or not only_reads(known):
            handled.update(known)
    seen: set[tuple[str, bool]] = set()
    for word in words:
        for path in _paths_in(word, folders):
            named = Named(path=path, is_only_read=word not in handled)
            if (path.written, named.is_only_read) not in seen:
                seen.add((path.written, named.is_only_read))
                yield named


@lru_cache(maxsize=16384)
def _paths_in(word: str, folders: tuple[str, ...]) -> tuple[RepoPath, ...]:
    return tuple(_read_as_paths(word, folders))


def _read_as_paths(word: str, folders: tuple[str, ...]) -> Iterator[RepoPath]:
    for text in _candidates(word) if len(word) <= _LONGEST_WORD else ():
        if text == "/dev/null":
            continue
        yield path_of(text)
        if not text.startswith(("/", "~")):
            for folder in folders:
                yield path_of(f"{folder}/{text}")


def _candidates(word: str) -> Iterator[str]:
    if not word.startswith("-"):
        if word:
            yield word
    elif len(word) > 2 and not word.startswith("--"):
        yield word[2:]
    at = 0
    for separator in _PARTS.finditer(word):
        yield from filter(None, (word[at : separator.start()], word[separator.end() :]))
        at = separator.end()


def _folders(commands: Iterable[tuple[Word, ...]]) -> tuple[str, ...]:
    """Every folder that paths may be relative to, besides the root, in whatever order the line goes there."""
    found: dict[str, None] = {}
    for argv in commands:
        for folder in _goes_to(argv):
            for start in ("", *found):
                if len(found) < _MOST_FOLDERS:
                    found[f"{start}/{folder}" if start else folder] = None
    return tuple(found)


def _goes_to(argv: tuple[Word, ...]) -> Iterator[str]:
    if len(argv) == 2 and argv[0] is not None and name_of(argv[0]) == "cd" and argv[1]:
        yield argv[1]
    for option, value in pairwise(argv):
        if option in _FOLDER_OPTIONS and value:
            yield value
    for word in argv:
        name, separator, value = (word or "").partition("=")
        if separator and name in _FOLDER_OPTIONS and value:
            yield value


_PARTS: Final = re.compile(r"[=:,@]")
_FOLDER_OPTIONS: Final = frozenset(
    {"-C", "--directory", "--chdir", "--prefix", "--cwd", "--work-tree", "--rootdir", "--root", "--project"}
    | {"--dir"}
)
