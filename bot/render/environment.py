"""A language -> the Jinja2 environment of a kind of layout: comments, a repository's own comments, pages.

A comment's words are Markdown, and what no filter has passed is quoted; a page's are HTML, and escaped.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from markupsafe import Markup

from bot.render.inert import cell, code, fenced, html_code, quoted, said
from bot.render.language import catalogue
from bot.render.sentence import translated
from bot.render.side_by_side import rows_of
from bot.render.size import listed, usd
from bot.words.sanitise import for_people

if TYPE_CHECKING:
    from jinja2 import Environment, PackageLoader

Clean: TypeAlias = Callable[[str], str]


@cache
def comments(language: str, clean: Clean | None = None) -> "Environment":
    """For our own layouts, which name only what a view has. `clean` is done to each word before a filter."""
    from jinja2 import Environment

    from bot.render.loader import Loader

    return _of_comments(Environment, language, Loader(), clean)


@cache
def own_comments(language: str, clean: Clean | None = None) -> "Environment":
    """For a layout that is a repository's: what it names is looked at before it is given."""
    from jinja2 import PackageLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return _of_comments(ImmutableSandboxedEnvironment, language, PackageLoader("bot"), clean)


@cache
def pages(language: str) -> "Environment":
    from jinja2 import Environment

    from bot.render.loader import Loader

    made = _in_language(Environment, language, Loader())
    made.filters |= {"shown": for_people, "rows": rows_of, "usd": usd, "listed": listed}
    return made


def _of_comments(
    kind: "type[Environment]", language: str, loader: "PackageLoader", clean: Clean | None
) -> "Environment":
    made = _in_language(kind, language, loader)
    inert = _marked(_cleaned(quoted, clean))
    made.finalize = lambda value: inert(str(value)) if _is_bare(value) else value
    made.filters |= {by.__name__: _marked(_cleaned(by, clean)) for by in _OF_WORDS}
    made.filters |= {by.__name__: _marked(by) for by in _OF_OURS}
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


def _is_bare(value: object) -> bool:
    """What a template places and no filter has passed is quoted: forgetting one can't make anything live."""
    return isinstance(value, str) and not isinstance(value, Markup)


def _cleaned(by: Callable[..., str], clean: Clean | None) -> Callable[..., str]:
    return by if clean is None else lambda text, *args: by(clean(str(text)), *args)


def _marked(by: Callable[..., str]) -> Callable[..., Markup]:
    """The filter, whose result is Markdown of ours and stands as it is."""
    return lambda *args: Markup(by(*args))  # noqa: S704


_OF_WORDS: Final = (code, fenced, html_code, quoted, said)
_OF_OURS: Final = (cell, listed, usd)
