"""The page loads nothing, runs nothing, and shows every word as a word."""

from html.parser import HTMLParser

import pytest
from hostile import HOSTILE

from bot.action import storable
from bot.impact import Change, Impact, Refused, Spent, assembled
from bot.render.impact_page import impact_page
from bot.render.language import LANGUAGES

HOME = "https://github.com/acme/widgets"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.hrefs += [value for name, value in attrs if name in {"href", "src"}]

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")


def tags(page: str) -> Tags:
    parser = Tags()
    parser.feed(page)
    parser.close()
    return parser


def everywhere(text: str) -> Impact:
    words = str(storable(text)).replace("\0", "") + "z"
    change = Change(
        run=words,
        name=words,
        link=words,
        action=1,
        tool=words,
        about=words,
        what=words,
        before=words,
        after=words,
        more=1,
    )
    return assembled(
        kind="decisions",
        subject={words: words},
        runs=3,
        changes=[change, change.model_copy(update={"link": f"{HOME}/pull/7"})],
        refused=[Refused(file=words, why=words)],
        left_out={words: 1},
        spent=Spent(calls=1, tokens=1, usd=None),
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_adds_nothing_to_the_page(text: str) -> None:
    found, harmless = tags(impact_page(everywhere(text))), tags(impact_page(everywhere("words ")))
    assert found.tags == harmless.tags
    assert found.hrefs == [f"{HOME}/pull/7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_loads_nothing_and_runs_nothing(language: str) -> None:
    page = impact_page(everywhere("x"), language=language)
    assert not {"script", "link", "img", "iframe", "form"}.intersection(tags(page).tags)
    assert "default-src 'none'" in page


def test_the_charts_show_each_kind_and_tool_with_its_number() -> None:
    changes = [
        Change(
            run=f"run-{number}",
            name="n",
            link=None,
            action=1,
            tool="write_file",
            about="a",
            what="allow→ask" if number % 4 else "new action",
            before="b",
            after="c",
        )
        for number in range(8)
    ]
    page = impact_page(
        assembled(kind="policy", subject={}, runs=80, changes=changes, refused=[], left_out={})
    )
    assert "This change alters 8 of 80 past runs" in page
    assert '<i class="ask" style="width:100%"></i><span>6</span>' in page
    assert '<i class="" style="width:33%"></i><span>2</span>' in page
    assert '<i style="width:10%"></i>' in page


def test_nothing_changed_is_a_page_as_well() -> None:
    page = impact_page(assembled(kind="tools", subject={}, runs=5, changes=[], refused=[], left_out={}))
    assert "This change alters none of 5 past runs" in page
    assert "Changes by kind" not in page
