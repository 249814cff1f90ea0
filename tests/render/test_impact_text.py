"""What a terminal shows of an impact: the worst first, and no word that a terminal or a runner obeys."""

from bot.impact import Change, Refused, assembled
from bot.render.impact_text import impact_text


def _change(number: int, what: str, **words: str) -> Change:
    fields = {
        "name": f"acme/widgets#{number} tidy",
        "link": f"https://github.com/acme/widgets/pull/{number}",
        "tool": "write_file",
        "about": "write_file → docs/a.md",
        "before": "It changes files. (default-write)",
        "after": "It needs approval. (path-asked, a.yml:3)",
    }
    return Change(run=f"run-{number}", action=number, what=what, more=number % 2, **fields | words)  # type: ignore[arg-type]


HOSTILE = "\x1b[31m\u202e::error::x\n::set-output name=a::b\r##[group]"


def test_kinds_come_by_their_number_and_runs_with_reasons_and_links() -> None:
    impact = assembled(
        kind="policy",
        subject={"before": "the recorded verdicts", "after": "policy 1"},
        runs=9,
        changes=[_change(1, "ask→deny"), _change(2, "allow→ask"), _change(3, "allow→ask")],
        refused=[Refused(file="x.jsonl", why="x.jsonl line 4: cut")],
        left_out={"recorded twice": 2},
    )
    assert impact_text(impact) == (
        "policy replay: changed 3 of 9\n"
        "  after: policy 1\n"
        "  before: the recorded verdicts\n"
        "\n"
        "allow→ask: 2\n"
        "  acme/widgets#2 tidy, action 2: write_file → docs/a.md\n"
        "    before: It changes files. (default-write)\n"
        "    after:  It needs approval. (path-asked, a.yml:3)\n"
        "    https://github.com/acme/widgets/pull/2\n"
        "  acme/widgets#3 tidy, action 3 (and 1 more): write_file → docs/a.md\n"
        "    before: It changes files. (default-write)\n"
        "    after:  It needs approval. (path-asked, a.yml:3)\n"
        "    https://github.com/acme/widgets/pull/3\n"
        "\n"
        "ask→deny: 1\n"
        "  acme/widgets#1 tidy, action 1 (and 1 more): write_file → docs/a.md\n"
        "    before: It changes files. (default-write)\n"
        "    after:  It needs approval. (path-asked, a.yml:3)\n"
        "    https://github.com/acme/widgets/pull/1\n"
        "\n"
        "not read: x.jsonl line 4: cut\n"
        "left out: 2 recorded twice\n"
    )
    assert "(2 more; --report json has them all)" in impact_text(impact, most=1)


def test_no_word_of_a_run_is_obeyed() -> None:
    words = dict.fromkeys(("name", "link", "tool", "about", "before", "after"), HOSTILE)
    impact = assembled(
        kind="policy",
        subject={"after": HOSTILE},
        runs=1,
        changes=[_change(1, HOSTILE, **words)],
        refused=[Refused(file="x", why=HOSTILE)],
        left_out={HOSTILE: 1},
    )
    shown = impact_text(impact)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not [line for line in shown.splitlines() if line.startswith(("::", "##["))]
    assert len(shown.splitlines()) == 11
