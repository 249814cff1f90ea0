"""A template and its facts -> a finished comment. Words of others pass a filter; the result is checked again.

Templates lay out and do not think; what they name and is not there is an error, never an empty place.
"""

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from bot.dataclass import dataclass
from bot.render.environment import comments
from bot.render.live import faults
from bot.render.size import units

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
    return comments(language).get_template(template).render(facts).strip() + "\n"
