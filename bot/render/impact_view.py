"""Impact -> what a template may know of it: plain values, the most frequent kind of change first."""

import re
from decimal import Decimal
from typing import Final

from markupsafe import Markup

from bot.dataclass import dataclass
from bot.impact import Change, Impact
from bot.render.address import safe_address
from bot.render.language import catalogue
from bot.render.sentence import translated


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeView:
    """`link` is None where the record names an address that is none of a pull request's."""

    name: str
    link: Markup | None
    action: int
    tool: str
    about: str
    before: str
    after: str
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """`was` and `now` are verdicts, "" where the change is of another kind: then `what` is its name.

    `share` is in hundredths of the largest group.
    """

    what: str
    was: str
    now: str
    runs: int
    share: int
    changes: tuple[ChangeView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactView:
    """`hidden` counts the changes that are not among those of the groups. `cost` is None where not known."""

    kind: str
    runs: int
    changed: int
    share: int
    groups: tuple[GroupView, ...]
    tools: tuple[tuple[str, int, int], ...]
    hidden: int
    subject: tuple[tuple[str, str], ...]
    refused: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]
    calls: int
    tokens: int
    cost: Decimal | None


def impact_view(
    impact: Impact, *, language: str = "en", home: str | None = None, most: int = 1_000
) -> ImpactView:
    """`home` is the address of the repository that the runs are of; `most` changes are shown."""
    said = catalogue(language).gettext
    largest = max((group.runs for group in impact.groups), default=0) or 1
    groups, left = [], most
    for group in impact.groups:
        changes = [change for change in impact.changes if change.what == group.what]
        verdicts = _VERDICTS.fullmatch(group.what)
        groups.append(
            GroupView(
                what=group.what,
                was=verdicts[1] if verdicts else "",
                now=verdicts[2] if verdicts else "",
                runs=group.runs,
                share=group.runs * 100 // largest,
                changes=tuple(_change(change, home, language) for change in changes[:left]),
            )
        )
        left -= min(left, len(changes))
    return ImpactView(
        kind=impact.kind,
        runs=impact.runs,
        changed=impact.changed,
        share=impact.changed * 100 // (impact.runs or 1),
        groups=tuple(groups),
        tools=_tools(impact),
        hidden=impact.changed - sum(len(group.changes) for group in groups),
        subject=tuple((said(name), value) for name, value in impact.subject.items()),
        refused=tuple(one.why for one in impact.refused),
        left_out=tuple((said(why), number) for why, number in impact.left_out.items()),
        calls=impact.spent.calls,
        tokens=impact.spent.tokens,
        cost=impact.spent.usd,
    )


def links_of(view: ImpactView) -> tuple[str, ...]:
    """Every address that the view lets be a link."""
    return tuple(str(change.link) for group in view.groups for change in group.changes if change.link)


def _change(change: Change, home: str | None, language: str) -> ChangeView:
    return ChangeView(
        name=change.name,
        link=_link(change.link, home),
        action=change.action,
        tool=change.tool,
        about=change.about,
        before=_spoken(change.before, language),
        after=_spoken(change.after, language),
        more=change.more,
    )


def _spoken(text: str, language: str) -> str:
    """A verdict's reason in the reader's language; the rule and its place behind it stay."""
    reason, bracket, rule = text.rpartition(" (")
    return translated(reason, language) + bracket + rule


def _link(link: str | None, home: str | None) -> Markup | None:
    """Whoever made the record chose the address: only a pull request of the runs' own home is one."""
    if link is None:
        return None
    is_home = home is not None and re.fullmatch(re.escape(home) + r"/pull/[0-9]{1,18}", link)
    is_github = home is None and _PULL_REQUEST.fullmatch(link)
    return safe_address(link) if is_home or is_github else None


def _tools(impact: Impact) -> tuple[tuple[str, int, int], ...]:
    """(Tool, runs whose first change is a call of it, share in hundredths of the most)."""
    counted: dict[str, int] = {}
    for change in impact.changes:
        counted[change.tool] = counted.get(change.tool, 0) + 1
    ranked = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:12]
    most = ranked[0][1] if ranked else 1
    return tuple((tool, runs, runs * 100 // most) for tool, runs in ranked)


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


# What replays say of runs that they leave out, and of what was compared. Anything else is shown as it is.
WORDS: Final = (
    _("recorded twice"),
    _("actions with a secret taken out of them"),
    _("applies, which perform a plan that a dry run made"),
    _("runs of other programs, which can only be replayed under a policy"),
    _("runs with a secret taken out of what the model was given or said"),
    _("runs in a terminal, whose files are not known any more"),
    _("runs that ended without a plan"),
    _("runs with tools of a server or a package that is not at hand here"),
    _("runs that the budget had nothing left for"),
    _("runs of other tasks"),
    _("before"),
    _("after"),
)
_VERDICTS: Final = re.compile(r"(allow|ask|deny)→(allow|ask|deny)")
_PULL_REQUEST: Final = re.compile(r"https://github\.com/[A-Za-z0-9_-]+/[A-Za-z0-9._-]+/pull/[0-9]{1,18}")
