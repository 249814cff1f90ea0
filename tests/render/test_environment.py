from collections.abc import Callable

import pytest
from jinja2 import Environment, UndefinedError
from jinja2.exceptions import SecurityError

from bot.render.environment import comments, own_comments, pages
from bot.render.language import LANGUAGES

KINDS = [comments, own_comments, pages]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_layout_names_and_is_not_there_is_an_error(
    kind: Callable[[str], Environment], language: str
) -> None:
    with pytest.raises(UndefinedError):
        kind(language).from_string("{{ missing }}").render()


@pytest.mark.parametrize("kind", KINDS)
def test_a_layout_speaks_its_language(kind: Callable[[str], Environment]) -> None:
    told = {language: kind(language).from_string("{{ _('deny') }}").render() for language in LANGUAGES}
    assert told["en"] == "deny"
    assert told["es"] == "denegar"


INERT = {
    comments: "`@octocat` `<b>`",
    own_comments: "`@octocat` `<b>`",
    pages: "@octocat &lt;b&gt;",
}


@pytest.mark.parametrize(("kind", "shown"), INERT.items())
def test_a_word_that_no_filter_has_passed_is_inert(kind: Callable[[str], Environment], shown: str) -> None:
    assert kind("en").from_string("{{ word }}").render(word="@octocat <b>") == shown


def test_only_a_layout_of_ours_is_trusted_with_what_it_names() -> None:
    reaching = "{{ ''.__class__.__mro__ }}"
    with pytest.raises(SecurityError):
        own_comments("en").from_string(reaching).render()
