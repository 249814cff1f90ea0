"""Impact -> the comment on a pull request that changes the rules, and the same for a summary or a file."""

from collections.abc import Sequence

from bot import __version__, marker
from bot.errors import Reason
from bot.impact import Impact
from bot.marker import Kind, Marker
from bot.render.address import safe_address
from bot.render.impact_view import impact_view, links_of
from bot.render.layout import Rendered, Reply, lay_out
from bot.render.titles import TITLES

_MOST_SHOWN = 40
_MOST_IN_SUMMARY = 400
_MOST_SUMMARY_UNITS = 250_000


def impact_comment(
    impacts: Sequence[Impact],
    reply: Reply,
    *,
    home: str,
    kind: Kind = "answer",
    findings: Sequence[str] = (),
    estimate: str | None = None,
) -> Rendered:
    """`home` is the repository's address, and only its pull requests are linked.

    `estimate` is what asking the model again would cost, where that wasn't done; `findings` are sentences.
    """
    place = Marker(
        kind=kind,
        task="",
        digest=None,
        answers=reply.answers,
        state=Reason.REPLAYED.value,
        version=__version__,
    )
    views = [impact_view(impact, language=reply.language, home=home, most=_MOST_SHOWN) for impact in impacts]
    links = [link for view in views for link in links_of(view)]
    if run_url := safe_address(reply.run_url):
        links.append(str(run_url))
    facts = {
        "title": TITLES[Reason.REPLAYED],
        "impacts": views,
        "findings": tuple(findings),
        "estimate": estimate,
        "slash": reply.slash,
        "run_url": run_url,
    }
    return lay_out(
        "impact.md.j2",
        facts,
        language=reply.language,
        marker=marker.write(place),
        links=tuple(links),
        redact=reply.redact,
    )


def impact_summary(impact: Impact, *, language: str = "en", home: str | None = None) -> Rendered:
    """For a job's summary, a file or a terminal: no marker, and ten times as many runs."""
    view = impact_view(impact, language=language, home=home, most=_MOST_IN_SUMMARY)
    facts = {
        "title": TITLES[Reason.REPLAYED],
        "impacts": [view],
        "findings": (),
        "estimate": None,
        "slash": Reply().slash,
        "run_url": None,
    }
    return lay_out("impact.md.j2", facts, language=language, links=links_of(view), most=_MOST_SUMMARY_UNITS)
