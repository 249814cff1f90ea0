from html.parser import HTMLParser
from pathlib import Path

import pytest
from chromium import Chromium, needs_chromium
from hostile import HOSTILE
from samples import command, edit, mixed, plan, tried
from snapshots import same_as_golden

from bot.action import storable
from bot.cost import Usage
from bot.plan import Plan, TaskName
from bot.render.html import page
from bot.render.language import LANGUAGES

REHEARSED = plan(
    edit(1),
    tried(
        2,
        "python tools/contents.py docs",
        effects=edit(path="docs/contents.md").effects,
        output="docs/guide.md: 3 headings\nwrote docs/contents.md\n",
        intent="The table of contents follows the headings.",
        depends_on=(1,),
        unsteady=("docs/contents.md",),
    ),
    tried(3, "pytest -q tests", exit_code=1, output="1 failed, 1 passed in 0.31s\n", outcome="allow"),
)
VOID = {"meta", "input", "col"}
TURNS = [Usage(calls=1, input_tokens=900 * number, output_tokens=100) for number in range(1, 7)]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")


def tags(text: str) -> Tags:
    parser = Tags()
    parser.feed(text)
    parser.close()
    assert not parser.open
    return parser


def everywhere(text: str) -> Plan:
    text = str(storable(text)).replace("\0", "") + "z"
    return plan(
        edit(1, path=text.replace("\n", " "), intent=text, reason=text, rule=text, source=text),
        command(2, line=text, advice={"concerns": [text]}),
        edit(3, error=text),
        task=TaskName(name=text, prompt_digest="f" * 64),
        repository=text,
        model=text,
        summary=text,
        findings=(text,),
        stopped_by=text,
        chaos=text,
        bot_version=text,
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_adds_nothing_to_the_page(text: str) -> None:
    found, harmless = tags(page(everywhere(text))), tags(page(everywhere("words ")))
    assert found.tags == harmless.tags
    assert found.attributes == harmless.attributes


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_rehearsed_commands_looks_like_its_golden_file(language: str) -> None:
    assert same_as_golden("page-rehearsed", language, page(REHEARSED, language=language), ending="html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_loads_nothing_and_runs_nothing(language: str) -> None:
    text = page(mixed(), turns=TURNS, language=language)
    found = tags(text)
    assert "script" not in found.tags
    assert "link" not in found.tags
    assert "img" not in found.tags
    assert not {name for name in found.attributes if name.startswith("on") or name in {"src", "action"}}
    assert "default-src 'none'; style-src 'unsafe-inline'" in text
    assert "://" not in text
    assert f'<html lang="{language}">' in text


def test_every_step_and_its_verdict_is_there() -> None:
    text = page(mixed())
    for number, badge in enumerate(("allow", "allow", "ask", "deny", "failed"), 1):
        assert f'<details class="step {badge}" id="step-{number}" open>' in text


def test_the_chart_has_a_bar_for_every_model_call() -> None:
    assert page(mixed(), turns=TURNS).count('<i style="height:') == 2 * len(TURNS)
    assert 'class="chart"' not in page(mixed())
    assert "height:0%" in page(mixed(), turns=[Usage()])


def test_a_page_in_spanish_is_in_spanish() -> None:
    text = page(mixed(), language="es")
    assert "Plan de acciones (dry-run): 5 acciones planificadas" in text
    assert "denegar" in text


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("width", [360, 800, 1400])
@pytest.mark.parametrize("made", [mixed(), everywhere("long" * 400), everywhere("many words " * 90)])
def test_nothing_runs_out_of_the_page(made: Plan, width: int, browser: Chromium, tmp_path: Path) -> None:
    file = tmp_path / "plan.html"
    file.write_text(page(made, turns=TURNS), encoding="utf-8")
    seen = browser.open(file, width=width)
    assert seen.runs_out() == []
    assert seen.tell("document.documentElement.scrollHeight") > 500


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_has_a_glyph_and_enough_contrast_for_all_it_shows(
    language: str, browser: Chromium, tmp_path: Path, *, dark: bool
) -> None:
    file = tmp_path / "plan.html"
    file.write_text(page(mixed(), turns=TURNS, language=language), encoding="utf-8")
    seen = browser.open(file, width=1000, dark=dark)
    assert seen.missing_glyphs() == []
    assert seen.faint_words() == []
    assert seen.picture(tmp_path / "plan.png").startswith(b"\x89PNG")
