"""A comment's Markdown -> the line that people see first, and those after it: no command hides from anybody.

A line that is quoted, fenced, indented, in a list or in an HTML comment is no line of text.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it.token import Token


def visible_lines(body: str) -> tuple[str, str]:
    """The first line that a person sees, and all after it; ("", "") where the first is not plain text."""
    # A byte order mark is no blank to CommonMark, and would hide the indentation of what follows.
    lines = body.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    seen: list[str] = []
    at = 0
    for block in _blocks("\n".join(lines)):
        first, after = block.map or [0, 0]
        shown, is_open = _shown(block.type, "\n".join(lines[first:after]))
        if not seen and shown.strip():
            if not _is_text(block):
                return "", ""
            at = first
        if seen or shown.strip():
            seen += [*lines[at:first], shown]
            at = after
        if is_open:
            break
    first_line, _, further_lines = _trimmed("\n".join(seen)).partition("\n")
    return _trimmed(first_line), _trimmed(further_lines)


def _is_text(block: "Token") -> bool:
    """An underlined line is a heading to CommonMark, and text to whoever drew the line above a signature."""
    return block.type == "paragraph_open" or (block.type == "heading_open" and block.markup in {"=", "-"})


def _shown(kind: str, block: str) -> tuple[str, bool]:
    """A block's text without HTML comments, and whether an open one hides all that follows.

    Only a block of HTML can do that: in a paragraph, `<!--` without an end is shown as it stands.
    """
    if kind == "html_block":
        shown, opener, _ = _without_comments(block, openers="<!--").partition("<!--")
        return shown, bool(opener)
    return (block if kind in {"fence", "code_block"} else _without_comments(block, openers="`+|<!--")), False


def _blocks(markdown: str) -> Iterator["Token"]:
    """The blocks at the top level, in order. Inline Markdown is slow to parse, and says nothing here."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").disable("inline")
    return (token for token in parser.parse(markdown) if token.level == 0 and token.nesting >= 0)


def _without_comments(text: str, *, openers: str) -> str:
    """`text` as it is seen. Where `openers` has code spans too, comments in them are visible."""
    kept, at, unclosed = [], 0, set()
    while opener := re.compile(openers).search(text, at):
        end = None if opener[0] in unclosed else _end(text, opener)
        if end is None:
            # Remembered, so that a thousand openers without an end are not a thousand searches to the end.
            unclosed.add(opener[0])
            end = opener.end()
            kept.append(text[at:end])
        elif opener[0] == "<!--":
            kept.append(text[at : opener.start()])
        else:
            kept.append(text[at:end])
        at = end
    return "".join([*kept, text[at:]])


def _end(text: str, opener: re.Match[str]) -> int | None:
    if opener[0] == "<!--":
        # `<!-->` and `<!--->` are whole comments (CommonMark 6.6).
        closer = re.compile(r"(?<=<!-)->|(?<=<!--)->|-->").search(text, opener.end() - 1)
        return closer and closer.end()
    runs = re.compile(r"`+").finditer(text, opener.end())
    return next((run.end() for run in runs if run[0] == opener[0]), None)


def _trimmed(text: str) -> str:
    """Without white space and invisible characters at both ends."""
    visible = [at for at, letter in enumerate(text) if not letter.isspace() and letter not in _INVISIBLE]
    return text[visible[0] : visible[-1] + 1] if visible else ""


_INVISIBLE: Final = frozenset("\ufeff\u200b\u200c\u200d\u200e\u200f\u2060")
