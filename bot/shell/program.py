"""What is known of single programs: which run others or write through their arguments, and what steers them.

A command that `why_ask` speaks of is never allowed by a list, whoever wrote the list: an argv pattern says
which words a command may have, not what its program makes of them. Folder, case, version and ending of a
program's name say nothing about what it does.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from bot.shell.argv_pattern import Word
from bot.shell.program_table import (
    ALWAYS,
    CHECKED,
    NAMES_WITH_DIGITS,
    READERS,
    RUNS_ITS_ARGUMENTS,
    SHELLS,
    STEERED_BY,
)

_MOST_HANDED_ON: Final = 64
_VERSION: Final = re.compile(r"[-.0-9]+$")


@lru_cache(maxsize=16384)
def name_of(word: str) -> str:
    """`/usr/bin/Python3.11.exe` is python."""
    name = word.rsplit("/", 1)[-1].casefold().removesuffix(".exe")
    return name if name in NAMES_WITH_DIGITS else _VERSION.sub("", name) or name


def why_ask(argv: Sequence[str]) -> str | None:
    """Completes "`program` ..."; None: its words are what an argv pattern can judge."""
    name = name_of(argv[0])
    if (always := ALWAYS.get(name)) is not None:
        return always
    check = CHECKED.get(name)
    return check(argv[1:]) if check else None


def only_reads(argv: Sequence[str]) -> bool:
    name = name_of(argv[0])
    return (name in READERS or name == "git") and why_ask(argv) is None


def inner_commands(argv: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """The command, by its bare name too, and every one that it may hand on: `env git push` is git push."""
    yield tuple(argv)
    if not argv or argv[0] is None:
        return
    yield from _by_bare_name(argv)
    name = name_of(argv[0])
    if ALWAYS.get(name) == RUNS_ITS_ARGUMENTS or name == "find":
        if len(argv) > _MOST_HANDED_ON:
            yield (None,)
            return
        for at in range(1, len(argv)):
            yield tuple(argv[at:])
            yield from _by_bare_name(argv[at:])


def scripts_in(argv: Sequence[Word]) -> Iterator[str]:
    """The command lines that a shell is handed as one word: `sh -c "git push"`."""
    if argv and argv[0] is not None and name_of(argv[0]) in SHELLS:
        yield from (word for word in argv[1:] if word is not None and not word.startswith("-"))


def may_run(word: str, path: str) -> bool:
    """Whether a program may run, load or be steered by a file that the same plan changed, unasked.

    Of a program that is not known everything is thought; of one that only reads, nothing.
    """
    name = name_of(word)
    if name in READERS:
        return False
    steered_by = STEERED_BY.get(name)
    if steered_by is None:
        return True
    return _is_steered(steered_by, path.rsplit("/", 1)[-1].casefold())


@lru_cache(maxsize=10_000)
def _is_steered(steered_by: tuple[str, ...], base: str) -> bool:
    return any(fnmatchcase(base, pattern) for pattern in steered_by)


def _by_bare_name(argv: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    if argv[0] is None:
        return
    for name in dict.fromkeys((argv[0].rsplit("/", 1)[-1], name_of(argv[0]))):
        if name != argv[0]:
            yield (name, *argv[1:])
