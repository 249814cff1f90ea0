"""What a template may know of an impact: shares that add up, and the worst first."""

from bot.impact import Change, assembled
from bot.render.impact_view import WORDS, impact_view, links_of


def _change(number: int, what: str, tool: str) -> Change:
    return Change(
        run=f"run-{number:03}",
        name="n",
        link=f"https://github.com/acme/widgets/pull/{number}",
        action=1,
        tool=tool,
        about="a",
        what=what,
        before="b",
        after="c",
    )


IMPACT = assembled(
    kind="policy",
    subject={"after": "x"},
    runs=40,
    changes=[
        *(_change(number, "allow→ask", "write_file") for number in range(8)),
        *(_change(number, "ask→deny", "run_command") for number in range(8, 10)),
        _change(10, "new action", "write_file"),
    ],
    refused=[],
    left_out={},
)


def test_groups_and_tools_are_ranked_and_have_their_shares() -> None:
    view = impact_view(IMPACT)
    assert (view.runs, view.changed, view.share, view.hidden) == (40, 11, 27, 0)
    assert [(group.was, group.now, group.what, group.runs, group.share) for group in view.groups] == [
        ("allow", "ask", "allow→ask", 8, 100),
        ("ask", "deny", "ask→deny", 2, 25),
        ("", "", "new action", 1, 12),
    ]
    assert view.tools == (("write_file", 9, 100), ("run_command", 2, 22))


def test_what_is_cut_is_counted_and_the_first_groups_are_shown_first() -> None:
    view = impact_view(IMPACT, most=9)
    assert [len(group.changes) for group in view.groups] == [8, 1, 0]
    assert view.hidden == 2
    assert len(links_of(view)) == 9


def test_nothing_is_divided_by_no_runs() -> None:
    view = impact_view(assembled(kind="policy", subject={}, runs=0, changes=[], refused=[], left_out={}))
    assert (view.share, view.groups, view.tools) == (0, (), ())


def test_every_reason_to_leave_a_run_out_has_its_words_in_every_language() -> None:
    from bot.replay import decision_work, own_run, result, whole_file, whole_run

    reasons = {
        result.DUPLICATE,
        result.UNJUDGED,
        own_run.APPLY,
        whole_file.FOREIGN,
        whole_run.REDACTED,
        whole_run.ELSEWHERE,
        whole_run.NO_PLAN,
        whole_run.OTHER_TOOLS,
        decision_work.NO_MONEY,
        decision_work.OTHER_TASK,
    }
    assert reasons < set(WORDS)
    left_out = dict.fromkeys(reasons, 1)
    view = impact_view(
        assembled(kind="policy", subject={"after": "x"}, runs=0, changes=[], refused=[], left_out=left_out),
        language="es",
    )
    assert not reasons.intersection(why for why, _ in view.left_out)
    assert view.subject == (("después", "x"),)


def test_a_reason_is_said_in_the_readers_language_and_its_rule_stays() -> None:
    one = IMPACT.changes[0].model_copy(
        update={"before": "It only reads. (default-read)", "after": "no words"}
    )
    told = impact_view(IMPACT.model_copy(update={"changes": [one]}), language="es").groups[0].changes[0]
    assert (told.before, told.after) == ("Solo lee. (default-read)", "no words")
