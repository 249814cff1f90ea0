"""A repository's own layout of the plan: Jinja2's sandbox, plain values, a limit on time and on length.

It comes from the default branch, so from maintainers; the words it places come from anybody, and are quoted.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from functools import partial
from threading import Thread, get_ident
from typing import Final

from markupsafe import Markup

from bot.dataclass import dataclass
from bot.render.environment import Clean, own_comments
from bot.render.inert import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """`why` is one sentence for the maintainers: what is wrong with their template, and in which line."""

    why: str


class Bare(str):
    """A word that no filter has passed: wherever a template places it, it is quoted."""

    __slots__ = ()

    def __html__(self) -> str:
        return quoted(str(self))


def guarded(value: object) -> object:
    """The same facts, with every word in them bare."""
    if isinstance(value, Markup | StrEnum):
        return value
    if isinstance(value, str):
        return Bare(value)
    if isinstance(value, dict):
        return {name: guarded(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return tuple(map(guarded, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{part.name: guarded(getattr(value, part.name)) for part in fields(value)})
    return value


def fill_own(
    source: str,
    facts: Mapping[str, object],
    *,
    language: str,
    most: int,
    processor_s: float = 2.0,
    clean: Clean | None = None,
) -> str | Unusable:
    """The template may `{% extends "plan.md.j2" %}` and override its blocks; see docs/template.md.

    `processor_s` is the processor time that it may take: on a machine that is busy with other things a plan
    has the same comment, for apply works out again what was shown of it.
    """
    outcome: list[str | Unusable] = []
    mistakes: list[BaseException] = []
    clocks: list[_Clock] = []

    def fill() -> None:
        clocks.append(_Clock())
        try:
            outcome.append(_filled(source, facts, language=language, most=most, clean=clean))
        except BaseException as mistake:  # noqa: BLE001 - of ours, and raised where it is waited for
            mistakes.append(mistake)

    # A loop in a sandbox still runs for ever; nothing else stops one. A thread that hangs ends with the job.
    work = Thread(target=fill, daemon=True)
    work.start()
    while work.is_alive() and not (clocks and clocks[0].passed_s() >= processor_s):
        work.join(_LOOK_EVERY_S)
    if mistakes:
        raise mistakes[0]
    why = f"it took more than {processor_s:g} seconds of processor time"
    return outcome[0] if outcome else Unusable(why=why)


class _Clock:
    """The processor time of the thread that makes it, for others to read; of all where none is told."""

    def __init__(self) -> None:
        named: Callable[[int], int] | None = getattr(time, "pthread_getcpuclockid", None)
        # Only a thread itself can be sure that it has not ended.
        self._read = time.process_time if named is None else partial(time.clock_gettime, named(get_ident()))
        self._began = self._read()

    def passed_s(self) -> float:
        try:
            return self._read() - self._began
        except OSError:
            # The thread has ended this moment.
            return 0.0


def _filled(
    source: str, facts: Mapping[str, object], *, language: str, most: int, clean: Clean | None
) -> str | Unusable:
    from jinja2 import ChoiceLoader, DictLoader, TemplateError

    shared = own_comments(language, clean)
    own = shared.overlay(loader=ChoiceLoader([DictLoader({_NAME: source}), shared.loader]))  # type: ignore[list-item]
    own.globals = {name: value for name, value in own.globals.items() if name not in _NO_LOOPS}
    own.filters = {name: by for name, by in own.filters.items() if name not in _NO_TRUST}
    text = ""
    try:
        for piece in own.get_template(_NAME).generate(
            {name: guarded(value) for name, value in facts.items()}
        ):
            # A Markup would escape all that it is joined with.
            text += str(piece)
            if len(text) > most:
                return Unusable(why=f"it makes more than {most:,} characters")
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        return Unusable(why=f"{error.message or type(error).__name__}{f' (line {line})' if line else ''}")
    except _ITS_MISTAKES as error:
        return Unusable(why=f"{type(error).__name__}: {error}")
    return text.strip() + "\n"


_NAME: Final = "own.md.j2"
# What an expression can make of Jinja2 and of Python, a length that nothing can have among them.
_ITS_MISTAKES: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
_LOOK_EVERY_S: Final = 0.05
# `range` and the like are of no use in a layout, and make long loops short to write.
_NO_LOOPS: Final = frozenset({"range", "cycler", "joiner", "lipsum", "namespace"})
# These say of a word that it is safe, or make HTML of it.
_NO_TRUST: Final = frozenset(
    {"safe", "e", "escape", "forceescape", "urlize", "xmlattr", "tojson", "striptags"}
)
