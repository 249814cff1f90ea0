"""What a program's arguments may hold before it must ask: its harmless options, or its harmful ones."""

import re
from collections.abc import Sequence
from typing import Final

from bot.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmless:
    """All options that a program may have, so that one which nobody thought of asks.

    `short` as for getopt: after a letter with `:` the rest of the word is its value. `words` are whole
    options, `most_operands` the number of other words.
    """

    short: str = ""
    long: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    most_operands: int | None = None

    def __call__(self, arguments: Sequence[str]) -> str | None:
        operands = 0
        for argument in arguments:
            if not argument.startswith("-") or argument == "-":
                operands += 1
            elif not self._is_harmless(argument):
                return f"has the option {argument}, which may run a program or write a file"
        if self.most_operands is not None and operands > self.most_operands:
            return "has an argument that it may write to"
        return None

    def _is_harmless(self, option: str) -> bool:
        if option in self.words or option == "--" or (self.short and _NUMBER.fullmatch(option)):
            return True
        if option.startswith("--"):
            return option[2:].split("=", 1)[0] in self.long
        for letter in option[1:]:
            at = self.short.find(letter)
            if at < 0 or letter == ":":
                return False
            if self.short[at + 1 : at + 2] == ":":
                return True
        return bool(self.short)


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmful:
    """Options that load or write something, for programs whose other options are too many to list."""

    options: tuple[str, ...] = ()
    first_words: frozenset[str] = frozenset()

    def __call__(self, arguments: Sequence[str]) -> str | None:
        if arguments and arguments[0] in self.first_words:
            return f"{arguments[0]} runs, installs or sends something"
        for argument in arguments:
            if argument.startswith("-") and any(_is(argument, option) for option in self.options):
                return f"has the option {argument}, which may run a program or write a file"
        return None


def _is(argument: str, option: str) -> bool:
    name = argument.split("=", 1)[0]
    if option.startswith("--"):
        # Many programs take any beginning of a long option for the whole.
        return len(name) > 2 and option.startswith(name)
    if len(option) > 2:
        return name.lstrip("-") == option.lstrip("-")
    return not argument.startswith("--") and option[1] in argument[1:]


_NUMBER: Final = re.compile(r"-[0-9]+")
