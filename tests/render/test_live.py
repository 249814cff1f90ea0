import pytest

from bot.marker import Marker, embed, write
from bot.render.live import faults

LIVE = {
    "a mention": "hello @octocat",
    "a mention over bold": "hello @**octocat**",
    "a mention in a heading": "### @octocat",
    "a mention in a cell": "| a |\n|--|\n| @octocat |",
    "a mention in a summary": "<details>\n<summary>@octocat</summary>\n\n</details>",
    "a reference": "see #1",
    "another repository's": "see owner/repo#12",
    "an old style reference": "see GH-12",
    "a tracker's reference": "see JIRA-12",
    "a commit": "see deadbeef",
    "an address": "see https://evil.example",
    "a www address": "see www.evil.example",
    "a mail address": "mail a@evil.example",
    "a link": "[x](https://evil.example)",
    "a link by definition": "[x]\n\n[x]: https://evil.example",
    "an autolink": "<https://evil.example>",
    "an image": "![x](y.png)",
    "an image as HTML": '<img src="x">',
    "markup of others": "<b>x</b>",
    "a style": '<p style="color:red">x</p>',
    "an event": '<details ontoggle="x()">\n\nx\n\n</details>',
    "a heading of another size": "# Approved",
    "a rule": "x\n\n---\n",
    "a task": "- [x] done",
    "a footnote": "x[^1]\n\n[^1]: y",
    "an emoji code": "well :shipit: done",
    "a formula": "it costs $5 to $6",
    "a comment": "x <!-- y -->",
    "a comment that never ends": "<!-- y",
    "a details that never ends": "<details>\n\nx",
    "a details that ends twice": "<details>\n\nx\n\n</details>\n\n</details>",
    "a details with a slash": "<details/>\n\nx",
    "a declaration": "<!DOCTYPE html>",
    "a processing instruction": "<?php x ?>",
    "CDATA": "x <![CDATA[y]]>",
    "strikethrough": "~~x~~",
    "an override": "x\u202ey",
    "tags": "x\U000e0041",
}


@pytest.mark.parametrize("body", LIVE.values(), ids=LIVE)
def test_what_is_live_is_found(body: str) -> None:
    assert faults(body)


QUIET = {
    "prose": "All is well.",
    "code": "see `@octocat #1 deadbeef https://evil.example`",
    "a block": "```\n@octocat #1 <script>\n```",
    "a table with our entity": "| a | b |\n|--:|:--|\n| ✅&nbsp;allow | c |",
    "a fold": "<details open>\n<summary>1 · <code>a@b</code></summary>\n\nx\n\n</details>",
    "an alert of ours": "> [!WARNING]\n> Stopped early.",
    "small print": "<sub>Plan `abc`</sub>",
    "a marker": write(
        Marker(kind="plan", task="x", digest="a" * 64, answers=1, state="open", version="0.1.0")
    ),
    "a record": embed(b"x" * 1000),
    "a time": "good until 2026-01-07 12:00 UTC",
}


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_what_is_quiet_is_let_through(body: str) -> None:
    assert faults(body) == ()


def test_only_the_links_that_were_named_may_be() -> None:
    body = "[run](https://github.com/acme/site/actions/runs/1)"
    assert faults(body, links=("https://github.com/acme/site/actions/runs/1",)) == ()
    assert faults(body, links=("https://github.com/acme/site/actions/runs/2",))
