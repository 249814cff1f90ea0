"""A command line -> what it would run and name, before anybody looks at the repository: cached by its text.

Every literal word may be a path, whole or in part (`HEAD:.env`, `--file=.env`, `-f.env`), and from every
folder that the line goes to. Too much is named rather than too little: a name can only make a verdict
stricter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.argv_pattern import Word
from bot.command_line import CommandLine, command_line_of
from bot.path import RepoPath, path_of
from bot.program import inner_commands, name_of, script_in, why_ask, writes_its_arguments

_DEEPEST: Final = 4
_MOST_FOLDERS: Final = 8
_PARTS: Final = re.compile(r"[=:,@]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """`is_written`: a redirect's target, or an argument of a program that makes, changes or removes files."""

    path: RepoPath
    is_written: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """`commands` are the line's own simple commands, `handed_on` all that any of them may come to run.

    `caution` is why it asks whatever the allow list says, as a sentence without its end; None: its words
    tell all.
    """

    line: CommandLine
    handed_on: tuple[tuple[Word, ...], ...]
    named: tuple[Named, ...]
    caution: str | None

    @property
    def commands(self) -> tuple[tuple[Word, ...], ...]:
        return self.line.commands


@lru_cache(maxsize=16384)
def invocation_of(text: str) -> Invocation:
    line = command_line_of(text)
    handed_on = tuple(dict.fromkeys(_handed_on(line, depth=0)))
    folders = _folders(handed_on)
    return Invocation(
        line=line,
        handed_on=handed_on,
        named=tuple(_named(line, handed_on, folders)),
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
    return None


def _handed_on(line: CommandLine, *, depth: int) -> Iterator[tuple[Word, ...]]:
    for argv in line.commands:
        for inner in inner_commands(argv):
            yield inner
            for script in script_in(inner):
                if depth == _DEEPEST:
                    yield (None,)
                else:
                    yield from _handed_on(command_line_of(script), depth=depth + 1)


def _named(
    line: CommandLine, handed_on: Iterable[tuple[Word, ...]], folders: Sequence[str]
) -> Iterator[Named]:
    written = dict.fromkeys(line.writes)
    words = dict.fromkeys(line.words)
    for argv in handed_on:
        known = [word for word in argv if word is not None]
        words |= dict.fromkeys(known)
        if argv and argv[0] is not None and writes_its_arguments(argv[0]):
            written |= dict.fromkeys(known[1:])
    seen: set[tuple[str, bool]] = set()
    for group, is_written in ((written, True), (words, False)):
        for word in group:
            for path in _paths_in(word, folders):
                if (path.written, is_written) not in seen and (path.written, True) not in seen:
                    seen.add((path.written, is_written))
                    yield Named(path=path, is_written=is_written)


def _paths_in(word: str, folders: Sequence[str]) -> Iterator[RepoPath]:
    for text in _candidates(word):
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
    if _PARTS.search(word):
        at = 0
        for separator in _PARTS.finditer(word):
            yield from filter(None, (word[at : separator.start()], word[separator.end() :]))
            at = separator.end()


def _folders(commands: Iterable[tuple[Word, ...]]) -> tuple[str, ...]:
    """Every folder that paths may be relative to, besides the repository's root, in all orders they may come in."""
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
    for option, value in zip(argv, argv[1:], strict=False):
        if option in _FOLDER_OPTIONS and value:
            yield value
    for word in argv:
        name, separator, value = (word or "").partition("=")
        if separator and name in _FOLDER_OPTIONS and value:
            yield value


_FOLDER_OPTIONS: Final = frozenset(
    {
        "-C",
        "--directory",
        "--chdir",
        "--prefix",
        "--cwd",
        "--work-tree",
        "--rootdir",
        "--root",
        "--project",
        "--dir",
    }
)
