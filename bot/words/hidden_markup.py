"""Markdown -> the same without what GitHub never shows: comments, declarations, definitions used as comments.

Some code that people would see goes too, where it looks like one of those: better than that something hidden
stays.
"""

import re
from typing import Final


def without_hidden_markup(text: str) -> tuple[str, int]:
    """The text, line ends kept, and how many pieces were taken out. Takes linear time, whatever the text."""
    kept: list[str] = []
    taken = start = at = 0
    never_closed: set[str] = set()
    while found := _OPENING.search(text, at):
        end = _end(text, found, never_closed)
        if end is None:
            at = found.end()
            continue
        kept += [text[start : found.start()], "\n" * text.count("\n", found.start(), end)]
        taken += 1
        start = at = end
    return "".join(kept) + text[start:], taken


def _end(text: str, found: re.Match[str], never_closed: set[str]) -> int | None:
    opening = found["opening"]
    if opening is None:
        return found.end()
    closing = _CLOSING[opening]
    if opening not in never_closed:
        if closed := closing.search(text, found.end() - (2 if opening == "<!--" else 0)):
            return closed.end()
        never_closed.add(opening)
    # Where a line starts with one, in a quote or a list too, GitHub hides all that follows.
    line_start = text.rfind("\n", 0, found.start()) + 1
    starts_line = _CONTAINER.fullmatch(text, line_start, found.start("opening"))
    return len(text) if starts_line and opening != "<?" else None


_OPENING: Final = re.compile(
    r"(?P<opening><!--|<!\[CDATA\[|<\?)|<![A-Za-z][^<>]*>"
    r"|^ {0,3}\[[^\]\n]{1,999}\]:[ \t]*\n?[ \t]*(?:\#\S*|<[^>\n]*>)[ \t]*\n?[ \t]*"
    r"""(?:"[^"]{0,2000}"|'[^']{0,2000}'|\([^)]{0,2000}\)|["'(][^\n]*)?[ \t]*$""",
    re.MULTILINE,
)
_CLOSING: Final = {
    # `<!-->` and `<!--->` are whole.
    "<!--": re.compile(r"--!?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<?": re.compile(r"\?>"),
}
_CONTAINER: Final = re.compile(r"[ \t>*+\d.)-]*")
