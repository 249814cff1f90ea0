"""A template and its facts -> a finished comment. Words of others pass a filter; the result is checked again.

Templates lay out and do not think; what they name and is not there is an error, never an empty place.
"""

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from bot.dataclass import dataclass
from bot.render.environment import Clean, comments
from bot.render.live import faults
from bot.render.size import units

MOST_UNITS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What all replies need: the language, the comment that is answered, the workflow run that does it.

    `prefix` is the configuration's `command_prefix`, which then stands before every command; `redact` takes
    secrets out of whatever is said.
    """

    language: str = "en"
    answers: int | None = None
    run_url: str | None = None
    prefix: str | None = None
    redact: Clean | None = None

    @property
    def slash(self) -> Markup:
        return slash(self.prefix)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """`fault` says what came out live; `body` is then a bare layout without anybody's words.

    `is_redacted`: not all is shown that words said, for secrets were taken out.
    """

    body: str
    fault: str | None = None
    is_redacted: bool = False


def lay_out(
    template: str,
    facts: Mapping[str, object],
    *,
    language: str,
    marker: str = "",
    bare: str = "bare.md.j2",
    links: tuple[str, ...] = (),
    most: int = MOST_UNITS,
    redact: Clean | None = None,
) -> Rendered:
    """`marker` is a hidden first line; `links` are the only addresses that may be live.

    `most` is how long it may be, in UTF-16 code units; `redact` takes secrets out.
    """
    first = f"{marker}\n\n" if marker else ""
    body = first + fill(template, facts, language=language)
    is_redacted = redact is not None and redact(body) != body
    if is_redacted:
        # Cut out of the finished comment a secret takes our markup along, or all up to another step's: so
        # each word loses its own, before it is laid out.
        body = first + fill(template, facts, language=language, clean=redact)
    found = faults(body, links=links)
    if units(body) > most:
        found = (f"{units(body)} characters", *found)
    if redact is not None and is_redacted and redact(body) != body:
        found = ("what looks like a secret", *found)
    if not found:
        return Rendered(body=body, is_redacted=is_redacted)
    return Rendered(body=first + fill(bare, facts, language=language, clean=redact), fault="; ".join(found))


def slash(prefix: str | None) -> Markup:
    """What stands before a command. The configuration lets a prefix be small letters, digits and hyphens."""
    return Markup(f"/{prefix} " if prefix else "/")  # noqa: S704


def fill(template: str, facts: Mapping[str, object], *, language: str, clean: Clean | None = None) -> str:
    return comments(language, clean).get_template(template).render(facts).strip() + "\n"
