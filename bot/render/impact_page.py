"""Impact -> one self-contained page with charts: no script, nothing loaded, every word of others escaped."""

from collections.abc import Callable

from bot import __version__
from bot.impact import Impact
from bot.render.environment import pages
from bot.render.impact_view import GroupView, impact_view
from bot.render.language import catalogue
from bot.words.sanitise import for_people

_MOST_SHOWN = 5_000


def impact_page(impact: Impact, *, language: str = "en", home: str | None = None) -> str:
    """`home` as in `impact_view`."""
    return (
        pages(language)
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
