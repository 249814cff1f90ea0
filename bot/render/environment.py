"""A language -> the Jinja2 environment of a kind of layout: comments, a repository's own comments, pages.

A comment's words are Markdown, and what no filter has passed is quoted; a page's are HTML, and escaped.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from bot.render.inert import cell, code, fenced, html_code, quoted, said
from bot.render.language import catalogue
from bot.render.sentence import translated
from bot.render.side_by_side import rows_of
from bot.render.size import listed, usd
from bot.words.sanitise import for_people

if TYPE_CHECKING:
    from jinja2 import Environment, PackageLoader


@cache
def comments(language: str) -> "Environment":
    """For our own layouts, which name only what a view has."""
    from jinja2 import Environment

    from bot.render.loader import Loader

    return _of_comments(Environment, language, Loader())


@cache
def own_comments(language: str) -> "Environment":
    """For a layout that is a repository's: what it names is looked at before it is given."""
    from jinja2 import PackageLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return _of_comments(ImmutableSandboxedEnvironment, language, PackageLoader("bot"))


@cache
def pages(language: str) -> "Environment":
    from jinja2 import Environment

    from bot.render.loader import Loader

    made = _in_language(Environment, language, Loader())
    made.filters |= {"shown": for_people, "rows": rows_of, "usd": usd, "listed": listed}
    return made


def _of_comments(kind: "type[Environment]", language: str, loader: "PackageLoader") -> "Environment":
    made = _in_language(kind, language, loader)
    made.finalize = _inert
    made.filters |= {by.__name__: _marked(by) for by in _FILTERS}
    return made


def _in_language(kind: "type[Environment]", language: str, loader: "PackageLoader") -> "Environment":
    from jinja2 import StrictUndefined

    made = kind(
        loader=loader,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    words = catalogue(language)
    made.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    # Our own sentences, which reach us in English; still bare after it.
    made.filters["spoken"] = lambda text: translated(text, language)
    return made


def _inert(value: object) -> object:
    """What a template places and no filter has passed is quoted: forgetting one can't make anything live."""
    is_bare = isinstance(value, str) and not isinstance(value, Markup)
    return Markup(quoted(str(value))) if is_bare else value  # noqa: S704


def _marked(by: Callable[..., str]) -> Callable[..., Markup]:
    """The filter, whose result is Markdown of ours and stands as it is."""
    return lambda *args: Markup(by(*args))  # noqa: S704


_FILTERS: Final = (cell, code, fenced, html_code, listed, quoted, said, usd)
