"""Impact -> one self-contained page with charts: no script, nothing loaded, every word of others escaped."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from bot import __version__
from bot.impact import Impact
from bot.render.impact_view import GroupView, impact_view
from bot.render.language import catalogue
from bot.render.size import usd
from bot.words.sanitise import for_people

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_SHOWN = 5_000


def impact_page(impact: Impact, *, language: str = "en", home: str | None = None) -> str:
    """`home` as in `impact_view`."""
    return (
        _environment(language)
        .get_template("impact.html.j2")
        .render(
            impact=impact_view(impact, language=language, home=home, most=_MOST_SHOWN),
            language=language,
            kind=_kind_in(language),
            version=__version__,
        )
    )


def _kind_in(language: str) -> Callable[[GroupView], str]:
    """What a kind of change is called; our own words, or somebody's that the template escapes."""
    _ = catalogue(language).gettext
    verdicts = {"allow": f"✅ {_('allow')}", "ask": f"✋ {_('ask')}", "deny": f"⛔ {_('deny')}"}
    words = {
        "new action": f"\u2795 {_('new action')}",
        "missing action": f"\u2796 {_('missing action')}",
        "other arguments": f"✏️ {_('other arguments')}",
        "other action": f"🔀 {_('other action')}",
    }

    def kind(group: GroupView) -> str:
        if group.was:
            return f"{verdicts[group.was]} → {verdicts[group.now]}"
        return words.get(group.what) or for_people(group.what)

    return kind


@cache
def _environment(language: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bot"),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    words = catalogue(language)
    environment.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.filters |= {"shown": for_people, "usd": usd}
    return environment
