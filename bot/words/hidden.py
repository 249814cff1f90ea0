"""Text -> runs of visible text and of hidden characters: what a person looking at it would not see.

Controls, format and tag characters, private use, unassigned, surrogates, blank-looking letters and marks,
spaces that are no space, marks and variation selectors without a base, and piles of marks. Line feeds and
tabs are visible.
"""

import re
import unicodedata
from typing import Final

from bot.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A run of hidden characters, as they stood."""

    text: str

    @property
    def count(self) -> int:
        return len(self.text)

    @property
    def tagged(self) -> str:
        """What the run says, when all of it is ASCII moved to the tag block, as in smuggled instructions."""
        moved = [chr(ord(char) - _TAGS) for char in self.text if _TAGS < ord(char) <= _TAGS + 0x7F]
        says = "".join(char for char in moved if char.isprintable())
        return says if len(moved) == len(self.text) else ""


def scan(text: str) -> list[str | Hidden]:
    """Joined again, the parts are the text. Quick for text with nothing in question, whatever its length."""
    if _PLAIN.fullmatch(text):
        return [text] if text else []
    in_question = {char for char in set(text) if _is_in_question(char)}
    if not in_question:
        return [text] if text else []
    parts: list[str | Hidden] = []
    start = 0
    marks = 0
    is_hidden = False
    for at, char in enumerate(text):
        if char not in in_question:
            hides, marks = False, 0
        else:
            # What is hidden itself is no base: it won't be there when people look.
            before = text[at - 1] if at and not is_hidden else ""
            hides = _hides(char, before, text[at + 1 : at + 2], marks)
            marks = marks + 1 if unicodedata.category(char) in _MARKS else 0
        if hides is not is_hidden:
            if at > start:
                parts.append(Hidden(text=text[start:at]) if is_hidden else text[start:at])
            start, is_hidden = at, hides
    parts.append(Hidden(text=text[start:]) if is_hidden else text[start:])
    return parts


def hides_something(text: str) -> bool:
    return any(isinstance(part, Hidden) for part in scan(text))


def _is_in_question(char: str) -> bool:
    if " " <= char <= "~" or char in "\n\t":
        return False
    return unicodedata.category(char) in _IN_QUESTION or char in _BLANK


def _hides(char: str, before: str, after: str, marks: int) -> bool:
    if char in _EMOJI_SELECTORS:
        # A digit has one in a keycap only: elsewhere it would carry a hidden bit.
        return not (_is_symbol(before) or (before in _KEYCAP_BASES and after == _KEYCAP))
    if char == _JOINER:
        return not (before and (_is_symbol(before) or before in _EMOJI_SELECTORS) and _is_symbol(after))
    if char == _WIDE_SPACE:
        return not (_is_wide(before) or _is_wide(after))
    if char in _BLANK or unicodedata.category(char) not in _MARKS or _is_selector(char):
        return True
    has_base = before != "" and (unicodedata.category(before)[0] in "LNM" or _is_symbol(before))
    return marks >= _MOST_MARKS or not has_base


def _is_symbol(char: str) -> bool:
    """Whether it may be part of an emoji: what those are made of has these categories, digits aside."""
    return char > "~" and char not in _BLANK and unicodedata.category(char) in {"So", "Sk", "Sm", "Po", "Pd"}


def _is_wide(char: str) -> bool:
    return (
        char != ""
        and char not in _BLANK
        and unicodedata.category(char)[0] in "LNPS"
        and unicodedata.east_asian_width(char) in "WF"
    )


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


# The arrow and the dots are in what we say ourselves.
_PLAIN: Final = re.compile(r"[ -~\n\t→…]*")
_MARKS: Final = frozenset({"Mn", "Me"})
_IN_QUESTION: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}) | _MARKS
# What Unicode calls default ignorable and does not put in a category above, and what fonts draw as nothing.
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
)
_EMOJI_SELECTORS: Final = frozenset({"\ufe0e", "\ufe0f"})
_KEYCAP: Final = "\u20e3"
_KEYCAP_BASES: Final = tuple("0123456789#*")
_JOINER: Final = "\u200d"
_WIDE_SPACE: Final = "\u3000"
_TAGS: Final = 0xE0000
# Scripts that pile up marks (Vietnamese, Hebrew with cantillation, Thai) stay within this.
_MOST_MARKS: Final = 4
