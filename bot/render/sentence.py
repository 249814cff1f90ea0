"""A sentence of ours in English -> the same in the reader's language, by the templates of the catalogue.

Records, refusals and logs are in English, so that a digest depends on nobody's language. What is read on a
page is said again here. A `Sentence`, as errors have them, knows its template and its parts. Of what comes
out of a record there is the text alone: it is known by the words between its parts, which stay as they are.

A part that holds such words itself can be taken apart wrongly; then it is told in two languages, and nothing
of it is lost, since every pattern keeps all of its parts.
"""

import gettext
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from bot.dataclass import dataclass
from bot.render.language import catalogue
from bot.sentence import Sentence

# Of sentences that are looked for in a text, and of those that come with their template.
CONTEXT: Final = "sentence"
WHOLE: Final = "error"
# Parts that are words of ours again, such as why a path is refused.
_PHRASES: Final = frozenset(
    "calls caution fault limit missed next_step problem reason seconds steps there what where why"
    " why_not_literal".split()
)
_OUTCOMES: Final = frozenset({"outcome", "value"})
# What the parts of a `Sentence` may be called that were worked out as texts; the others are somebody's words.
_TEXTS: Final = frozenset({"expected", "fault", "reason", "value"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """`between` are the words around the parts that `names` names, one more than there are names."""

    between: tuple[str, ...]
    names: tuple[str, ...]
    translation: str

    def parts(self, text: str) -> dict[str, str] | None:
        """The parts of `text` by name, or None where it is another sentence. Linear in the text."""
        first, last = self.between[0], self.between[-1]
        if not self.names:
            return {} if text == first else None
        if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
            return None
        found: list[str] = []
        at, end = len(first), len(text) - len(last)
        for words in self.between[1:-1]:
            upto = text.find(words, at, end)
            if upto < 0:
                return None
            found.append(text[at:upto])
            at = upto + len(words)
        return dict(zip(self.names, [*found, text[at:end]], strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patterns:
    """The `hollow` ones have no word of their own; `words` is the catalogue."""

    solid: tuple[_Pattern, ...]
    hollow: tuple[_Pattern, ...]
    words: gettext.NullTranslations


def translated(text: str, language: str) -> str:
    """`text` itself, where it is English that is asked for or no sentence of ours."""
    if language == "en":
        return text
    if isinstance(text, Sentence) and (said := _said(text, language)) is not None:
        return said
    patterns = _patterns(language)
    for spelled, end in _spellings(text):
        if (told := _told(spelled, patterns, depth=0)) is not None:
            told = told if text[:1].islower() else told[:1].upper() + told[1:]
            return told.removesuffix(".") + end
    return text


def _said(sentence: Sentence, language: str) -> str | None:
    """None for a template that the catalogue lacks, such as a text of others."""
    words = catalogue(language)
    for context in (WHOLE, CONTEXT):
        template = words.pgettext(context, sentence.template)
        if template != sentence.template:
            break
    else:
        if any(map(str.isalpha, _PART.sub("", sentence.template))) or not sentence.parts:
            return None
        template = sentence.template
    return template % {name: _part(name, part, language) for name, part in sentence.parts.items()}


def _part(name: str, part: str, language: str) -> str:
    if isinstance(part, Sentence) or name == "reason":
        return translated(part, language)
    return _again({name: part}, _patterns(language), 0)[name] if name in _TEXTS else part


def _spellings(text: str) -> Iterator[tuple[str, str]]:
    """As it stands, and as it stood before somebody made a whole sentence of it."""
    yield text, "." if text.endswith(".") else ""
    bare = text.removesuffix(".")
    small = text[:1].lower() + text[1:]
    for spelled in dict.fromkeys((bare, small, small.removesuffix("."))):
        yield spelled, "." if text.endswith(".") else ""


def _told(text: str, patterns: _Patterns, *, depth: int) -> str | None:
    for pattern in patterns.solid:
        parts = pattern.parts(text)
        if parts is not None:
            return pattern.translation % _again(parts, patterns, depth)
    if depth < _DEEPEST:
        for pattern in patterns.hollow:
            if (told := _hollow(text, pattern, patterns, depth)) is not None:
                return told
    return None


def _hollow(text: str, pattern: _Pattern, patterns: _Patterns, depth: int) -> str | None:
    """A part and what is said of it, as in `a.md is denied`: it is one of ours if the second part is."""
    (first, between, last), (name, phrase) = pattern.between, pattern.names
    if not (text.startswith(first) and text.endswith(last)):
        return None
    body = text[len(first) : len(text) - len(last)]
    at = -1
    for _ in range(_MOST_TRIES):
        at = body.find(between, at + 1)
        if at < 0:
            return None
        told = _told(body[at + len(between) :], replace(patterns, hollow=()), depth=depth + 1)
        if told is not None:
            return pattern.translation % {name: body[:at], phrase: told}
    return None


def _again(parts: Mapping[str, str], patterns: _Patterns, depth: int) -> dict[str, str]:
    again = {}
    for name, part in parts.items():
        kind = name.rstrip("23")
        if kind in _OUTCOMES:
            again[name] = patterns.words.gettext(part)
        elif kind in _PHRASES and depth < _DEEPEST:
            again[name] = _told(part, patterns, depth=depth + 1) or part
        else:
            again[name] = part
    return again


@cache
def _patterns(language: str) -> _Patterns:
    """Those with the most words first: what they recognise is hardly another sentence."""
    from importlib.resources import files

    from babel.messages.mofile import read_mo

    with (files("bot") / "locale" / language / "LC_MESSAGES" / "dryrun-bot.mo").open("rb") as stream:
        found = [
            _pattern(str(message.id), str(message.string))
            for message in read_mo(stream)
            if message.context == CONTEXT
        ]
    found.sort(key=lambda pattern: -len("".join(pattern.between)))
    hollow = tuple(pattern for pattern in found if not any(map(str.isalpha, "".join(pattern.between))))
    return _Patterns(
        solid=tuple(pattern for pattern in found if pattern not in hollow),
        hollow=hollow,
        words=catalogue(language),
    )


def _pattern(message: str, translation: str) -> _Pattern:
    pieces = _PART.split(message)
    return _Pattern(
        between=tuple(piece.replace("%%", "%") for piece in pieces[::2]),
        names=tuple(pieces[1::2]),
        translation=translation,
    )


_PART: Final = re.compile(r"%\((\w+)\)s")
_DEEPEST: Final = 2
_MOST_TRIES: Final = 40
