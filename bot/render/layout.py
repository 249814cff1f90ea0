"""A template and its facts -> a finished comment. Words of others pass a filter; the result is checked again.

Templates lay out and do not think; what they name and is not there is an error, never an empty place.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from bot.render.inert import cell, code, fenced, html_code, quoted, said
from bot.render.language import catalogue
from bot.render.live import faults
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
    def slash(self) -> str:
        return f"/{self.prefix} " if self.prefix else "/"


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


def fill(template: str, facts: Mapping[str, object], *, language: str) -> str:
    return _environment(language).get_template(template).render(facts).strip() + "\n"


@cache
def _environment(language: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bot"),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - this is Markdown: the filters below are its escaping
    )
    words = catalogue(language)
    environment.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.filters |= {
        by.__name__: by for by in (cell, code, fenced, html_code, quoted, said, usd, listed)
    }
    return environment
