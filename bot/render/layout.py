"""A template and its facts -> a finished comment. Words of others pass a filter; the result is checked again.

Templates lay out and do not think; what they name and is not there is an error, never an empty place.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from bot.render.inert import cell, code, fenced, html_code, quoted, said
from bot.render.language import catalogue
from bot.render.live import faults
from bot.render.sentence import translated
from bot.render.size import listed, units, usd

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_UNITS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What all replies need: the language, the comment that is answered, the workflow run that does it.

    `prefix` is the configuration's `command_prefix`, which then stands before every command.
    """

    language: str = "en"
    answers: int | None = None
    run_url: str | None = None
    prefix: str | None = None

    @property
    def slash(self) -> Markup:
        return slash(self.prefix)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """`fault` says what came out live; `body` is then a bare layout without anybody's words."""

    body: str
    fault: str | None = None


def lay_out(
    template: str,
    facts: Mapping[str, object],
    *,
    language: str,
    marker: str = "",
    bare: str = "bare.md.j2",
    links: tuple[str, ...] = (),
    most: int = MOST_UNITS,
) -> Rendered:
    """`marker` is a hidden first line; `links` are the only addresses that may be live.

    `most` is how long it may be, in UTF-16 code units.
    """
    first = f"{marker}\n\n" if marker else ""
    body = first + fill(template, facts, language=language)
    found = faults(body, links=links)
    if units(body) > most:
        found = (f"{units(body)} characters", *found)
    if not found:
        return Rendered(body=body)
    return Rendered(body=first + fill(bare, facts, language=language), fault="; ".join(found))


def slash(prefix: str | None) -> Markup:
    """What stands before a command. The configuration lets a prefix be small letters, digits and hyphens."""
    return Markup(f"/{prefix} " if prefix else "/")  # noqa: S704


def fill(template: str, facts: Mapping[str, object], *, language: str) -> str:
    return environment(language).get_template(template).render(facts).strip() + "\n"


@cache
def environment(language: str) -> "Environment":
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        loader=PackageLoader("bot"),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
        finalize=_inert,
    )
    words = catalogue(language)
    made.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    made.filters |= {by.__name__: _marked(by) for by in _FILTERS}
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
