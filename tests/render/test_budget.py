import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import command, create, denied, edit, failed, plan

from bot.plan import Plan
from bot.plan.outline import outline_of
from bot.render.budget import choose
from bot.render.layout import MOST_UNITS
from bot.render.live import faults
from bot.render.patch import patch_of
from bot.render.plan import plan_comment, plan_summary
from bot.render.size import units
from bot.render.steps import view


def lines(count: int, width: int = 60) -> str:
    return "".join(f"{number:06} {'x' * width}\n" for number in range(count))


def test_a_small_plan_is_shown_whole() -> None:
    choice = choose(outline_of([edit(1), command(2), denied(3), failed(4)]))
    assert [row.number for row in choice.rows] == [1, 2, 3, 4]
    assert [fold.step.number for fold in choice.folds] == [1, 2, 3, 4]
    assert choice.not_shown == ()


def test_a_long_diff_is_cut_at_a_line_end_and_must_be_named() -> None:
    choice = choose(outline_of([create(1, content=lines(2000))]))
    (fold,) = choice.folds
    (block,) = fold.blocks
    assert block.text.endswith("x\n")
    assert block.text.count("\n") + block.left_out == 2001
    assert choice.not_shown == (1,)


def test_a_line_end_of_windows_is_a_line_end_in_the_last_line_too() -> None:
    body = plan_comment(plan(create(1, content="one\r\ntwo\r\n"))).body
    assert "+two\n```" in body
    assert "⟨U+000D⟩" in plan_comment(plan(create(1, content="one\rtwo\n"))).body


def test_what_asks_is_shown_before_what_is_allowed() -> None:
    many = [create(number, f"a{number}", lines(300)) for number in range(1, 6)]
    asks = create(6, "b", lines(300), outcome="ask")
    choice = choose(outline_of([*many, asks]))
    assert 6 in [fold.step.number for fold in choice.folds]
    assert 6 not in choice.not_shown
    assert choice.not_shown


def test_many_small_ones_are_not_pushed_out_by_a_large_one() -> None:
    large = create(1, "a", lines(2000))
    small = [create(number, f"b{number}") for number in range(2, 20)]
    assert choose(outline_of([large, *small])).not_shown == (1,)


def test_a_file_with_a_lying_diff_must_be_named() -> None:
    honest = edit(1)
    lying = honest.effects[0].model_copy(update={"diff": ""})
    assert choose(outline_of([honest.model_copy(update={"effects": (lying,)})])).not_shown == (1,)


def test_denied_and_failed_steps_need_no_name() -> None:
    step = create(1, content=lines(3000))
    for kept_out in ({"error": "x"}, {"verdict": denied().verdict}):
        assert choose(outline_of([step.model_copy(update=kept_out)])).not_shown == ()


def test_a_single_line_of_300_kilobytes_is_not_shown_and_must_be_named() -> None:
    choice = choose(outline_of([create(1, content="x" * 300_000)]))
    assert choice.not_shown == (1,)
    assert not any(block.text.startswith("+x") for fold in choice.folds for block in fold.blocks)


def test_a_command_too_long_to_show_must_be_named() -> None:
    assert choose(outline_of([command(1, "true " + "x" * 50_000)])).not_shown == (1,)


HUGE = {
    "10,000 small steps": lambda: plan(
        *[create(number, f"a/{number}.txt", "x\n") for number in range(1, 10_001)]
    ),
    "10,000 denied steps": lambda: plan(*[denied(number, f"a/{number}") for number in range(1, 10_001)]),
    "2,000 commands": lambda: plan(*[command(number, f"make a{number}") for number in range(1, 2001)]),
    "2,000 steps of long words": lambda: plan(
        *[create(number, f"a/{number}", intent="i j" * 300, reason="r s" * 900) for number in range(1, 2001)]
    ),
    "one line of 300 kilobytes": lambda: plan(create(1, content="x" * 300_000), edit(2)),
    "300 kilobytes of hidden characters": lambda: plan(create(1, content="\u200b" * 300_000)),
    "300 kilobytes of backticks": lambda: plan(create(1, content="`" * 300_000)),
    "long words everywhere": lambda: plan(
        *[
            create(number, "p" * 4000, lines(100), intent="i" * 9000, reason="r" * 9000, rule="r" * 900)
            for number in range(1, 30)
        ],
        summary="s" * 100_000,
        findings=("f" * 5000,) * 50,
        stopped_by="s" * 5000,
        model="m" * 5000,
    ),
    "emoji everywhere": lambda: plan(create(1, content="👩\u200d💻" * 30_000), summary="👩\u200d💻" * 5000),
    "a thousand findings": lambda: plan(
        edit(1), findings=tuple(f"finding {number}" for number in range(1000))
    ),
}

MANY = ["10,000 small steps", "10,000 denied steps", "2,000 commands", "2,000 steps of long words"]


@pytest.fixture(scope="module")
def huge(request: pytest.FixtureRequest) -> Plan:
    """Made when a test wants it: all of them take seconds, and hundreds of megabytes."""
    return HUGE[request.param]()


@pytest.mark.parametrize("huge", HUGE, indirect=True)
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_huge_plan_stays_within_the_budget(huge: Plan, language: str) -> None:
    comment = plan_comment(huge, language=language)
    assert comment.fault is None
    assert units(comment.body) <= MOST_UNITS
    assert len(comment.body.encode("utf-8")) <= 240_000
    assert comment.body.count("<details") == comment.body.count("</details>")
    assert f"/apply {huge.short_digest}" in comment.body or not any(step.is_performed for step in huge.steps)


@pytest.mark.parametrize("huge", HUGE, indirect=True)
def test_a_huge_plan_fits_into_a_summary(huge: Plan) -> None:
    summary = plan_summary(huge)
    assert summary.fault is None
    assert len(summary.body.encode("utf-8")) < 1024 * 1024


def looked_at(made: Plan, *, whole: Callable[[Plan], object]) -> tuple[int, int]:
    """How many steps were taken apart for it, and how many patches."""
    seen = {view.__code__: 0, patch_of.__code__: 0}

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in seen:
            seen[frame.f_code] += 1

    sys.setprofile(count)
    try:
        whole(made)
    finally:
        sys.setprofile(None)
    return seen[view.__code__], seen[patch_of.__code__]


MOST = {
    "a comment": (lambda made: plan_comment(made, embed=False), 80),
    "a comment in the repository's layout": (
        lambda made: plan_comment(made, template='{% extends "plan.md.j2" %}'),
        80,
    ),
    "what it does not show": (lambda made: choose(made.outline), 80),
    "a summary": (plan_summary, 320),
}


@pytest.mark.parametrize(("whole", "most"), MOST.values(), ids=MOST)
@pytest.mark.parametrize("huge", MANY, indirect=True)
def test_what_has_no_room_is_not_looked_at(huge: Plan, whole: Callable[[Plan], object], most: int) -> None:
    steps, patches = looked_at(huge, whole=whole)
    assert 0 < steps <= most
    assert patches <= steps


@pytest.mark.parametrize("huge", MANY, indirect=True)
def test_what_found_no_place_must_be_named(huge: Plan) -> None:
    choice = choose(huge.outline)
    placed = {fold.step.number for fold in choice.folds}
    unplaced = {step.number for step in huge.steps if step.is_performed} - placed
    assert unplaced <= set(choice.not_shown)
    assert len(placed) < 80


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["allow", "ask", "deny"]),
        st.integers(0, 900),
        st.sampled_from(["x", "`", "\u200b", "é", "👩", "|", "\\"]),
    ),
    max_size=8,
)


@settings(max_examples=15, deadline=None)
@given(STEPS)
def test_any_plan_is_within_the_budget_and_the_same_steps_must_be_named_in_every_language(rows) -> None:
    steps = [
        create(number, f"f{number}", (char * 70 + "\n") * count, outcome=outcome, intent=char * 300)
        for number, (outcome, count, char) in enumerate(rows, 1)
    ]
    made = plan(*steps)
    english, spanish = plan_comment(made), plan_comment(made, language="es", embed=False, run_url=None)
    assert english.fault is spanish.fault is None
    assert units(english.body) <= MOST_UNITS
    assert english.not_shown == spanish.not_shown == choose(made.outline).not_shown
    assert faults(english.body) == ()
