from functools import cache

import pytest
from hostile import HOSTILE, UNSTORABLE
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError
from places import PLACES, skeleton

from bot.render.layout import fill, lay_out
from bot.render.size import units
from bot.words.redaction import redact

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40) | st.text(
    "`|\\ \n@#[]()<>*_~$&;:/!-=+1aF\u200d\ufe0f\u202e", max_size=40
)


@cache
def _harmless(place: str) -> list[str]:
    return skeleton(PLACES[place]("words z").body)


def test_there_are_many_hostile_texts_and_many_places_for_them() -> None:
    assert len(HOSTILE) >= 60
    assert len(set(HOSTILE.values())) == len(HOSTILE)
    assert len(PLACES) >= 46


# What a place says when it is empty is another paragraph: `z` keeps it from being empty.
@pytest.mark.parametrize("text", (HOSTILE | UNSTORABLE).values(), ids=HOSTILE | UNSTORABLE)
@pytest.mark.parametrize("place", PLACES)
def test_hostile_text_is_inert_in_every_place(place: str, text: str) -> None:
    rendered = PLACES[place](text + "z")
    assert rendered.fault is None
    assert skeleton(rendered.body) == _harmless(place)
    rendered.body.encode("utf-8")
    # Other bots look for commands at the start of a line, code or not.
    commands = [line for line in rendered.body.split("\n") if line.startswith("/")]
    assert all(line.startswith("/apply ") for line in commands)


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=10, deadline=None)
@given(text=ANY_TEXT)
def test_any_text_is_inert_in_every_place(place: str, text: str) -> None:
    rendered = PLACES[place](text + "z")
    assert rendered.fault is None
    assert skeleton(rendered.body) == _harmless(place)


def test_a_fault_takes_the_bare_layout() -> None:
    facts = {
        "sign": "⛔",
        "what": "x",
        "next_step": "y",
        "reason": "r",
        "title": "Say which plan",
        "patch": "",
    }
    rendered = lay_out(
        "told.md.j2", facts | {"run_url": "https://evil.example/x"}, language="en", marker="<!-- m -->"
    )
    assert rendered.fault is not None
    assert "evil" in rendered.fault
    assert "evil" not in rendered.body
    assert "Say which plan" in rendered.body


def test_a_body_that_is_too_long_takes_the_bare_layout() -> None:
    facts = {
        "sign": "⛔",
        "what": "word " * 500,
        "next_step": "y",
        "reason": "r",
        "title": "T",
        "run_url": None,
        "patch": "",
    }
    rendered = lay_out("told.md.j2", facts, language="en", most=300)
    assert rendered.fault is not None
    assert units(rendered.body) <= 300


LOOK_LIKE_SECRETS = {
    "up to the next blank": "a:_authToken=x",
    "up to the next five dashes": "-----BEGIN PRIVATE KEY-----",
    "letters and no more": "npm_" + "a" * 36,
}


@pytest.mark.parametrize("words", LOOK_LIKE_SECRETS.values(), ids=LOOK_LIKE_SECRETS)
def test_words_lose_a_secret_before_they_are_laid_out(words: str) -> None:
    told = {"sign": "⛔", "title": "T", "reason": "r", "run_url": None}
    facts = told | {"what": f"{words} @org -----", "next_step": words, "patch": f"+{words}\n"}
    rendered = lay_out("told.md.j2", facts, language="en", redact=redact)
    harmless = lay_out("told.md.j2", told | dict.fromkeys(("what", "next_step", "patch"), "x"), language="en")
    assert (rendered.fault, rendered.is_redacted) == (None, True)
    assert redact(rendered.body) == rendered.body
    assert words not in rendered.body
    assert skeleton(rendered.body) == skeleton(harmless.body)


def test_what_looks_like_a_secret_only_when_it_is_laid_out_takes_the_bare_layout() -> None:
    told = {"sign": "⛔", "title": "T", "reason": "r", "run_url": None, "patch": ""}
    facts = told | {"what": "words", "next_step": "z"}
    rendered = lay_out("told.md.j2", facts, language="en", redact=lambda text: text.replace("words\n", "***"))
    assert rendered.fault == "what looks like a secret"
    assert "words" not in rendered.body


def test_what_a_template_names_and_is_not_there_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        fill("told.md.j2", {}, language="en")
