"""Markdown as GitHub shows it in a comment: its own renderer, then an allow-list, then its own touches.

What comes out holds no script, no style and nothing that loads, whatever went in.
"""

import html
import re
from html.parser import HTMLParser

_TAGS = frozenset(
    "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i input ins kbd li ol p pre q s"
    " samp span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var".split()
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "details": {"open"},
    "input": {"checked", "disabled"},
    "ol": {"start"},
    "pre": {"lang"},
    "td": {"align"},
    "th": {"align"},
}
_ALERT = re.compile(
    r"<blockquote>\s*<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*(?:<br>\s*)?(.*?)</blockquote>",
    re.DOTALL,
)
_DIFF = re.compile(r'<pre lang="diff"><code>(.*?)</code></pre>', re.DOTALL)
_MENTION = re.compile(r"(?<![\w/@`])@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))(?![\w-])")


def as_shown(markdown: str) -> str:
    """HTML for one comment."""
    import cmarkgfm
    import nh3
    from cmarkgfm.cmark import Options

    # Without UNSAFE cmark drops every tag, <details> too. The allow-list below makes it safe, as on GitHub.
    # In comments, unlike in files, a line end is a line end.
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_GITHUB_PRE_LANG | Options.CMARK_OPT_HARDBREAKS
    raw = cmarkgfm.github_flavored_markdown_to_html(markdown, options)
    clean = nh3.clean(
        raw,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        tag_attribute_values={"input": {"type": {"checkbox"}}},
        link_rel="nofollow noopener",
    )
    clean = _ALERT.sub(_alert, clean)
    clean = _DIFF.sub(lambda found: diff_lines(html.unescape(found[1])), clean)
    return _with_mentions(clean)


def diff_lines(diff: str) -> str:
    """A diff as a block of coloured lines."""
    lines = [
        f'<span class="{_line_class(line)}">{html.escape(line, quote=False)}\n</span>'
        for line in diff.removesuffix("\n").split("\n")
    ]
    return f'<pre class="diff"><code>{"".join(lines)}</code></pre>'


def _line_class(line: str) -> str:
    if line.startswith(("+++", "---", "diff ", "index ")):
        return "file"
    return {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1], "same")


def _alert(found: re.Match[str]) -> str:
    kind = found[1]
    title = f'<p class="alert-title">{kind.title()}</p>'
    words = found[2].removeprefix("</p>").lstrip()
    opening = "" if words.startswith("<") or not words else "<p>"
    return f'<div class="alert alert-{kind.lower()}">{title}{opening}{words}</div>'


def _with_mentions(clean: str) -> str:
    """A live mention looks like one, so that a page shows whom a comment would call."""
    pass_through = _Mentions()
    pass_through.feed(clean)
    pass_through.close()
    return "".join(pass_through.said)


class _Mentions(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.said: list[str] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._quiet += tag in ("a", "code", "pre")
        self.said.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("a", "code", "pre")
        self.said.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.said.append(data if self._quiet else _MENTION.sub(r'<a class="mention">@\1</a>', data))

    def handle_entityref(self, name: str) -> None:
        self.said.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.said.append(f"&#{name};")
