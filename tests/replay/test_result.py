"""Results in any order make the same impact."""

import random

from bot.impact import Change, Refused
from bot.replay.result import Result, Tally


def _change(number: int) -> Change:
    return Change(
        run=f"run-{number}",
        name="n",
        link=None,
        action=1,
        tool="t",
        about="t → x",
        what="allow→ask" if number % 2 else "allow→deny",
        before="b",
        after="a",
    )


RESULTS = [
    *(Result(run=f"run-{number}", change=_change(number)) for number in range(5)),
    *(Result(run=f"run-{number}") for number in range(5, 20)),
    Result(run="run-20", left_out="applies"),
    Result(run="run-21", refused=Refused(file="b", why="line 1")),
    Result(run="", refused=Refused(file="a", why="line 2")),
    Result(run="", refused=Refused(file="c", why="line 2")),
    Result(run="run-22", unjudged=3),
    # One run several times: whole, cut short, left out, and as somebody else made it.
    Result(run="run-30", refused=Refused(file="cut", why="line 9")),
    Result(run="run-30", left_out="applies"),
    Result(run="run-30", change=_change(30)),
    Result(run="run-30", change=_change(30).model_copy(update={"after": "b"})),
    Result(run="run-30"),
]


def test_results_in_any_order_make_the_same_impact() -> None:
    made = set()
    for seed in range(20):
        shuffled = random.Random(seed).sample(RESULTS, len(RESULTS))
        tally = Tally()
        for result in shuffled:
            tally.add([result])
        made.add(tally.impact("policy", {"after": "x"}).to_json())
    assert len(made) == 1
    impact = tally.impact("policy", {"after": "x"})
    assert (impact.runs, impact.changed) == (22, 6)
    assert [(group.what, group.runs) for group in impact.groups] == [("allow→deny", 4), ("allow→ask", 2)]
    assert [one.file for one in impact.refused] == ["a", "b", "c", "cut"]
    assert dict(impact.left_out) == {
        "actions with a secret taken out of them": 3,
        "applies": 1,
        "recorded twice": 3,
    }


def test_a_broken_copy_of_a_run_is_told_and_takes_nobody_s_place() -> None:
    tally = Tally()
    broken = [Result(run="run-1", refused=Refused(file=name, why="line 3")) for name in "ab"]
    tally.add([*broken, Result(run="run-1", change=_change(1))])
    impact = tally.impact("policy", {})
    assert (impact.changed, impact.runs, dict(impact.left_out)) == (1, 1, {})
    assert [one.file for one in impact.refused] == ["a", "b"]


def test_a_run_that_is_there_twice_counts_once() -> None:
    tally = Tally()
    tally.add(
        [Result(run="run-1", change=_change(1)), Result(run="run-1", change=_change(1)), Result(run="run-1")]
    )
    impact = tally.impact("policy", {})
    assert (impact.runs, impact.changed, dict(impact.left_out)) == (1, 1, {"recorded twice": 2})
