"""Untrusted text -> text fit for a model, a person, a log line or a commit message. Pure.

A model must not be told what a person can't see, so hidden things are taken out and counted; a person must
see what was hidden, so it is spelled out as `⟨U+202E⟩`. What makes Markdown inert is in `render/inert.py`.
"""

import re
from typing import Final
from urllib.parse import unquote

from bot.dataclass import dataclass
from bot.words.hidden import Hidden, hides_something, scan
from bot.words.hidden_markup import without_hidden_markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """`findings` are plain sentences on what was taken out, empty when nothing was."""

    text: str
    findings: tuple[str, ...] = ()


def for_model(text: str, *, where: str = "the text", is_source: bool = False) -> Cleaned:
    """What people can see of `text`; `where` names it in the findings.

    Prose is taken as Markdown: entities are decoded and comments removed, until nothing changes. Source code
    (`is_source`) keeps both, since they mean something there, and loses only hidden characters.
    """
    counts = {_CHARACTER: 0, _COMMENT: 0}
    # A space is a space and a line end a line end, however wide or odd: nothing is hidden by those.
    text = _ODD_LINE_END.sub("\n", _ODD_SPACE.sub(" ", text))
    before = None
    while text != before:
        before = text
        text, dropped = _without_hidden(text)
        counts[_CHARACTER] += dropped
        if not is_source:
            text, dropped = without_hidden_markup(_decoded(text))
            counts[_COMMENT] += dropped
    return Cleaned(
        text=text,
        findings=tuple(_finding(count, what, where) for what, count in counts.items() if count),
    )


def for_people(text: str) -> str:
    """`text` with every hidden character spelled out; line feeds and tabs stay.

    Several in a row are told together, and text written in tag characters is read out.
    """
    text = text.replace("\r\n", "\n")
    return "".join(_spelled(part) if isinstance(part, Hidden) else part for part in scan(text))


def for_log(line: str) -> str:
    """One line that a workflow's log shows and never obeys."""
    line = for_people(line).replace("\n", "⏎").replace("\t", " ")
    line = _OLD_COMMAND.sub(lambda found: " ".join(found[0]), line)
    line = _AT_LINE_START.sub(lambda found: found[1] + " ".join(found[2]), line)
    # A long line may be wrapped before a command inside it. What ends no command begins none.
    last = line.rfind("::")
    return _COLONS.sub(lambda found: " ".join(found[0]) if found.end() <= last else found[0], line)


def for_commit(text: str, *, most: int = 500) -> str:
    """One line for a commit message: closes no issue, skips no check, mentions nobody, is no trailer."""
    text = " ".join(for_people(text).split())
    text = _COMMIT_WORD.sub(lambda found: found[0] + " ", text)
    text = text.replace("[", "(").replace("]", ")")
    if _TRAILER.match(text):
        text = "> " + text
    return text if len(text) <= most else text[: most - 1] + "…"


def _without_hidden(text: str) -> tuple[str, int]:
    parts = scan(text)
    dropped = sum(part.count for part in parts if isinstance(part, Hidden))
    return "".join(part for part in parts if isinstance(part, str)), dropped


def _spelled(hidden: Hidden) -> str:
    first = f"U+{ord(hidden.text[0]):04X}"
    if hidden.count == 1:
        return f"⟨{first}⟩"
    if tagged := hidden.tagged:
        return f"⟨{hidden.count} tag characters: {tagged}⟩"
    if len(set(hidden.text)) == 1:
        return f"⟨{first} x{hidden.count}⟩"
    return f"⟨{hidden.count} hidden characters from {first}⟩"


def _decoded(text: str) -> str:
    # A ladder of `&amp;amp;amp;` would take as many rounds as it has rungs.
    text = re.sub(r"&(?:amp;)+", "&", text)
    # An entity ends in a semicolon for GitHub; without one, `?a=1&copy=2` is an address.
    text = _ENTITY.sub(_decoded_entity, text)
    return _PERCENT.sub(_decoded_percent, text)


def _decoded_entity(found: re.Match[str]) -> str:
    # Here, for few texts have one, and it brings a table of thousands along.
    from html import unescape

    return unescape(found[0])


def _decoded_percent(found: re.Match[str]) -> str:
    """Percent signs are ordinary in prose and URLs: decoded only where they hide something."""
    decoded = unquote(re.sub(r"%(?:25)+(?=[0-9A-Fa-f]{2})", "%", found[0]), errors="replace")
    return decoded if "<" in decoded or ">" in decoded or hides_something(decoded) else found[0]


def _finding(count: int, what: str, where: str) -> str:
    if what == _CHARACTER:
        if count == 1:
            return f"1 invisible character was taken out of {where}"
        return f"{count} invisible characters were taken out of {where}"
    if count == 1:
        return f"1 hidden comment was taken out of {where}"
    return f"{count} hidden comments were taken out of {where}"


_CHARACTER: Final = "invisible character"
_COMMENT: Final = "hidden comment"
_ODD_SPACE: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
_ODD_LINE_END: Final = re.compile("\r\n?|[\u2028\u2029]")
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});")
_PERCENT: Final = re.compile(r"(?:%(?:25)*[0-9A-Fa-f]{2})+")
# How the runner reads a line (its ActionCommand.cs): `##[name ...]` anywhere, `::name ...::` at the start,
# blanks aside. The name is what comes before the first blank, and any word may have been made one, by
# `::stop-commands::word`. Another text may follow this one in its line: so colons at its start are parted
# whether or not it has others.
_OLD_COMMAND: Final = re.compile(r"(?<!#)##+(?=\[)")
_AT_LINE_START: Final = re.compile(r"^(\s*)(::+)")
_COLONS: Final = re.compile(r"(?<!:)::+(?=[^\s:])")
# `#1`, `GH-1`, `@name`, `https://...`: parted from what follows.
_COMMIT_WORD: Final = re.compile(r"(?:\#|\bGH-|@|://)(?=\w)", re.IGNORECASE)
_TRAILER: Final = re.compile(r"[\w-]+\s*:|(?:fixup|squash|amend)!", re.IGNORECASE)
