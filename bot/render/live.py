"""A finished comment -> what is live in it that should not be, found with GitHub's own Markdown parser.

The last check before anything is posted: it knows nothing of how the comment was made, so a hole in a
filter or a template shows here.
"""

import re
from collections.abc import Collection
from html.parser import HTMLParser
from typing import Final

_Attributes = list[tuple[str, str | None]]


def faults(body: str, *, links: Collection[str] = ()) -> tuple[str, ...]:
    """What GitHub would make live, each in a few words; `links` are the addresses that may be."""
    from cmarkgfm import github_flavored_markdown_to_html
    from cmarkgfm.cmark import Options

    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_GITHUB_PRE_LANG | Options.CMARK_OPT_FOOTNOTES
    html = github_flavored_markdown_to_html(body, options)
    page = _Page(links=links)
    page.feed(html)
    page.close()
    # The parser says nothing of a comment that is never closed, and a browser hides all that follows.
    return page.found() if page.comments == html.count("<!--") else (*page.found(), "an HTML comment")


class _Page(HTMLParser):
    """Walks the rendered page; `comments` counts those that it saw."""

    def __init__(self, *, links: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._links = links
        self._open: list[str] = []
        self._faults: list[str] = []
        self._text = ""
        self.comments = 0

    def found(self) -> tuple[str, ...]:
        self._check_text()
        if self._open:
            self._faults.append(f"<{self._open[-1]}> is never closed")
        return tuple(dict.fromkeys(self._faults))

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        # A mention may be spread over bold and plain text, but not over two blocks or into code.
        if tag not in _INLINE:
            self._check_text()
        allowed = _ALLOWED.get(tag)
        if allowed is None:
            self._faults.append(f"<{tag}>")
        for name, value in attrs:
            if allowed is not None and name not in allowed:
                self._faults.append(f"<{tag} {name}>")
            if name == "href" and value not in self._links:
                self._faults.append(f"a link to {value}")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        # A browser opens `<details/>` and never closes it.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _INLINE:
            self._check_text()
        if not self._open or self._open.pop() != tag:
            self._faults.append(f"</{tag}> closes nothing")

    def handle_comment(self, data: str) -> None:
        self.comments += 1
        if not _OURS.fullmatch(data):
            self._faults.append("an HTML comment")

    def handle_decl(self, decl: str) -> None:
        self._faults.append(f"<!{decl[:20]}>")

    def unknown_decl(self, data: str) -> None:
        self._faults.append(f"<![{data[:20]}]>")

    def handle_pi(self, data: str) -> None:
        self._faults.append(f"<?{data[:20]}>")

    def handle_data(self, data: str) -> None:
        if not _INERT.intersection(self._open):
            self._text += data

    def _check_text(self) -> None:
        if not self._text:
            return
        for what, pattern in _LIVE.items():
            if found := pattern.search(self._text):
                self._faults.append(f"{what}: {found[0]}")
        self._text = ""


_ALLOWED: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(
        ("h3", "h4", "p", "table", "thead", "tbody", "tr", "ul", "li", "blockquote", "code", "summary"),
        frozenset(),
    ),
    **dict.fromkeys(("em", "strong", "br", "sub"), frozenset()),
    "td": frozenset({"align"}),
    "th": frozenset({"align"}),
    "pre": frozenset({"lang"}),
    "details": frozenset({"open"}),
    "ol": frozenset({"start"}),
    "a": frozenset({"href"}),
}
_VOID: Final = frozenset({"br", "hr"})
_INLINE: Final = frozenset({"em", "strong", "sub"})
_INERT: Final = frozenset({"pre", "code", "a"})
# The marker and the record: `marker.py`.
_OURS: Final = re.compile(r" dryrun-bot/1 [^<>]* | dryrun-bot-record/1 [A-Za-z0-9+/=]* ")
# What GitHub's filters look for in the text of a rendered comment.
_LIVE: Final = {
    "a mention": re.compile(r"@\w"),
    "a reference": re.compile(r"#\d|\b[A-Z][A-Z0-9_]*-\d", re.IGNORECASE),
    "a commit": re.compile(r"(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])", re.IGNORECASE),
    "an address": re.compile(r"://|\bwww\.", re.IGNORECASE),
    "an emoji code": re.compile(r":[a-z0-9_+-]+:", re.IGNORECASE),
    "a formula": re.compile(r"\$"),
    "a hidden character": re.compile(
        "[\u200b-\u200c\u200e-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
    ),
}
