"""Untrusted text -> Markdown that shows it and does nothing: the only filters by which it reaches a comment.

GitHub makes mentions, references, commit names, addresses, emoji codes and formulas live after Markdown was
rendered, whatever was escaped; it leaves code alone. So a word that is not plain prose is shown as code.
"""

import html
import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.words.sanitise import for_people


def quoted(text: str, most: int = 2000) -> str:
    """One line of prose, for any inline place. What is not prose in it becomes code."""
    return prose(_cut(text, most), "…" if len(text) > most else "")


# What has room is found out by making it, and then it is made again; reasons are alike from step to step.
@lru_cache(maxsize=1024)
def prose(text: str, end: str) -> str:
    """All of `text` as `quoted` shows it, and `end`, which is ours."""
    shown = ""
    for token in _TOKEN.finditer(" ".join(for_people(text).split()) + end):
        piece = _piece(token[0], is_first=not shown)
        # Two code spans side by side would make one of the two.
        shown += f" {piece}" if shown.endswith("`") and piece.startswith("`") else piece
    return shown


def code(text: str, most: int = 200) -> str:
    """A code span, for any inline place: names, paths, arguments."""
    return span(_shortened(text, most))


@lru_cache(maxsize=1024)
def span(text: str) -> str:
    """All of `text` as `code` shows it."""
    text = _one_line(text)
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def cell(markdown: str) -> str:
    """What `quoted` or `code` made, for a table cell. The table is split before code spans are seen."""
    # `\|` is a pipe in a cell, but a backslash before a pipe can't be written there: that pipe is spelled
    # out.
    return _PIPE.sub(lambda found: f"{found[1]}⟨U+007C⟩" if found[1] else r"\|", markdown)


def html_code(text: str, most: int = 120) -> str:
    """Code for inside a line of HTML, such as a fold's summary, where Markdown is not read."""
    return f"<code>{html.escape(_one_line(_shortened(text, most)))}</code>"


def fenced(text: str, language: str = "") -> str:
    """A code block, for places at the start of a line. `language` is ours, never anybody else's."""
    # Other bots read a comment's source and look for `/command` at the start of a line, code or not.
    text = _SLASH.sub(" /", for_people(text).rstrip("\n"))
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def said(text: str, most: int = 4000) -> str:
    """Somebody's words as a block quote, line by line, for places at the start of a line."""
    text = text.strip()
    lines = [quoted(line) for line in (_cut(text, most) + ("…" if len(text) > most else "")).split("\n")]
    # A backslash breaks the line, but only where a line of the same paragraph follows.
    breaks = ("\\" if line and after else "" for line, after in zip(lines, [*lines[1:], ""], strict=True))
    return "\n".join(f"> {line}{end}".rstrip() for line, end in zip(lines, breaks, strict=True))


def _shortened(text: str, most: int) -> str:
    """What is too long loses its middle: neither end is pushed out of sight."""
    return text if len(text) <= most else f"{_cut(text, most * 2 // 3)}⟨…⟩{text[-(most // 3) :]}"


def _one_line(text: str) -> str:
    """All of it visible, and never empty."""
    text = for_people(text).replace("\n", "⟨U+000A⟩").replace("\t", "⟨U+0009⟩")
    return _EDGE_SPACE.sub("⟨U+0020⟩", text) or "⟨⟩"


def _cut(text: str, most: int) -> str:
    """The beginning of `text`, not split inside what people see as one character."""
    if len(text) <= most:
        return text
    while most and (text[most - 1] == _JOINER or text[most] == _JOINER or unicodedata.combining(text[most])):
        most -= 1
    return text[:most]


def _piece(word: str, *, is_first: bool) -> str:
    if word == " ":
        return word
    if len(word) > 2 and word[0] == word[-1] == "`":
        return code(word[1:-1])
    before, core, after = _parted(word)
    plain = core.strip(_EMPHASIS)
    if not plain or _is_prose(plain):
        return code(word) if _EMOJI.search(word) else _escaped(word, is_first=is_first)
    return _escaped(before, is_first=is_first) + code(core) + _escaped(after)


def _parted(word: str) -> tuple[str, str, str]:
    """Punctuation, the word itself, punctuation. A bracket that the word opens and closes is a part of it.

    Stars are too: in `docs/**` they mean something, and bold prose is shown with its stars anyway.
    """
    pairs = _pairs(word)
    start, end = 0, len(word)
    while start < end:
        if word[end - 1] in _CLOSING and (word[end - 1] not in _BRACKETS.values() or end - 1 not in pairs):
            end -= 1
        elif word[start] in _OPENING and (word[start] not in _BRACKETS or start not in pairs):
            start += 1
        elif pairs.get(start) == end - 1:
            start, end = start + 1, end - 1
        else:
            break
    return word[:start], word[start:end], word[end:]


def _pairs(word: str) -> dict[int, int]:
    """Where the brackets are that belong together, by the place of either of the two."""
    pairs: dict[int, int] = {}
    is_open: list[int] = []
    for at, char in enumerate(word):
        if char in _BRACKETS:
            is_open.append(at)
        elif is_open and _BRACKETS[word[is_open[-1]]] == char:
            pairs |= {is_open[-1]: at, at: is_open.pop()}
    return pairs


def _is_prose(core: str) -> bool:
    """Words and short numbers; nothing that GitHub makes something of."""
    plain = unicodedata.normalize("NFKC", core)
    is_live = _LIVE.search(plain) or plain.lower() == "www"
    return not is_live and bool(_WORDS.fullmatch(core))


def _escaped(text: str, *, is_first: bool = False) -> str:
    # A pipe has two meanings in a table cell, and an entity has none.
    text = _SPECIAL.sub(r"\\\g<0>", text).replace("\\|", "&#124;")
    return _AT_START.sub(r"\g<1>\\\g<2>", text) if is_first else text


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_TOKEN: Final = re.compile(r"`[^`]+`|[^\s`]+|`| ")
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
_OPENING: Final = "([{\"'“\u2018«¿¡"
_CLOSING: Final = ")]}\"'”\u2019»,.;:!?…"
_EMPHASIS: Final = "*_~"
# Letters, digits and what is not ASCII: all but its others, for a class of all Unicode takes 6 ms to compile.
_LETTERS: Final = r"[^\x00-/:-@\[-`{-\x7f]+"
# With apostrophes, hyphens and points inside; numbers with their signs.
_WORDS: Final = re.compile(
    rf"{_LETTERS}(?:['-]{_LETTERS})*|(?:[A-Za-z]\.)+[A-Za-z]"
    r"|[-+]?\d+(?:[.,]\d+)*%?|[-+=.:;,!?()\[\]{}]+"
)
# A mention, a reference (`#1`, `GH-1`, a repository's own autolinks), a commit's name: seen as GitHub may
# fold them.
_LIVE: Final = re.compile(r"[@#]|\w-\d|[0-9a-f]{7}", re.IGNORECASE)
_EMOJI: Final = re.compile(r":[a-z0-9_+-]+:", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>&#|~$@]")
# What would begin a list, a heading's line, or the line below a table's head.
_AT_START: Final = re.compile(r"^(\d{0,9})([-+=.)]|:(?=-))")
_EDGE_SPACE: Final = re.compile(r"^ | $")
_PIPE: Final = re.compile(r"(\\*)\|")
_SLASH: Final = re.compile(r"^/", re.MULTILINE)
_JOINER: Final = "\u200d"
