"""The templates as they were compiled beforehand, beside what Jinja2 makes of them now."""

import os
from collections.abc import Callable, Mapping

import pytest
from jinja2 import Environment, Template

from bot.render.environment import comments, own_comments, pages
from bot.render.language import LANGUAGES
from bot.render.loader import COMPILED, Loader, file_of

NAMES = sorted(path.name for path in COMPILED.parent.glob("*.j2"))


def _environment(name: str, language: str = "en") -> Environment:
    return (pages if name.endswith(".html.j2") else comments)(language)


def _text(name: str) -> str:
    return Loader().get_source(_environment(name), name)[0]


def _compiled(name: str, language: str = "en") -> str:
    return _environment(name, language).compile(_text(name), name, raw=True) + "\n"


def test_what_is_kept_is_what_jinja_makes_of_the_templates() -> None:
    """After a change of a template: UPDATE_TEMPLATES=1 pytest tests/render/test_loader.py"""
    expected = {file_of(name, _text(name)): _compiled(name) for name in NAMES}
    if os.environ.get("UPDATE_TEMPLATES"):
        COMPILED.mkdir(exist_ok=True)
        for path in COMPILED.glob("*.py"):
            path.unlink()
        for file, source in expected.items():
            (COMPILED / file).write_text(source, "utf-8")
    assert {path.name: path.read_text("utf-8") for path in COMPILED.glob("*.py")} == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_same_in_every_language(language: str) -> None:
    assert [_compiled(name, language) for name in NAMES] == [_compiled(name) for name in NAMES]


class _Counting(Environment):
    """How many templates it compiled."""

    compiled = 0

    def compile(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
        self.compiled += 1
        return super().compile(*args, **kwargs)  # type: ignore[call-overload]


def _counting(kind: Callable[[str], Environment], loader: object = None) -> _Counting:
    """An environment of this kind, with nothing loaded yet."""
    made, counting = kind("en"), _Counting(extensions=["jinja2.ext.i18n"])
    counting.__dict__.update({**made.__dict__, "cache": {}, "loader": loader or made.loader})
    return counting


@pytest.mark.parametrize("name", NAMES)
def test_a_template_of_ours_is_not_compiled_again(name: str) -> None:
    environment = _counting(pages if name.endswith(".html.j2") else comments)
    assert environment.get_template(name).name == name
    assert environment.compiled == 0


class _Changed(Loader):
    """As if somebody had just written to the template."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        text, *rest = super().get_source(environment, template)
        return (f"{text}Changed.", *rest)  # type: ignore[return-value]


def test_one_that_was_changed_is_shown_as_it_is_now() -> None:
    environment = _counting(comments, _Changed())
    filled: Template = environment.get_template("bare.md.j2")
    assert environment.compiled == 1
    assert filled.render(title="A title").endswith("Changed.")


def test_a_repositorys_layout_is_compiled_in_its_sandbox() -> None:
    assert not isinstance(own_comments("en").loader, Loader)


def test_two_languages_keep_apart() -> None:
    facts: Mapping[str, str] = {"title": "deny"}
    told = {language: comments(language).get_template("bare.md.j2").render(facts) for language in LANGUAGES}
    assert "### deny" in told["en"]
    assert "### denegar" in told["es"]
