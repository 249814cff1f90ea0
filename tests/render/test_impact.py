"""The comment on what a change would do to past runs: golden files, links, and words that stay inert."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hostile import HOSTILE
from samples import RUN
from snapshots import same_as_golden

from bot import marker
from bot.action import storable
from bot.impact import Change, Impact, Refused, Spent, assembled
from bot.render.impact import impact_comment, impact_summary
from bot.render.language import LANGUAGES
from bot.render.layout import Reply
from bot.render.live import faults

HOME = "https://github.com/acme/widgets"


def change(number: int, what: str = "allow→ask", **words: str | None) -> Change:
    fields: dict[str, str | None] = {
        "name": f"acme/widgets#{number} tidy-docs",
        "link": f"{HOME}/pull/{number}",
        "tool": "write_file",
        "about": "write_file → docs/legal/terms.md",
        "before": "It changes files, and no rule speaks against it. (default-write)",
        "after": "docs/legal/terms.md needs a person's approval (docs/legal/**). (path-asked, a.yml:5)",
    }
    return Change(run=f"run-{number:04}", action=number, what=what, more=number % 3, **fields | words)  # type: ignore[arg-type]


def impact(changes: Sequence[Change] = (), *, runs: int = 300, **other: object) -> Impact:
    fields: dict[str, object] = {
        "kind": "policy",
        "subject": {"before": "policy a0775e82e434", "after": "policy df777ec3b009"},
        "refused": [],
        "left_out": {},
    }
    return assembled(**fields | other, runs=runs, changes=changes)  # type: ignore[arg-type]


MIXED = [
    *(change(number) for number in range(1, 10)),
    *(change(number, "ask→deny") for number in range(10, 15)),
]
DECIDED = impact(
    [
        change(1, "new action"),
        change(2, "missing action"),
        change(3, "other arguments"),
        change(4, "other action"),
    ],
    runs=12,
    kind="decisions",
    subject={"after": "gpt-5.4-mini, prompts of policy df777ec3b009", "before": "the recorded runs"},
    left_out={"runs that the budget had nothing left for": 3},
    spent=Spent(calls=40, tokens=120_000, usd=Decimal("0.0123")),
)
UNREAD = impact(
    runs=1,
    refused=[
        Refused(file=f"{number}", why=f"{number}-transcript-1.jsonl line 4: cut") for number in range(7)
    ],
    left_out={"recorded twice": 2},
)
LAYOUTS = {
    "impact": lambda reply: impact_comment(
        [impact(MIXED)], reply, home=HOME, kind="impact", estimate="50 runs, about 1,200 tokens: about $0.40"
    ),
    "impact-none": lambda reply: impact_comment([impact()], reply, home=HOME, kind="impact"),
    "impact-first": lambda reply: impact_comment([impact(runs=0)], reply, home=HOME, kind="impact"),
    "impact-decisions": lambda reply: impact_comment([impact(MIXED[:1], runs=1), DECIDED], reply, home=HOME),
    "impact-unread": lambda reply: impact_comment(
        [UNREAD], reply, home=HOME, findings=("It extends acme/.github:x.yml@main, which is not read yet.",)
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "make"), LAYOUTS.items(), ids=LAYOUTS)
def test_an_impact_looks_like_its_golden_file(name: str, make, language: str) -> None:
    rendered = make(Reply(language=language, answers=12, run_url=RUN))
    assert rendered.fault is None
    assert same_as_golden(name, language, rendered.body)


def test_the_comment_is_found_again_by_its_marker() -> None:
    found = marker.read(LAYOUTS["impact"](Reply(answers=12)).body)
    assert found is not None
    assert (found.kind, found.answers, found.state) == ("impact", 12, "replayed")


FOREIGN_LINKS = [
    "https://evil.example/acme/widgets/pull/1",
    "https://github.com/evil/widgets/pull/1",
    f"{HOME}/pull/1)[x](https://evil.example",
    f"{HOME}/pull/1#x",
    f"{HOME}/pull/../../evil",
    "javascript:alert(1)",
    "transcripts/a.jsonl",
]


@pytest.mark.parametrize("link", FOREIGN_LINKS)
def test_only_pull_requests_of_the_repository_are_linked(link: str) -> None:
    body = impact_comment([impact([change(1, link=link)])], Reply(), home=HOME).body
    assert "](" not in body
    assert "(https://github.com" in impact_comment([impact([change(1)])], Reply(), home=HOME).body
    assert "](" not in impact_comment([impact([change(1)])], Reply(), home="https://ghe.example/a/b").body


def test_a_report_outside_a_pull_request_links_to_github_alone() -> None:
    assert f"({HOME}/pull/1)" in impact_summary(impact([change(1)])).body
    assert "](" not in impact_summary(impact([change(1, link="https://evil.example/a/b/pull/1")])).body
    assert impact_summary(impact([change(number) for number in range(1, 120)])).body.count("tidy-docs") == 119


def test_many_changes_are_cut_and_counted() -> None:
    rendered = impact_comment([impact([change(number) for number in range(1, 201)])], Reply(), home=HOME)
    assert rendered.fault is None
    assert rendered.body.count("tidy-docs") == 40
    assert "160 more runs are not listed here" in rendered.body
    assert len(rendered.body) < 60_000


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_word_of_a_run_comes_alive(text: str) -> None:
    words = str(storable(text)).replace("\0", "") + "z"
    told = dict.fromkeys(("name", "link", "tool", "about", "before", "after"), words)
    hostile = impact(
        [change(1, words, **told), change(2, **told)],
        subject={words: words},
        refused=[Refused(file=words, why=words)],
        left_out={words: 1},
    )
    rendered = impact_comment([hostile], Reply(), home=HOME, findings=[words], estimate=words)
    assert rendered.fault is None
    assert not faults(rendered.body, links=())
    assert marker.read(rendered.body) is not None
