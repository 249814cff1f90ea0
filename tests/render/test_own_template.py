from itertools import count
from threading import Event, Thread
from time import sleep

import pytest
from markupsafe import Markup

from bot.render.own_template import Unusable, fill_own

FACTS = {"word": "@org *x*", "words": ["#1"], "ours": Markup("**ours**"), "number": 3}


def filled(source: str, most: int = 10_000) -> str | Unusable:
    return fill_own(source, FACTS, language="en", most=most)


PLACED = {
    "a filter": ("{{ word | quoted }}", "`@org` \\*x\\*\n"),
    "no filter": ("{{ word }}", "`@org` \\*x\\*\n"),
    "a filter twice": ("{{ word | quoted | quoted }}", None),
    "ours": ("{{ ours }}", "**ours**\n"),
    "a number": ("{{ number }}", "3\n"),
    "joined with ours": ("{{ ours ~ word }}", "**ours**`@org` \\*x\\*\n"),
    "joined with text": ("{{ 'see ' ~ word }}", "see `@org` \\*x\\*\n"),
    "in a list": ("{{ words | join(', ') }}", "`#1`\n"),
    "in a list of ours": ("{{ [ours, word] | join(', ') }}", "**ours**, `@org` \\*x\\*\n"),
    "in a message": ("{{ _('see %(word)s', word=word) }}", "see `@org` \\*x\\*\n"),
    "changed on the way": ("{{ word | replace('org', 'team') }}", "`@team` \\*x\\*\n"),
    "in capitals": ("{{ word | upper }}", "`@ORG` \\*X\\*\n"),
    "without escaping": ("{% autoescape false %}{{ word }}{% endautoescape %}", "`@org` \\*x\\*\n"),
    "through a macro": ("{% macro m(w) %}<{{ w }}>{% endmacro %}{{ m(word) }}", "<`@org` \\*x\\*>\n"),
    "through a block": ("{% set w %}{{ word }}{% endset %}{{ w }}", "`@org` \\*x\\*\n"),
}


@pytest.mark.parametrize(("source", "text"), PLACED.values(), ids=PLACED)
def test_a_word_is_quoted_however_it_is_placed(source: str, text: str | None) -> None:
    outcome = filled(source)
    assert isinstance(outcome, str)
    assert "@org" not in outcome.replace("`@org`", "").replace("`` `@org` ``", "")
    assert text is None or outcome == text


UNUSABLE = {
    "a mistake": ("{% if %}", "line 1"),
    "what is not there": ("{{ nothing }}", "nothing"),
    "what is not there, of a word": ("{{ word.secret }}", "secret"),
    "a file": ("{% include '/etc/passwd' %}", "/etc/passwd"),
    "a file above": ("{% include '../../pyproject.toml' %}", "pyproject"),
    "python's insides": ("{{ word.__class__.__mro__ }}", "unsafe"),
    "python's insides by filter": ("{{ word | attr('__class__') }}", "unsafe"),
    "a function's insides": ("{{ _.__globals__ }}", "unsafe"),
    "calling it safe": ("{{ word | safe }}", "safe"),
    "making HTML of it": ("{{ word | urlize }}", "urlize"),
    "a change of ours": ("{{ words.append('x') }}", "append"),
    "a division by nothing": ("{{ 1 / 0 }}", "division"),
    "a wrong type": ("{{ number + word }}", "TypeError"),
    "a length that can't be": ("{{ word | truncate(-5) }}", "AssertionError"),
    "a length that has no room": ("{{ word | center(10 ** 15) }}", "MemoryError"),
    "too much text": ("{{ 'x' * 20000 }}", "characters"),
    "a range": ("{% for x in range(9) %}{% endfor %}", "range"),
    "itself": ("{% include 'own.md.j2' %}", "recursion"),
}


@pytest.mark.parametrize(("source", "why"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_template_that_can_not_be_used_is_told_why(source: str, why: str) -> None:
    outcome = filled(source)
    assert isinstance(outcome, Unusable)
    assert why in outcome.why


@pytest.mark.timeout(10)
class Odd:
    """A fact that we gave it and that can't be placed."""

    def __str__(self) -> str:
        raise NotImplementedError


def test_a_mistake_of_our_own_is_no_template_that_takes_too_long() -> None:
    with pytest.raises(NotImplementedError):
        fill_own("{{ odd }}", {"odd": Odd()}, language="en", most=99)


def test_a_template_that_never_ends_is_given_up() -> None:
    loops = "{% for a in l %}{% for b in l %}{% for c in l %}{% for d in l %}{% endfor %}{% endfor %}"
    source = f"{{% set l = 'x' * 60 | list %}}{loops}{{% endfor %}}{{% endfor %}}"
    outcome = fill_own(
        source.replace("'x' * 60 | list", "('x' * 60) | list"),
        FACTS,
        language="en",
        most=100,
        processor_s=0.05,
    )
    assert outcome == Unusable(why="it took more than 0.05 seconds of processor time")


def test_time_in_which_others_have_the_processor_does_not_count() -> None:
    busy = Event()
    other = Thread(target=lambda: all(not busy.is_set() for _ in count()), daemon=True)
    other.start()

    class Late:
        def __html__(self) -> str:
            sleep(0.6)
            return "late"

    # The first of all loads what a sandbox needs, which takes longer than most layouts do.
    assert filled("ready") == "ready\n"
    assert fill_own("{{ word }}", {"word": Late()}, language="en", most=100, processor_s=0.5) == "late\n"
    busy.set()
    other.join()


def test_a_layout_of_ours_can_be_taken_up() -> None:
    source = '{% extends "told.md.j2" %}'
    facts = {"sign": "x", "title": "T", "what": "w", "next_step": "n", "reason": "r", "patch": ""}
    facts |= {"run_url": None}
    outcome = fill_own(source, facts, language="en", most=1000)
    assert isinstance(outcome, str)
    assert outcome.startswith("### x T")
